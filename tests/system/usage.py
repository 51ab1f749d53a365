# ctest: sanitized
"""What users expect of any program: version, help, and a clear refusal of what it does not know."""
import subprocess
import tempfile
import unittest

from program import PROGRAM, VERSION, run_distal


class Usage(unittest.TestCase):
    def test_version(self):
        process = run_distal("--version")
        self.assertEqual(process.returncode, 0)
        self.assertIn(VERSION, process.stdout)

    def test_help_names_every_command(self):
        process = run_distal("--help")
        self.assertEqual(process.returncode, 0)
        for command in ("run", "serve", "control", "sweep", "fit", "check", "bench", "new", "schema", "list"):
            self.assertRegex(process.stdout, rf"(?m)^\s+{command}\b")

    def test_each_command_has_help(self):
        for command in ("run", "serve", "control", "sweep", "fit", "check", "bench", "new", "schema", "list"):
            process = run_distal(command, "--help")
            self.assertEqual(process.returncode, 0, command)
            self.assertIn(command, process.stdout)

    def test_bad_usage_ends_with_2_and_says_why_on_standard_error(self):
        for arguments in (["no_such_command"], ["run"], ["run", "--no-such-option"], []):
            process = run_distal(*arguments)
            self.assertEqual(process.returncode, 2, arguments)
            self.assertNotEqual(process.stderr.strip(), "", arguments)
            self.assertEqual(process.stdout, "", arguments)

    def test_the_nearest_option_is_named(self):
        for arguments, words in ((["run", "press", "--ot", "x"], "not expected: --ot x; did you mean \"--out\"?"),
                                 (["check", "press", "--sett=a=1"], "did you mean \"--set\"?")):
            process = run_distal(*arguments)
            self.assertEqual(process.returncode, 2)
            self.assertIn(words, process.stderr)

    def test_a_full_standard_error_changes_nothing(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = subprocess.run([PROGRAM, "no_such_command"], stderr=full, check=False, timeout=60)
        self.assertEqual(process.returncode, 2)

    def test_lost_output_is_no_success(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = subprocess.run([PROGRAM, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False,
                                     timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("standard output", process.stderr)

    def test_a_scene_in_which_nothing_moves_is_not_served(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as scene:
            scene.write('[body.table]\ntype = "plane"\n')
            scene.flush()
            process = run_distal("serve", scene.name, "--port", "0", timeout_s=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn("nothing in the scene moves", process.stderr)


if __name__ == "__main__":
    unittest.main()
