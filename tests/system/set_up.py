"""The set-up of run.sh and test.sh, against a pretended package system: nothing real is installed."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import SOURCE

SCRIPT = SOURCE / "tools/install_dependencies.sh"


class SetUp(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.calls = pathlib.Path(self.folder.name, "calls")
        self.write("id", "echo 0")
        self.write("apt-get", f'echo "$DEBIAN_FRONTEND: $*" >> {self.calls}')

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, body):
        path = pathlib.Path(self.folder.name, name)
        path.write_text(f"#!/bin/bash\n{body}\n")
        path.chmod(0o755)

    def pretend_installed(self, *, but=()):
        """Every package asked about is installed, except these."""
        self.write("dpkg-query", 'for p in "${@:4}"; do case " ' + " ".join(but)
                   + ' " in *" $p "*) ;; *) echo "ii  $p" ;; esac; done')

    def run_script(self, *command):
        environment = {**os.environ, "PATH": self.folder.name + ":" + os.environ["PATH"]}
        process = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
        calls = self.calls.read_text().splitlines() if self.calls.exists() else []
        return process, calls

    def test_nothing_is_called_when_nothing_is_missing(self):
        self.pretend_installed()
        process, calls = self.run_script(SCRIPT, "--tests")
        self.assertEqual((process.returncode, process.stdout, calls), (0, "", []))

    def test_installs_only_what_is_missing_and_never_asks(self):
        self.pretend_installed(but=["libfmt-dev", "libhwy-dev"])
        process, calls = self.run_script(SCRIPT)
        self.assertEqual(process.returncode, 0)
        self.assertTrue(process.stdout.startswith("Installing: libfmt-dev libhwy-dev\n"))
        self.assertEqual(len(calls), 2)
        self.assertRegex(calls[0], "^noninteractive: update")
        self.assertRegex(calls[1], "^noninteractive: install -y .* libfmt-dev libhwy-dev$")

    def test_node_from_elsewhere_is_left_as_it_is(self):
        self.pretend_installed(but=["nodejs", "npm"])
        for name in ("node", "npm"):
            self.write(name, "true")
        process, calls = self.run_script(SCRIPT)
        self.assertEqual((process.returncode, process.stdout, calls), (0, "", []))

    def run_pretended(self, *arguments):
        """run.sh in a folder where everything is built; what `distal` is called with, and what is said at the end."""
        root = pathlib.Path(self.folder.name, "root")
        for path, body in (("tools/install_dependencies.sh", ""), ("build/build.ninja", ""),
                           ("build/distal", 'printf "%s\\n" "$@" > words')):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(f"#!/bin/bash\n{body}\n")
            (root / path).chmod(0o755)
        self.write("cmake", "")
        shutil.copy(SOURCE / "run.sh", root)
        process, _ = self.run_script(root / "run.sh", *arguments)
        self.assertEqual(process.returncode, 0, process.stderr)
        return (root / "words").read_text().split(), process.stdout

    def test_the_results_are_where_it_says(self):
        words, said = self.run_pretended()
        self.assertEqual(words, ["run", "press", "--force", "--out", "out/press"])
        self.assertIn("the results are in out/press:", said)
        for arguments in (["--out", "out/foo"], ["--out=out/foo"], ["--out", "out/bar", "--out", "out/foo"]):
            words, said = self.run_pretended(*arguments, "--set", "a=1")
            self.assertEqual(words, ["run", "press", "--force", *arguments, "--set", "a=1"])
            self.assertIn("the results are in out/foo: open out/foo/report.html", said)

    def test_a_scene_is_named_as_everywhere(self):
        for scene in ("press_tilted", "scenarios/press_tilted.toml"):
            words, said = self.run_pretended(scene, "--quiet")
            self.assertEqual(words, ["run", scene, "--force", "--out", "out/press_tilted", "--quiet"])
            self.assertIn("the results are in out/press_tilted:", said)

    def test_no_install_only_prints_the_command(self):
        self.pretend_installed(but=["libgtest-dev"])
        process, calls = self.run_script(SOURCE / "test.sh", "--no-install")
        self.assertEqual((process.returncode, calls), (0, []))
        self.assertRegex(process.stdout, r"apt-get install -y [^\n]* libgtest-dev\n$")
        process, calls = self.run_script(SOURCE / "run.sh", "--no-install")
        self.assertEqual((process.returncode, calls), (0, []))
        self.assertNotIn("libgtest-dev", process.stdout)

    def test_a_failed_installation_stops(self):
        self.pretend_installed(but=["libfmt-dev"])
        self.write("apt-get", "exit 100")
        process, _ = self.run_script(SCRIPT)
        self.assertNotEqual(process.returncode, 0)

    def test_asks_sudo_when_not_root(self):
        self.pretend_installed(but=["libfmt-dev"])
        self.write("id", "echo 1000")
        self.write("sudo", f'echo "sudo $*" >> {self.calls}')
        process, calls = self.run_script(SCRIPT)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(len(calls), 2)
        self.assertTrue(all(call.startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get") for call in calls))


if __name__ == "__main__":
    unittest.main()
