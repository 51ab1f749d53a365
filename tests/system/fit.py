"""distal fit: true values are inside the stated intervals, and files as laboratories write them are understood."""
import json
import math
import pathlib
import random
import re
import unittest

from program import SCENARIOS, overrides, run_distal, scratch_folder
from results import read_table

TRUE_E, TRUE_NU = 5200.0, 0.42
MODULUS, RATIO = "material.rubber.youngs_modulus_pa", "material.rubber.poissons_ratio"
DEPTHS_M = [0.000375 * i for i in range(1, 9)]


def press_curve(youngs_modulus_pa, poissons_ratio):
    """press_curve.toml with coarse cells, which settles fast."""
    text = (SCENARIOS / "press_curve.toml").read_text(encoding="utf-8")
    for key, value in (("cell_size_m", "0.0025"), ("youngs_modulus_pa", youngs_modulus_pa),
                       ("poissons_ratio", poissons_ratio), ("depths_m", "[0.001, 0.003]"), ("frames_per_s", "0")):
        text, count = re.subn(rf"(?m)^{key} = [^#\n]*", f"{key} = {value}", text)
        assert count == 1, key
    return text


class Fit(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.scene = self.folder / "scene.toml"
        self.scene.write_text(press_curve(4000.0, TRUE_NU), encoding="utf-8")
        self.data = self.folder / "data.csv"

    def measure(self, noise=0.01, seed=1):
        """A press with the true values, with noise of this share of the largest force, as a machine would write it."""
        truth = self.folder / "truth.toml"
        truth.write_text(press_curve(TRUE_E, TRUE_NU), encoding="utf-8")
        process = run_distal("run", truth, "--quiet", "--force", "--out", self.folder / "truth",
                             *overrides(motion__depths_m=DEPTHS_M, run__threads=1))
        self.assertEqual(process.returncode, 0, process.stderr)
        rows = read_table(self.folder / "truth/curve.csv")
        largest = max(row["force_n"] for row in rows)
        chance = random.Random(seed)
        lines = ["Machine;press no 3;", "Speed (mm/min);12;", ";;", "Extension (mm);Load (mN);Remark"]
        for row in rows:
            force = row["force_n"] + chance.gauss(0.0, noise * largest)
            lines.append(f"{1e3 * row['depth_m']:.6f};{1e3 * force:.6f};ok".replace(".", ","))
        self.data.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def fit(self, *arguments, code=0, data=None, scene=None):
        process = run_distal("fit", scene or self.scene, data or self.data, *arguments, "--force", "--out",
                             self.folder / "fit", timeout_s=800)
        self.assertEqual(process.returncode, code, process.stderr)
        if code == 0:
            self.result = json.loads((self.folder / "fit/fit.json").read_text(encoding="utf-8"))
        return process

    def interval(self, place=0):
        return self.result["parameters"][place]["interval_95"]

    def test_a_press_curve_gives_its_modulus_back(self):
        self.measure()
        process = self.fit("--fit", MODULUS, "--surface", "5")
        low, high = self.interval()
        self.assertLess(low, TRUE_E)
        self.assertGreater(high, TRUE_E)
        self.assertLess(high / low, 1.04, "an interval that says something")
        self.assertGreater(self.result["weighted_rmse"], 0.003)
        self.assertLess(self.result["weighted_rmse"], 0.02)
        self.assertEqual(self.result["notes"], [])
        self.assertIn(MODULUS, process.stdout)

        text, before = (self.folder / "fit/fitted.toml").read_text().splitlines(), self.scene.read_text().splitlines()
        changed = [line for line, old in zip(text, before) if line != old]
        self.assertEqual(len(text), len(before))
        self.assertEqual(len(changed), 1)
        value = float(re.match(r"youngs_modulus_pa = ([\d.]+)", changed[0]).group(1))
        self.assertAlmostEqual(value, self.result["parameters"][0]["value"], delta=1e-5 * value)
        run_distal("check", self.folder / "fit/fitted.toml")
        page = (self.folder / "fit/fit.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), 3, "curve, residuals, error")
        rows = read_table(self.folder / "fit/fit.csv")
        self.assertEqual(len(rows), len(DEPTHS_M))
        rmse = math.sqrt(sum(row["residual"] ** 2 for row in rows) / len(rows))
        self.assertAlmostEqual(rmse, self.result["quantities"]["force_n"]["rmse"], delta=1e-12)

    def test_a_wrong_model_does_not_give_it_back(self):
        self.measure()
        self.scene.write_text(press_curve(4000.0, 0.2), encoding="utf-8")
        self.fit("--fit", MODULUS, "--surface", "0")
        low, high = self.interval()
        self.assertFalse(low <= TRUE_E <= high, (low, high))
        lines = [f"{0.3 * i};{10.0 * i}" for i in range(1, 11)]  # a linear spring
        self.data.write_text("\n".join(["depth (mm);force (mN)", *lines]) + "\n", encoding="utf-8")
        self.assertIn("the residuals of force_n are not random", self.fit("--fit", MODULUS, "--surface", "0").stderr)

    def test_two_parameters_with_their_error_surface(self):
        self.measure()
        self.fit("--fit", f"{MODULUS}=2e3:2e4", "--fit", f"{RATIO}=0.3:0.48", "--surface", "3")
        for place, truth in ((0, TRUE_E), (1, TRUE_NU)):
            low, high = self.interval(place)
            self.assertLess(low, truth)
            self.assertGreater(high, truth)
        surface = self.result["surfaces"][0]
        self.assertEqual((surface["first"], surface["second"]), (MODULUS, RATIO))
        self.assertEqual(len(surface["rmse"]), 9)
        self.assertGreaterEqual(min(surface["rmse"]), 0.999 * self.result["weighted_rmse"])
        self.assertLess(abs(self.result["correlation"][0][1]), 1.0)

    def measure_block(self, *settings):
        """A coarse block under two weights, with noise of 1 %; the rows of its points, and the arguments of the runs."""
        scene = SCENARIOS / "indent_cuboid.toml"
        coarse = overrides(body__block__edge_m=0.01, run__threads=1, record__frames_per_s=0,
                           motion__settle_window_s=0.02, motion__forces_n=[2.0, 4.0])
        process = run_distal("run", scene, "--quiet", "--force", "--out", self.folder / "truth", *coarse, *settings)
        self.assertEqual(process.returncode, 0, process.stderr)
        rows = read_table(self.folder / "truth/points.csv")
        chance = random.Random(3)
        noise = 0.01 * max(abs(row["uz_m"]) for row in rows)
        lines = ["Camera;left;;;", "Marker;Load (N);Depth (mm);ux_mm;uz (um)"]
        depths = {row["state"]: row["depth_m"] * (1.0 + 0.01 * chance.gauss(0.0, 1.0)) for row in rows}
        for row in rows:
            moved = [row[axis] + (chance.gauss(0.0, noise) if row["point"] % 4 else 0.0) for axis in ("ux_m", "uz_m")]
            lines.append(f"{row['point']:.0f};{row['force_n']};{1e3 * depths[row['state']]};{1e3 * moved[0]};{1e6 * moved[1]}")
        self.data.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return scene, coarse

    def assert_inside(self, *truths, widest):
        for place, truth in enumerate(truths):
            low, high = self.interval(place)
            self.assertLess(low, truth)
            self.assertGreater(high, truth)
            self.assertLess(high / low, widest, "an interval that says something")

    def test_points_and_depths_of_a_block_give_its_material_back(self):
        material = "material.ecoflex_00_20"
        truth = overrides(**{"material__ecoflex_00_20__youngs_modulus_pa": 40000.0,
                             "material__ecoflex_00_20__poissons_ratio": 0.45})
        scene, coarse = self.measure_block(*truth)
        process = self.fit("--fit", f"{material}.youngs_modulus_pa=2e4:1e5", "--fit",
                           f"{material}.poissons_ratio=0.3:0.495", *coarse, "--surface", "0", scene=scene)
        self.assert_inside(40000.0, 0.45, widest=1.1)
        self.assertEqual(self.result["quantities"]["depth_m"]["points"], 2, "one depth a state, not one a point")
        self.assertEqual(self.result["quantities"]["uz_m"]["points"], 16)
        self.assertEqual(self.result["degrees_of_freedom"], 2 + 2 * 6 * 2 - 2, "held points tell nothing")
        points = self.result["measured_points"]
        rows = [row for row in read_table(self.folder / "fit/fit.csv") if row["quantity"] != "depth_m"]
        error = math.sqrt(sum(row["residual"] ** 2 for row in rows) / sum(row["measured"] ** 2 for row in rows))
        self.assertEqual(points["points"], 16)
        self.assertAlmostEqual(points["over_displacement"], error, delta=1e-9)
        self.assertLess(error, 0.05)
        self.assertIn("% of their RMS displacement", process.stdout)
        page = (self.folder / "fit/fit.html").read_text(encoding="utf-8")
        self.assertIn("uz_m of points: fitted over measured", page)
        self.assertEqual(self.fit("--fit", f"{material}.youngs_modulus_pa", "--sensor", "outlin", *coarse, scene=scene,
                                  code=2).stderr.count('did you mean "outline"?'), 1)

    def test_the_volume_stiffness_of_paper_2(self):
        scene, coarse = self.measure_block(*overrides(body__block__model="paper2", body__block__compression_limit=1.0,
                                                      body__block__stretch_limit="inf",
                                                      body__block__volume_stiffness_n_m3=4e6))
        limits = overrides(body__block__model="paper2", body__block__compression_limit=1.0,
                           body__block__stretch_limit="inf")
        self.fit("--fit", "body.block.volume_stiffness_n_m3=1e6:2e7", *coarse, *limits, "--surface", "0", scene=scene)
        self.assert_inside(4e6, widest=1.5)
        self.assertEqual(self.result["notes"], [])

    def test_paper_2s_parameters_meet_the_finite_elements(self):
        """The values that docs/guide/fit.md tells, at the load they were fitted to; fit_long.py fits them."""
        out = self.folder / "fitted"
        process = run_distal("run", SCENARIOS / "indent_cuboid.toml", "--quiet", "--force", "--out", out, *overrides(
            body__block__model="paper2", body__block__edge_m=0.005, body__block__edge_stiffness="shear_modulus",
            body__block__volume="vertex", body__block__limit_stiffness_ratio=10.0, body__block__stretch_limit=0.403193,
            body__block__compression_limit=0.45587, body__block__volume_stiffness_n_m3=4.48884e7,
            motion__forces_n=[9.73152], record__frames_per_s=0, run__threads=1), timeout_s=300)
        self.assertEqual(process.returncode, 0, process.stderr)
        state = json.loads((out / "summary.json").read_text(encoding="utf-8"))["sensors"]["outline"]["states"][0]
        self.assertLess(abs(state["depth_m"] / 0.0078695 - 1.0), 0.05)
        self.assertLess(state["rmse_over_displacement"], 0.15)

    def test_points_over_time(self):
        scene, coarse = self.measure_block()
        rows = read_table(self.folder / "truth/series/outline.csv")[4:12:2]
        lines = ["time (s),point,z (mm)"]
        for row in rows:
            lines += [f"{row['time_s']},{point},{1e3 * (row[f'uz_{point}_m'] + 0.01)}" for point in (3, 7)]
        self.data.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.fit("--fit", "material.ecoflex_00_20.youngs_modulus_pa=3e4:1e5", *coarse, "--surface", "0", scene=scene)
        self.assertAlmostEqual(self.result["parameters"][0]["value"], 57600.0, delta=60.0)
        self.assertEqual(self.result["points"], 2 * len(rows))

    def test_values_over_time(self):
        scene = self.folder / "slide.toml"
        text = (SCENARIOS / "push_box.toml").read_text(encoding="utf-8")
        scene.write_text(text, encoding="utf-8")
        coarse = overrides(body__finger__cell_size_m=0.0025, run__duration_s=0.2, run__threads=1)
        process = run_distal("run", scene, "--quiet", "--out", self.folder / "truth", *coarse,
                             *overrides(body__box__mass_kg=0.07, record__frames_per_s=0))
        self.assertEqual(process.returncode, 0, process.stderr)
        rows = read_table(self.folder / "truth/series/finger.csv")[9::10]
        lines = ["t [ms]\tforce [N]"]
        for row in rows:
            force = math.hypot(row["contact_fx_n"], row["contact_fy_n"], row["contact_fz_n"])
            lines.append(f"{1e3 * row['time_s']}\t{force}")
        self.data.write_text("\n".join(lines) + "\n", encoding="utf-8")
        self.fit("--fit", "body.box.mass_kg=0.03:0.2", *coarse, "--surface", "0", scene=scene)
        self.assertAlmostEqual(self.result["parameters"][0]["value"], 0.07, delta=0.0005)
        self.assertLess(self.result["weighted_rmse"], 1e-3)
        self.assertEqual(self.result["points"], len(rows))

    def test_bad_data_are_refused_with_what_to_do(self):
        def refused(text, words, *arguments):
            self.data.write_text(text, encoding="utf-8")
            keys = arguments or ("--fit", MODULUS)
            self.assertIn(words, self.fit(*keys, code=2).stderr)

        refused("depth (mm),force (N)\n1,0.1\n2,\n3,0.3\n", 'data.csv:3: column "force (N)" is empty')
        refused("depth (mm),force (N)\n1,0.1\n2,NaN\n3,0.3\n", 'data.csv:3: column "force (N)" holds "NaN"')
        refused("a (mm),b (N)\n1,0.1\n2,0.2\n", 'columns of ' + str(self.data) + ': "a (mm)", "b (N)"')
        refused("a (mm),b (N)\n1,0.1\n2,0.2\n", "no column \"c\"", "--fit", MODULUS, "--columns", "force=c")
        refused("depth (mm),force (N)\n1,0.1\n", "data.csv: 1 measured points for 1 parameters")
        refused("depth (m),force (N)\n1,0.1\n2,0.2\n3,0.3\n",
                'data.csv: column "depth (m)" reaches 3 m, allowed: up to 0.5 m; millimetres?')
        refused("Strain,Stress (Pa)\n0.1,9\n", 'did you mean "Strain"?', "--fit", MODULUS, "--columns", "strain=Strainn")
        self.assertFalse((self.folder / "fit").exists(), "what is refused leaves no folder")
        refused("depth (mm),force (N)\n-1,0.1\n-2,0.2\n", "no measured depth is above 0")
        refused("depth (mm),point,ux (mm)\n1,0,0.2\n", "no [sensor.NAME] with type = \"points\"")
        good = "depth (mm),force (N)\n1,0.1\n2,0.2\n3,0.3\n"
        refused(good, "did you mean \"" + MODULUS, "--fit", "material.rubber.youngs_modulus")
        refused(good, "is not below the upper bound", "--fit", MODULUS + "=2e4:1e3")
        refused(good, "is given twice", "--fit", MODULUS, "--fit", MODULUS)
        refused(good, "does --range leave any?", "--fit", MODULUS, "--range", "1:2")
        self.data.write_text(good, encoding="utf-8")
        self.assertIn("(this one has none)", self.fit("--fit", MODULUS, code=2, scene="press").stderr)
        self.assertIn("there is no such file", self.fit("--fit", MODULUS, code=2, data=self.folder / "none.csv").stderr)
        (self.folder / "fit").mkdir(exist_ok=True)
        (self.folder / "fit/fit.json").write_text("mine")
        process = run_distal("fit", self.scene, self.data, "--fit", MODULUS, "--out", self.folder / "fit")
        self.assertEqual(process.returncode, 2)
        self.assertIn("fit.json exists", process.stderr)

    def test_materials_have_sources(self):
        text = run_distal("list", "--materials").stdout
        self.assertRegex(text, r"(?m)^ecoflex_00_30\n +youngs_modulus_pa = 97260 +97.26 \+- 4.16 kPa.*CC BY 4.0")
        check = run_distal("check", "press", *overrides(material__rubber__preset="dragon_skin_20",
                                                        body__finger__cell_size_m=0.0025, run__threads=1))
        self.assertRegex(check.stdout, r"E \[Pa\] +679800: 679.8 kPa, compressed cuboid: paper 2, table I")


if __name__ == "__main__":
    unittest.main()
