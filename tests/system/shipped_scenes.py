"""Every shipped scene runs as shipped (on coarser cells, to be quick) and shows what its title says."""
import math
import pathlib
import unittest

from program import COARSE, SCENARIOS, overrides, run_distal, scratch_folder
from results import not_finite, read_summary, read_table

SOFT = overrides(body__block__edge_m=0.005, run__threads=1, record__frames_per_s=0)


class ShippedScenes(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.out = pathlib.Path(scratch.name, "out")

    def run_scene(self, name, *arguments):
        process = run_distal("run", SCENARIOS / f"{name}.toml", "--out", self.out, *arguments)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertNotIn("note:", process.stderr)
        summary = read_summary(self.out)
        self.assertEqual(summary["status"], "done")
        for table in self.out.rglob("*.csv"):
            self.assertEqual(not_finite(read_table(table)), [], table)
        return summary

    def test_press_and_press_tilted_account_for_their_energy(self):
        for name in ("press", "press_tilted"):
            summary = self.run_scene(name, *COARSE, "--force")
            self.assertLess(summary["energy_residual"], 0.005)
            self.assertLess(summary["bodies"]["finger"]["closure_residual"], 1e-9)

    def test_press_tilted_feels_beside_its_axis(self):
        self.run_scene("press_tilted", *COARSE)
        last = read_table(self.out / "taxels/skin.csv")[-1]
        pressure = {(row, column): last[f"p_{row}_{column}_pa"] for row in range(8) for column in range(8)}
        force_n = sum(pressure.values()) * 0.002 ** 2
        contact = read_table(self.out / "series/finger.csv")[-1]
        # Taxels feel the table's normal, which stands at 15 degrees to the finger's axis.
        tilt = math.radians(15.0)
        normal_n = -contact["contact_fx_n"] * math.sin(tilt) - contact["contact_fz_n"] * math.cos(tilt)
        self.assertAlmostEqual(force_n, normal_n, delta=1e-3 * normal_n)
        # A rigid ball would touch at R sin(tilt) = 2.6 mm from the axis; the flattened one does some way before.
        mean_m = 0.002 * (sum(column * p for (_, column), p in pressure.items()) / sum(pressure.values()) - 3.5)
        self.assertTrue(0.001 < mean_m < 0.0026, mean_m)
        self.assertIn("Taxel grid", (self.out / "report.html").read_text())

    def test_press_noisy_presses_in_spite_of_it(self):
        self.run_scene("press_noisy", *COARSE, *overrides(record__frames_per_s=0))
        rows = read_table(self.out / "series/finger.csv")
        # The threshold of 0.01 N is passed some 0.3 mm after first touch, and the depth counts from there.
        self.assertAlmostEqual(rows[-1]["depth_m"], 0.0033, delta=2e-4)
        self.assertLess(abs(rows[-1]["vz_m_s"]), 0.002)

    def test_press_paper_is_held_for_good(self):
        self.run_scene("press_paper", *COARSE)
        rows = read_table(self.out / "series/finger.csv")
        self.assertLess(rows[-1]["contact_fz_n"], -0.05)

    def test_press_curve_rises(self):
        self.run_scene("press_curve", *COARSE, *overrides(record__frames_per_s=0))
        rows = read_table(self.out / "curve.csv")
        self.assertEqual([row["depth_m"] for row in rows], [0.00025, 0.0005, 0.001, 0.0015, 0.002, 0.0025, 0.003])
        self.assertTrue(all(a["force_n"] < b["force_n"] for a, b in zip(rows, rows[1:])))

    def test_press_slip_slides_at_its_dynamic_friction(self):
        self.run_scene("press_slip", *COARSE, *overrides(record__frames_per_s=0))
        rows = [row for row in read_table(self.out / "curve.csv") if row["phase"] == "shift"]
        ratio = [row["tangential_force_n"] / row["force_n"] for row in rows]
        self.assertLess(ratio[0], 0.35)
        # The whole patch holds more than it slides with, and less than its static limit.
        self.assertGreater(max(ratio), 0.71)
        self.assertLess(max(ratio), 0.9)
        self.assertAlmostEqual(ratio[-1], 0.7, delta=0.014)
        self.assertAlmostEqual(ratio[-2], 0.7, delta=0.014)

    def test_twist_resists(self):
        self.run_scene("twist", *COARSE, *overrides(record__frames_per_s=0))
        press, small, large = read_table(self.out / "curve.csv")
        self.assertEqual((press["phase"], small["phase"], large["phase"]), ("press", "twist", "twist"))
        # Without slip the torque grows with the angle: 5 degrees against 2.
        self.assertAlmostEqual(large["torque_n_m"] / small["torque_n_m"], 2.5, delta=0.15)

    def test_push_box_slides_the_box(self):
        self.run_scene("push_box", *overrides(run__threads=1, record__frames_per_s=0))
        box, finger = (read_table(self.out / f"series/{name}.csv") for name in ("box", "finger"))
        # The finger travels 31 mm, of which 1 mm is the way to the box and some tenths go into its pad.
        self.assertAlmostEqual(box[-1]["px_m"], 0.0295, delta=0.001)
        self.assertLess(abs(box[-1]["py_m"]), 1e-4)
        self.assertAlmostEqual(box[-1]["pz_m"], 0.020, delta=1e-4)
        # Pushed along the world's x, which is the finger's z: the mean push is the friction, 0.25 of 50 g.
        push = [-row["contact_fz_n"] for row in finger if 0.3 < row["time_s"] < 0.9]
        self.assertAlmostEqual(sum(push) / len(push), 0.25 * 0.050 * 9.81, delta=0.01)

    def test_press_block_pushes_back(self):
        self.run_scene("press_block", *overrides(run__threads=1, record__frames_per_s=0))
        rows = read_table(self.out / "curve.csv")
        self.assertTrue(all(a["force_n"] < b["force_n"] for a, b in zip(rows, rows[1:])))

    def test_indent_cuboid_follows_the_finite_elements(self):
        summary = self.run_scene("indent_cuboid", *SOFT)
        rows = read_table(self.out / "curve.csv")
        self.assertEqual([row["phase"] for row in rows], ["load"] * 4)
        # Depths of the finite elements; edges of 5 mm instead of 2.5 see less of the dent.
        forces_n, depths_m = (5.42493, 5.93505, 9.73152, 14.3226), (5.392e-3, 5.709e-3, 7.877e-3, 10.252e-3)
        for row, force_n, depth_m in zip(rows, forces_n, depths_m):
            self.assertAlmostEqual(row["force_n"], force_n, delta=1e-3 * force_n)
            self.assertAlmostEqual(row["depth_m"], depth_m, delta=0.08 * depth_m)
        states = summary["sensors"]["outline"]["states"]
        for state in states:
            # 0.08 to 0.11 as shipped; a block that does not deform has 1.
            self.assertLess(state["rmse_over_displacement"], 0.35)
            self.assertAlmostEqual(state["rmse_over_length"], state["rmse_m"] / 0.050, delta=1e-9)
        # Nearly incompressible: nu = 0.49.
        self.assertLess(summary["bodies"]["block"]["largest_volume_error"], 0.02)
        points = read_table(self.out / "points.csv")
        self.assertEqual(len(points), 4 * 8)
        # The points at -x mirror those at +x.
        for right, left in zip(points[-8:-4], points[-4:]):
            self.assertAlmostEqual(right["ux_m"], -left["ux_m"], delta=1e-4)
        series = read_table(self.out / "series/outline.csv")
        self.assertAlmostEqual(series[-1]["ux_1_m"], points[-7]["ux_m"], delta=1e-6)
        contour = read_table(self.out / "contour.csv")
        self.assertEqual({row["state"] for row in contour}, {0, 1, 2, 3, 4})
        dent = [row for row in contour if row["state"] == 4 and abs(row["x_m"]) < 0.001 and row["z_m"] > -0.009]
        lowest = min(row["z_m"] for row in dent)
        # Facets touch a round finger with their middles; their corners hang below it by up to their sagitta, 2.5 mm here.
        below_m = 0.010 - rows[-1]["depth_m"] - lowest
        self.assertTrue(-0.0005 < below_m < 0.003, below_m)
        self.assertIn("Cut middle of block", (self.out / "report.html").read_text())

    def test_compress_plate_finds_the_apparent_modulus(self):
        summary = self.run_scene("compress_plate", *SOFT)
        test = summary["sensors"]["test"]
        self.assertAlmostEqual(test["area_m2"], 0.0025, delta=1e-9)
        self.assertAlmostEqual(test["height_m"], 0.020, delta=1e-9)
        # Finite elements: 0.3893 mm at 553 g and 0.9905 mm at 1460 g, so 111 to 116 kPa. Edges of 5 mm are a tenth
        # stiffer, those of 2.5 mm as shipped 2 %.
        self.assertAlmostEqual(test["youngs_modulus_pa"], 114600.0, delta=0.12 * 114600.0)
        for state in test["states"]:
            self.assertAlmostEqual(state["stress_pa"], state["force_n"] / 0.0025, delta=1e-6 * state["stress_pa"])

    def test_smaller_and_stiffer_indentations_rise(self):
        for name in ("indent_cuboid_small_finger", "indent_dragon_skin"):
            self.run_scene(name, *SOFT, "--force")
            rows = read_table(self.out / "curve.csv")
            self.assertTrue(all(0.0 < a["depth_m"] < b["depth_m"] for a, b in zip(rows, rows[1:])), name)

    def test_indent_cylinder_takes_fingers_and_plate(self):
        small = overrides(body__finger__radius_m=0.005, body__finger__position_m="[0,0,0.03165]",
                          motion__forces_n="[5.886,11.644]")
        plate = overrides(body__finger__shape="box", body__finger__size_m="[0.1,0.1,0.004]",
                          body__finger__position_m="[0,0,0.02865]", contact__static_friction="inf",
                          sensor__test__type="compression", sensor__test__body="cylinder")
        quick = overrides(body__cylinder__edge_m=0.01, run__threads=1, record__frames_per_s=0)
        for change in ([], small, plate):
            summary = self.run_scene("indent_cylinder", *quick, *change, "--force")
            rows = read_table(self.out / "curve.csv")
            self.assertTrue(all(0.0 < a["depth_m"] < b["depth_m"] for a, b in zip(rows, rows[1:])), change)
        # Held at both ends it seems stiffer than its material, but less so than the flatter block of compress_plate.
        self.assertTrue(76600.0 < summary["sensors"]["test"]["youngs_modulus_pa"] < 2.0 * 76600.0)

    def test_pinch_leaves_the_block_in_the_middle(self):
        self.run_scene("pinch", *SOFT)
        rows = read_table(self.out / "curve.csv")
        self.assertTrue(all(a["force_n"] < b["force_n"] for a, b in zip(rows, rows[1:])))
        contour = [row for row in read_table(self.out / "contour.csv") if row["state"] == 3]
        # The fingers' surfaces stand at -25 mm and at 25 mm less the depth.
        middle_m = 0.5 * (min(row["x_m"] for row in contour) + max(row["x_m"] for row in contour))
        self.assertAlmostEqual(middle_m, -0.006, delta=0.0005)

    def test_hang_sags_where_it_is_not_held(self):
        self.run_scene("hang", *SOFT)
        between, opposite, _ = (row["uz_m"] for row in read_table(self.out / "points.csv"))
        # It swings down about the line between its two corners, by most of its 50 mm.
        self.assertLess(abs(between), 0.003)
        self.assertAlmostEqual(opposite, -0.040, delta=0.008)

    def test_press_fixed_top_dents_the_middle(self):
        self.run_scene("press_fixed_top", *SOFT)
        middle, aside, edge = (row["uz_m"] for row in read_table(self.out / "points.csv"))
        self.assertGreater(middle, 5.0 * abs(aside))
        self.assertGreater(middle, 5.0 * abs(edge))


if __name__ == "__main__":
    unittest.main()
