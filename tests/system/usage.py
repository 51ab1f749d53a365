# ctest: sanitized
"""What users expect of any program: version, help, and a clear refusal of what it does not know."""
import unittest

from program import VERSION, run_distal


class Usage(unittest.TestCase):
    def test_version(self):
        process = run_distal("--version")
        self.assertEqual(process.returncode, 0)
        self.assertIn(VERSION, process.stdout)

    def test_help_names_every_command(self):
        process = run_distal("--help")
        self.assertEqual(process.returncode, 0)
        for command in ("run", "serve", "control", "check", "bench", "new", "schema", "list"):
            self.assertRegex(process.stdout, rf"(?m)^\s+{command}\b")

    def test_each_command_has_help(self):
        for command in ("run", "serve", "control", "check", "bench", "new", "schema", "list"):
            process = run_distal(command, "--help")
            self.assertEqual(process.returncode, 0, command)
            self.assertIn(command, process.stdout)

    def test_bad_usage_ends_with_2_and_says_why_on_standard_error(self):
        for arguments in (["no_such_command"], ["run"], ["run", "--no-such-option"], []):
            process = run_distal(*arguments)
            self.assertEqual(process.returncode, 2, arguments)
            self.assertNotEqual(process.stderr.strip(), "", arguments)
            self.assertEqual(process.stdout, "", arguments)


if __name__ == "__main__":
    unittest.main()
