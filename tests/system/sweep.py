"""distal sweep: every combination once, also when it is killed on the way; one table."""
import json
import os
import pathlib
import signal
import time
import unittest

from program import overrides, run_distal, scratch_folder, start_distal
from results import read_table

# A ball hits a small block: a run that takes a few hundredths of a second.
BALL = """
[scene]
title = "A ball hits a block"
[material.gel]
density_kg_m3 = 500.0
youngs_modulus_pa = 4000.0
poissons_ratio = 0.4
[body.block]
type = "block"
material = "gel"
size_m = [0.008, 0.008, 0.004]
cell_size_m = 0.004
[body.ball]
type = "rigid"
shape = "sphere"
radius_m = 0.01
mass_kg = 0.02
position_m = [0.0, 0.0, 0.0119]
velocity_m_s = [0.0, 0.0, -0.1]
[fix.bottom]
body = "block"
max_m = [inf, inf, -0.0019]
[run]
duration_s = 0.005
"""
MODULI = "material.gel.youngs_modulus_pa=2e3:2e4:20:log"
RATIOS = "material.gel.poissons_ratio=0.30:0.48:10"
FORCE = "bodies.ball.final.contact.force_n"


def ledger_lines(folder):
    """Whole lines of the ledger, the header left out."""
    try:
        text = (folder / "ledger.jsonl").read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in text[:text.rfind("\n") + 1].splitlines()][1:]


def runs_of(lines, event):
    return [line[event] for line in lines if event in line]


def children_of(process):
    return [int(word) for word in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]


def is_alive(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Sweep(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.scene = self.folder / "ball.toml"
        self.scene.write_text(BALL, encoding="utf-8")

    def sweep(self, *arguments, out="out", code=0):
        process = run_distal("sweep", self.scene, *arguments, "--out", self.folder / out)
        self.assertEqual(process.returncode, code, process.stderr)
        return process

    def test_a_killed_sweep_goes_on_and_ends_with_the_same_table(self):
        values = ["--set", MODULI, "--set", RATIOS]
        self.sweep(*values, out="whole")
        whole = (self.folder / "whole/table.csv").read_bytes()
        rows = read_table(self.folder / "whole/table.csv")
        self.assertEqual([row["run"] for row in rows], list(range(200)))
        self.assertEqual({row["status"] for row in rows}, {"done"})
        self.assertEqual(len({row[FORCE] for row in rows}), 200, "every run has values of its own")

        killed = self.folder / "killed"
        with start_distal("sweep", self.scene, *values, "--out", killed) as process:
            while len(runs_of(ledger_lines(killed), "finished")) < 100:
                self.assertIsNone(process.poll(), "ended too early")
                time.sleep(0.005)
            children = children_of(process)
            process.kill()
            process.wait()
        before = ledger_lines(killed)
        self.assertLess(len(runs_of(before, "finished")), 200)
        while any(map(is_alive, children)):  # the test's own time limit ends this
            time.sleep(0.01)
        with open(killed / "ledger.jsonl", "a", encoding="utf-8") as file:
            file.write('{"finished":199,"status":"do')  # as if torn
        self.assertIn("runs were finished before", self.sweep(*values, out="killed").stderr)

        after = ledger_lines(killed)
        started, finished = runs_of(after, "started"), runs_of(after, "finished")
        self.assertEqual(sorted(finished), list(range(200)))
        for run in runs_of(before, "finished"):
            self.assertEqual(started.count(run), 1, f"run {run} was finished and is repeated")
        self.assertEqual((killed / "table.csv").read_bytes(), whole)
        self.assertEqual((killed / "sweep.html").read_bytes(), (self.folder / "whole/sweep.html").read_bytes())
        self.assertEqual(sorted(os.listdir(killed)), ["ledger.jsonl", "sweep.html", "table.csv"])

        self.sweep(*values, out="killed")  # nothing left to do
        self.assertEqual(ledger_lines(killed), after)

    def test_a_run_of_the_table_is_that_run(self):
        self.sweep("--set", "material.gel.youngs_modulus_pa=3e3,6e3", "--keep-runs")
        run_distal("run", self.scene, *overrides(material__gel__youngs_modulus_pa=6e3), "--quiet", "--out",
                   self.folder / "single")
        summary = json.loads((self.folder / "single/summary.json").read_text())
        kept = json.loads((self.folder / "out/runs/run_000001/summary.json").read_text())
        self.assertEqual(kept["final_state_hash"], summary["final_state_hash"])
        row = read_table(self.folder / "out/table.csv")[1]
        force = summary["bodies"]["ball"]["final"]["contact"]["force_n"]
        self.assertAlmostEqual(row[FORCE], sum(part * part for part in force) ** 0.5, delta=1e-12)
        self.assertGreater(row[FORCE], 0.0)

    def test_ctrl_c_keeps_what_is_finished_and_says_how_to_go_on(self):
        values = ["--set", MODULI, "--set", RATIOS]
        with start_distal("sweep", self.scene, *values, "--out", self.folder / "out") as process:
            while len(runs_of(ledger_lines(self.folder / "out"), "finished")) < 5:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            _, messages = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, messages)
        self.assertRegex(messages, r"interrupted after \d+ of 200 runs.*the same command goes on")
        finished = len(runs_of(ledger_lines(self.folder / "out"), "finished"))
        self.assertEqual(len(read_table(self.folder / "out/table.csv")), finished)

    def test_other_values_or_another_scene_are_refused(self):
        values = ["--set", "run.seed=1,2"]
        self.sweep(*values)
        self.assertIn("with other values (2 runs there, 3 now)",
                      self.sweep("--set", "run.seed=1,2,3", code=2).stderr)
        self.scene.write_text(BALL.replace("density_kg_m3 = 500.0", "density_kg_m3 = 501.0"), encoding="utf-8")
        self.assertIn("of another scene", self.sweep(*values, code=2).stderr)
        self.sweep(*values, "--force")
        self.assertEqual(len(runs_of(ledger_lines(self.folder / "out"), "started")), 2)
        mine = self.folder / "mine"
        mine.mkdir()
        (mine / "table.csv").write_text("my own")
        self.assertIn("table.csv exists", self.sweep(*values, out="mine", code=2).stderr)
        self.assertEqual((mine / "table.csv").read_text(), "my own")

    def test_what_fails_is_a_row(self):
        process = self.sweep("--set", "material.gel.poissons_ratio=0.4,0.6", "--set",
                             "body.ball.velocity_m_s=[0,0,-0.1],[0,0,-50]", "--set",
                             "integrator.kind=semi_implicit_euler", code=1)
        rows = read_table(self.folder / "out/table.csv")
        self.assertEqual([row["status"] for row in rows], ["done", "failed", "refused", "refused"], rows)
        self.assertIn("allowed: [0, 0.499]", rows[2]["message"])
        self.assertIn("diverged", rows[1]["message"])
        self.assertEqual(rows[0]["message"], "")
        self.assertIn("1 failed, 2 refused", process.stderr)

    def test_what_the_disk_lost_is_repeated(self):
        out = self.folder / "out"
        out.mkdir()
        (out / "runs").write_text("in the way")
        values = ["--set", "material.gel.youngs_modulus_pa=3e3,6e3", "--keep-runs"]
        process = self.sweep(*values, code=1)
        self.assertIn("2 lost of 2 runs", process.stderr)
        self.assertIn("the same command repeats what is lost", process.stderr)
        self.assertEqual({row["status"] for row in read_table(out / "table.csv")}, {"lost"})
        (out / "runs").unlink()
        self.sweep(*values)
        self.assertEqual({row["status"] for row in read_table(out / "table.csv")}, {"done"})

    def test_a_list_is_named_by_file_and_line(self):
        path = self.folder / "list.csv"
        path.write_text("run.seed,body.bal.radius_m\n1,0.01\n")
        process = self.sweep("--list", path, code=2)
        self.assertIn(f"{path}:2 (keys in line 1): body.bal.radius_m=0.01", process.stderr)
        self.assertNotIn("--set", process.stderr)

    def test_a_slip_of_the_pen_is_refused_at_once(self):
        for arguments, words in ((["--set", "material.gel.youngs_modulus=1,2"], "did you mean youngs_modulus_pa"),
                                 (["--set", "run.seed=1:5:0"], "a whole number from 2"),
                                 (["--set", "run.duration_s=1:2"], "start:stop:count"),
                                 ([], "a sweep needs values"),
                                 (["--list", self.folder / "none.csv"], "there is no such file")):
            process = run_distal("sweep", self.scene, *arguments, "--out", self.folder / "out")
            self.assertEqual(process.returncode, 2, arguments)
            self.assertIn(words, process.stderr)
            self.assertFalse((self.folder / "out").exists())

    def test_measures_are_chosen_by_name(self):
        values = ["--set", "run.seed=1,2"]
        process = self.sweep(*values, "--measure", "bodies.ball.peak.depth", code=2)
        self.assertIn('did you mean "bodies.ball.peak.depth_m"?', process.stderr)
        self.assertIn("bodies.ball.final.contact.force_n", process.stderr)
        self.sweep(*values, "--measure", "bodies.ball.peak.depth_m", "--measure", "steps")
        table = read_table(self.folder / "out/table.csv")
        keys = [key for key in table[0] if not key.startswith("run.")]
        self.assertEqual(keys, ["run", "status", "bodies.ball.peak.depth_m", "steps", "message"])

    def test_a_list_and_a_page(self):
        (self.folder / "list.csv").write_text(
            "material.gel.youngs_modulus_pa,material.gel.poissons_ratio\n3000,0.3\n6000,0.45\n")
        self.sweep("--list", self.folder / "list.csv")
        rows = read_table(self.folder / "out/table.csv")
        self.assertEqual([row["material.gel.poissons_ratio"] for row in rows], [0.3, 0.45])
        self.sweep("--set", "material.gel.youngs_modulus_pa=2e3:8e3:3", out="line")
        self.sweep("--set", "material.gel.youngs_modulus_pa=2e3:8e3:3", "--set", RATIOS.replace(":10", ":2"), out="map")
        for name, shape in (("line", "<polyline"), ("map", "<title>")):
            page = (self.folder / name / "sweep.html").read_text(encoding="utf-8")
            self.assertEqual(page.count("<svg"), 9, name)
            self.assertIn(shape, page)
            self.assertNotIn("nan", page)


if __name__ == "__main__":
    unittest.main()
