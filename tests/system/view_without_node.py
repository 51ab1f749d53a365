"""The program can be built where there is no Node.js: its page then says how to build the real one."""
import pathlib
import subprocess
import unittest

from program import SOURCE, scratch_folder


class WithoutNode(unittest.TestCase):
    def test_the_page_says_what_is_missing(self):
        with scratch_folder() as folder:
            page = pathlib.Path(folder, "page")
            process = subprocess.run(["cmake", "-D", "npm=", "-D", f"viewer={SOURCE}/viewer", "-D", f"page={page}", "-P",
                                      str(SOURCE / "cmake/build_page.cmake")], capture_output=True, text=True, check=False)
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertIn("without its live page", process.stderr)
            text = (page / "index.html").read_text()
            self.assertIn("npm was not found", text)
            self.assertIn("install_dependencies.sh", text)
            self.assertEqual((page / "built.txt").read_text(), "0")
            for name in ("app.js", "style.css"):
                self.assertTrue((page / name).exists())


if __name__ == "__main__":
    unittest.main()
