"""Results are safe: folders that cannot or must not be written, a full disk, an interrupt, a kill."""
import json
import os
import pathlib
import resource
import signal
import subprocess
import time
import unittest

from program import COARSE, QUICK, SCENARIOS, overrides, run_distal, scratch_folder, start_distal
from results import not_finite, read_summary, read_table

PRESS = SCENARIOS / "press.toml"
# Long enough to be interrupted, with frames so that every kind of file is being written.
LONG = [*COARSE, *overrides(run__duration_s=60, record__frames_per_s=100)]
# Long enough to outgrow a small disk.
FILLING = [*COARSE, *overrides(run__duration_s=2, record__frames_per_s=0)]


def rows_of(path):
    """Lines of a table that may not exist yet."""
    return len(path.read_text().splitlines()) if path.exists() else 0


def wait_for_rows(process, path, count):
    deadline = time.monotonic() + 60
    while rows_of(path) < count:
        if process.poll() is not None or time.monotonic() > deadline:
            raise AssertionError("the run did not get going: " + process.communicate()[1])
        time.sleep(0.02)


class OutputFolder(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.out = self.folder / "out"

    def check_tables(self, at_least):
        """Every table reads whole, up to its last row."""
        series = read_table(self.out / "series/finger.csv")
        self.assertGreaterEqual(len(series), at_least)
        for table in (series, read_table(self.out / "energy.csv"), read_table(self.out / "timing.csv")):
            self.assertGreaterEqual(len(table), len(series) - 1)
            self.assertEqual(not_finite(table), [])
            self.assertTrue(all(None not in row.values() and None not in row for row in table))
        return series

    def test_results_are_not_replaced_without_force(self):
        self.assertEqual(run_distal("run", PRESS, *QUICK, "--out", self.out).returncode, 0)
        (self.out / "mine.txt").write_text("keep")
        before = (self.out / "summary.json").read_bytes()
        process = run_distal("run", PRESS, *QUICK, "--out", self.out)
        self.assertEqual(process.returncode, 2)
        self.assertIn("--force", process.stderr)
        self.assertEqual((self.out / "summary.json").read_bytes(), before)
        process = run_distal("run", PRESS, *QUICK, "--out", self.out, "--force")
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual((self.out / "mine.txt").read_text(), "keep")

    def test_a_refused_scene_leaves_old_results_alone(self):
        self.assertEqual(run_distal("run", PRESS, *QUICK, "--out", self.out).returncode, 0)
        before = (self.out / "summary.json").read_bytes()
        process = run_distal("run", PRESS, *QUICK, "--out", self.out, "--force", "--set", "integrator.time_step_s=0.001")
        self.assertEqual(process.returncode, 2)
        self.assertEqual((self.out / "summary.json").read_bytes(), before)

    def test_a_folder_that_cannot_be_written(self):
        (self.folder / "file").write_text("")
        for out in (self.folder / "file", self.folder / "file/out", pathlib.Path("/proc/distal/out")):
            with self.subTest(out):
                process = run_distal("run", PRESS, *QUICK, "--out", out)
                self.assertEqual(process.returncode, 2, process.stderr)
                self.assertIn(str(out), process.stderr)

    def test_a_folder_without_permission(self):
        locked = self.folder / "locked"
        locked.mkdir(mode=0o500)
        if os.access(locked, os.W_OK):
            self.skipTest("this user may write anywhere")
        process = run_distal("run", PRESS, *QUICK, "--out", locked)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertIn(str(locked), process.stderr)

    def check_full_disk(self, process):
        self.assertEqual(process.returncode, 1, process.stderr)
        self.assertIn(str(self.out), process.stderr)
        self.assertNotIn("terminate", process.stderr)
        self.check_tables(at_least=10)

    def test_files_that_may_not_grow(self):
        """A limit on the size of files, which any user can set, in place of a full disk."""
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        process = run_distal("run", PRESS, *FILLING, "--out", self.out, preexec_fn=limit)
        self.check_full_disk(process)

    def test_full_disk(self):
        self.out.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300k", "distal_test", self.out], capture_output=True,
                                 check=False)
        if mounted.returncode != 0:
            self.skipTest("only root can mount a small disk")
        try:
            process = run_distal("run", PRESS, *FILLING, "--out", self.out)
            self.check_full_disk(process)
        finally:
            subprocess.run(["umount", self.out], check=True)

    def interrupt(self, sign):
        process = start_distal("run", PRESS, *LONG, "--out", self.out)
        wait_for_rows(process, self.out / "series/finger.csv", 30)
        process.send_signal(sign)
        _, messages = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, messages)
        self.assertIn("interrupted", messages)
        series = self.check_tables(at_least=29)
        summary = read_summary(self.out)
        self.assertEqual(summary["status"], "interrupted")
        self.assertAlmostEqual(summary["simulated_s"], series[-1]["time_s"], places=9)
        self.assertIn("<html", (self.out / "report.html").read_text().lower())

    def test_interrupt_ends_cleanly(self):
        self.interrupt(signal.SIGINT)

    def test_terminate_ends_cleanly(self):
        self.interrupt(signal.SIGTERM)

    def test_readers_of_its_messages_who_leave_do_not_end_a_run(self):
        with start_distal("run", PRESS, *QUICK, "--out", self.out) as process:
            process.stdout.close()
            process.stderr.close()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(read_summary(self.out)["status"], "done")
        self.assertEqual(len(self.check_tables(at_least=30)), 30)

    def test_kill_leaves_readable_results(self):
        process = start_distal("run", PRESS, *LONG, "--out", self.out)
        wait_for_rows(process, self.out / "series/finger.csv", 30)
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.check_tables(at_least=29)
        self.assertFalse((self.out / "summary.json").exists())
        json.loads((self.out / "recording/header.json").read_text())
        # What is there can be told from a finished run, and replaced.
        self.assertEqual(run_distal("run", PRESS, *QUICK, "--out", self.out).returncode, 2)
        self.assertEqual(run_distal("run", PRESS, *QUICK, "--out", self.out, "--force").returncode, 0)


if __name__ == "__main__":
    unittest.main()
