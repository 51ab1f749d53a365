"""The live page in a real browser: viewer/test/browser/*.test.js, and the page's unit tests."""
import os
import shutil
import subprocess
import unittest

from program import SOURCE

VIEWER = SOURCE / "viewer"


class ViewPage(unittest.TestCase):
    def run_tests(self, *files):
        environment = {**os.environ, "NO_COLOR": "1"}
        process = subprocess.run([shutil.which("node"), "--test", *files], cwd=VIEWER, env=environment, capture_output=True,
                                 text=True, timeout=800, check=False)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertRegex(process.stdout, r"# pass [1-9]")


def add(name, path):
    setattr(ViewPage, f"test_{name}", lambda self: self.run_tests(path))


for found in sorted(VIEWER.glob("test/*/*.test.js")):
    add(f"{found.parent.name}_{found.name.split('.')[0]}", found)

if __name__ == "__main__":
    unittest.main()
