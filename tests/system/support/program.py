"""Runs the program as a user does. The build tells where it is (tests/system/system_tests.cmake)."""
import os
import pathlib
import subprocess
import tempfile

PROGRAM = os.environ.get("DISTAL", "build/distal")
SOURCE = pathlib.Path(os.environ.get("DISTAL_SOURCE_DIR", "."))
SCENARIOS = pathlib.Path(os.environ.get("DISTAL_SCENARIOS", "scenarios"))
VERSION = os.environ.get("DISTAL_VERSION", "")


def run_distal(*arguments, timeout_s=300, **options):
    """The finished process, with stdout, stderr and returncode."""
    command = [PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False, **options)


def start_distal(*arguments, **options):
    """The running process, for tests that interrupt or kill it."""
    command = [PROGRAM, *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, text=True, **{**pipes, **options})


def overrides(**values):
    """Arguments --set for keys whose dots are written as two underscores."""
    return [word for key, value in values.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


# Tests run beside each other: one thread each.
COARSE = overrides(body__finger__cell_size_m=0.0025, run__threads=1)
# A press that takes a fraction of a second.
QUICK = [*COARSE, *overrides(body__finger__position_m="[0.0, 0.0, 0.0101]", run__duration_s=0.03, record__frames_per_s=0)]


def scratch_folder():
    """A folder that is gone after the `with` block."""
    return tempfile.TemporaryDirectory(prefix="distal_")
