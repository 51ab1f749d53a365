#!/usr/bin/env python3
"""Checks that a layer of src/distal includes only itself and the layers above it.

usage: check_layers.py [REPOSITORY] | --self-test
The layers and their order are read from src/distal/CMakeLists.txt, so that list is the only statement of them.
"""
import pathlib
import re
import sys
import tempfile

LAYER_LIST = re.compile(r"set\(DISTAL_LAYERS\s+([^)]*)\)")
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


def read_layers(repository):
    text = (repository / "src/distal/CMakeLists.txt").read_text()
    match = LAYER_LIST.search(text)
    if not match:
        raise SystemExit("check_layers: no DISTAL_LAYERS in src/distal/CMakeLists.txt")
    return match.group(1).split()


def check_include(layers, source, layer, delimiter, included):
    """The reason why this include is wrong, or None."""
    if not included.startswith("distal/"):
        if delimiter == '"':
            return f'"{included}" is not written from src/, as "distal/layer/file.hpp"'
        return None
    target = included.split("/")[1]
    if target not in layers:
        return f"{included}: '{target}' is no layer"
    if layers.index(target) > layers.index(layer):
        return f"{included}: {layer} stands above {target} and must not know it"
    if not (source / included).is_file():
        return f"{included} does not exist"
    return None


def find_errors(repository):
    layers = read_layers(repository)
    source = repository / "src"
    errors, edges = [], 0
    for file in sorted((source / "distal").rglob("*")):
        if file.suffix not in (".hpp", ".cpp"):
            continue
        place = file.relative_to(repository)
        layer = file.relative_to(source / "distal").parts[0]
        if layer not in layers:
            errors.append(f"{place}: folder '{layer}' is not in DISTAL_LAYERS")
            continue
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            edges += 1
            reason = check_include(layers, source, layer, *match.groups())
            if reason:
                errors.append(f"{place}:{number}: {reason}")
    return errors, edges


def make_repository(folder, files):
    files = {"CMakeLists.txt": "set(DISTAL_LAYERS low middle\n    high)\n", **files}
    for name, text in files.items():
        path = folder / "src/distal" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def self_test():
    good = {"low/a.hpp": "#include <vector>\n", "middle/b.hpp": '#include "distal/low/a.hpp"\n',
            "high/c.cpp": '#include "distal/middle/b.hpp"\n#include "distal/low/a.hpp"\n'}
    cases = [
        ("right edges pass", {}, None),
        ("upward edge", {"low/x.cpp": '#include "distal/high/h.hpp"\n', "high/h.hpp": ""}, "low stands above high"),
        ("upward edge in angle brackets", {"low/x.hpp": "#include <distal/middle/b.hpp>\n"}, "low stands above middle"),
        ("indented directive", {"low/x.hpp": '  #  include "distal/middle/b.hpp"\n'}, "low stands above middle"),
        ("unknown layer", {"low/x.hpp": '#include "distal/utils/y.hpp"\n'}, "'utils' is no layer"),
        ("folder outside the list", {"extra/x.hpp": ""}, "'extra' is not in DISTAL_LAYERS"),
        ("missing file", {"high/x.hpp": '#include "distal/low/none.hpp"\n'}, "does not exist"),
        ("relative path", {"high/x.hpp": '#include "c.hpp"\n'}, "not written from src/"),
    ]
    for name, extra, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            make_repository(pathlib.Path(folder), {**good, **extra})
            errors, _ = find_errors(pathlib.Path(folder))
        right = errors == [] if expected is None else len(errors) == 1 and expected in errors[0]
        if not right:
            print(f"self-test '{name}': expected {expected!r}, found {errors}")
            return 1
    print(f"self-test: {len(cases)} cases ok")
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    repository = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    errors, edges = find_errors(repository)
    for error in errors:
        print(error)
    print(f"{edges} includes, {len(errors)} wrong")
    return 1 if errors or edges == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
