"""What a run leaves: the files and columns that other tools rely on, the same bits for any number of threads."""
import json
import pathlib
import unittest
import xml.etree.ElementTree

from program import COARSE, QUICK, SCENARIOS, VERSION, overrides, run_distal, scratch_folder
from results import not_finite, read_summary, read_table

PRESS = SCENARIOS / "press.toml"
CURVE_COLUMNS = ("phase,depth_m,twist_rad,shift_m,force_n,contact_radius_m,contact_area_m2,torque_n_m,"
                 "tangential_force_n")
# Repeats bit for bit: wall-clock figures stand in timing.csv and summary.json alone.
REPEATING = ("series/finger.csv", "energy.csv", "recording/commands.csv")
WRENCH = ("fx_n", "fy_n", "fz_n", "tx_n_m", "ty_n_m", "tz_n_m")


class ResultFiles(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_scene(self, name, scene, *arguments):
        out = self.folder / name
        process = run_distal("run", scene, "--out", out, *arguments)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertEqual(process.stdout, "")
        return out, process

    def test_same_hash_for_any_number_of_threads_and_every_time(self):
        found = set()
        for name, settings in (("implicit", dict(integrator__kind="implicit_euler")),
                               ("double", dict(integrator__kind="semi_implicit_euler")),
                               ("float", dict(integrator__kind="semi_implicit_euler", run__precision="float"))):
            runs = [self.run_scene(f"{name}_{i}", PRESS, *QUICK, *overrides(run__threads=threads, **settings))[0]
                    for i, threads in enumerate((1, 1, 2, 4))]
            hashes = {read_summary(out)["final_state_hash"] for out in runs}
            self.assertEqual(len(hashes), 1, f"{name}: {hashes}")
            found |= hashes
            for file in REPEATING:
                self.assertEqual(len({(out / file).read_bytes() for out in runs}), 1, file)
        self.assertEqual(len(found), 3)

    def test_summary(self):
        out, process = self.run_scene("summary", PRESS, *QUICK)
        summary = read_summary(out)
        for key in ("scene", "seed", "particles", "springs", "cells", "time_step_s", "steps", "simulated_s", "wall_s",
                    "real_time_factor", "energy_residual", "instruction_set"):
            self.assertIn(key, summary)
        self.assertEqual((summary["status"], summary["version"]), ("done", VERSION))
        self.assertAlmostEqual(summary["simulated_s"], 0.03, places=9)
        self.assertAlmostEqual(summary["real_time_factor"], summary["simulated_s"] / summary["wall_s"],
                               delta=0.01 * summary["real_time_factor"])
        self.assertLess(summary["bodies"]["finger"]["closure_residual"], 1e-9)
        for moment in ("peak", "final"):
            for wrench in ("contact", "tip", "sensor"):
                self.assertEqual(len(summary["bodies"]["finger"][moment][wrench]["force_n"]), 3)
        self.assertIn(summary["final_state_hash"], process.stderr)
        self.assertIn("report.html", process.stderr)

    def test_series(self):
        out, _ = self.run_scene("series", PRESS, *QUICK)
        rows = read_table(out / "series/finger.csv")
        self.assertEqual(len(rows), 30)
        self.assertEqual(not_finite(rows), [])
        columns = set(rows[0])
        for name in ("contact", "tip", "sensor"):
            self.assertLessEqual({f"{name}_{part}" for part in WRENCH}, columns)
        self.assertLessEqual({"time_s", "px_m", "q_w", "vx_m_s", "wx_rad_s", "command_mode", "command_1", "depth_m",
                              "contact_area_m2", "contact_count"}, columns)
        # 0.1 mm above the table at 20 mm/s: touched after 5 ms, and pushed up (against E's z axis) after that.
        touching = [row["time_s"] for row in rows if row["contact_count"] > 0]
        self.assertAlmostEqual(touching[0], 0.005, delta=0.0025)
        self.assertLess(rows[-1]["contact_fz_n"], 0.0)
        self.assertAlmostEqual(rows[-1]["depth_m"], 0.02 * 0.025, delta=2e-5)
        energy = read_table(out / "energy.csv")
        self.assertEqual((len(energy), not_finite(energy)), (30, []))

    def test_curve(self):
        motion = overrides(motion__depths_m="[0.0005, 0.001]", motion__settle_tolerance=0.01)
        out, _ = self.run_scene("curve", SCENARIOS / "press_curve.toml", *COARSE, *motion,
                                *overrides(motion__twist_rad="[0.05]", motion__shift_m="[0.0005]", record__frames_per_s=0))
        self.assertEqual((out / "curve.csv").read_text().splitlines()[0], CURVE_COLUMNS)
        rows = read_table(out / "curve.csv")
        self.assertEqual([(row["phase"], row["depth_m"], row["twist_rad"], row["shift_m"]) for row in rows],
                         [("press", 0.0005, 0, 0), ("press", 0.001, 0, 0), ("twist", 0.001, 0.05, 0),
                          ("shift", 0.001, 0, 0.0005)])
        self.assertEqual(not_finite(rows), [])
        first, second, twist, shift = rows
        self.assertGreater(second["force_n"], 1.5 * first["force_n"])
        self.assertGreater(first["force_n"], 0.0)
        self.assertGreater(second["contact_radius_m"], first["contact_radius_m"])
        self.assertGreater(twist["torque_n_m"], 0.0)
        self.assertGreater(shift["tangential_force_n"], 0.0)

    def test_overrides_reach_the_run(self):
        out, _ = self.run_scene("set", PRESS, *QUICK, *overrides(run__seed=7, run__precision="float",
                                                                       integrator__kind="semi_implicit_euler"))
        summary = read_summary(out)
        self.assertEqual((summary["seed"], summary["precision"]), (7, "float"))
        self.assertIn("cell_size_m = 0.0025", (out / "scene.toml").read_text())
        again, _ = self.run_scene("again", out / "scene.toml")
        self.assertEqual(read_summary(again)["final_state_hash"], summary["final_state_hash"])

    def test_frames_are_whole_files(self):
        out, _ = self.run_scene("frames", PRESS, *QUICK, *overrides(record__frames_per_s=100))
        listed = xml.etree.ElementTree.parse(out / "run.pvd").getroot().iter("DataSet")
        files = [out / entry.get("file") for entry in listed]
        self.assertGreaterEqual(len({file.name.split("_")[0] for file in files}), 2)
        self.assertGreaterEqual(len(files), 6)
        for file in files:
            text = file.read_bytes()
            self.assertTrue(text.rstrip().endswith(b"</VTKFile>"), file)

    def test_no_results_hold_nan(self):
        out, _ = self.run_scene("finite", PRESS, *QUICK)
        for path in out.rglob("*.csv"):
            self.assertEqual(not_finite(read_table(path)), [], path)
        for path in out.rglob("*.json"):
            json.loads(path.read_text(), parse_constant=lambda word: self.fail(word))

    def test_default_folder_and_shipped_name(self):
        process = run_distal("run", "press", *QUICK, "--quiet", cwd=self.folder)
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        self.assertTrue((self.folder / "out/press/report.html").is_file())


if __name__ == "__main__":
    unittest.main()
