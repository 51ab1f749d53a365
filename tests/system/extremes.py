"""Far corners of the parameters: a run ends well, or is refused or stopped with the reason. Never NaN."""
import pathlib
import unittest

from program import SCENARIOS, overrides, run_distal, scratch_folder
from results import not_finite, read_summary, read_table

PRESS = SCENARIOS / "press.toml"


class Extremes(unittest.TestCase):
    def check(self, radius_m=0.010, cell_m=0.002, modulus_pa=3922.66, **more):
        """20 ms of a press that starts just above the table; the finger scales with its radius."""
        with self.subTest(radius_m=radius_m, cell_m=cell_m, modulus_pa=modulus_pa, **more), scratch_folder() as folder:
            out = pathlib.Path(folder, "out")
            settings = dict(body__finger__tip_radius_m=radius_m, body__finger__rod_radius_m=radius_m / 2,
                            body__finger__tip_length_m=radius_m, body__finger__rod_length_m=3 * radius_m,
                            body__finger__position_m=f"[0.0, 0.0, {1.01 * radius_m}]",
                            body__finger__velocity_m_s="[0.0, 0.0, -0.1]", controller__press__speed_m_s=0.1,
                            body__finger__cell_size_m=cell_m, material__rubber__youngs_modulus_pa=modulus_pa,
                            run__duration_s=0.02, run__threads=1, record__frames_per_s=0)
            process = run_distal("run", PRESS, "--out", out, *overrides(**{**settings, **more}), timeout_s=3000)
            self.assertIn(process.returncode, (0, 1, 2), process.stderr)
            self.assertNotIn("nan", process.stderr.lower())
            if process.returncode != 0:
                self.assertIn("error:", process.stderr)
            if process.returncode == 2:
                self.assertRegex(process.stderr, "cell_size_m|memory")
            else:
                summary = read_summary(out)
                self.assertEqual(summary["status"], "done" if process.returncode == 0 else "failed")
                for table in out.rglob("*.csv"):
                    self.assertEqual(not_finite(read_table(table)), [], table)
            return process.returncode

    def test_young_s_modulus(self):
        for modulus in (1e3, 1e5, 1e7):
            self.assertEqual(self.check(modulus_pa=modulus), 0)

    def test_cell_size(self):
        for cell in (0.004, 0.001):
            self.assertEqual(self.check(cell_m=cell, run__duration_s=0.01), 0)

    def test_tip_radius(self):
        self.assertEqual(self.check(radius_m=0.002, cell_m=0.0005), 0)
        self.assertEqual(self.check(radius_m=0.050, cell_m=0.004, run__duration_s=0.01), 0)
        self.assertEqual(self.check(radius_m=0.002, cell_m=0.004), 2)

    def test_corners(self):
        for modulus in (1e3, 1e7):
            for radius, cell in ((0.002, 0.001), (0.050, 0.004)):
                self.check(radius_m=radius, cell_m=cell, modulus_pa=modulus, run__duration_s=0.005)

    def test_nearly_incompressible_and_cork(self):
        for poisson in (0.0, 0.499):
            self.check(material__rubber__poissons_ratio=poisson)


if __name__ == "__main__":
    unittest.main()
