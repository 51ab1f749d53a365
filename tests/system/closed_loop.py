"""Paper 1, section III: the controller holds approach speed and orientation before, during and after contact, on the
real lattice."""
import math
import unittest

from program import SCENARIOS, overrides, run_distal, scratch_folder
from results import read_table

SPEED_M_S = 0.02
DEPTH_M = 0.003
STOP_M = SPEED_M_S * 0.025  # the reference slows down over this last part of the way
AROUND_CONTACT_S = 0.050


def tilt_degrees(row, first):
    """Angle between the rod's axes now and at first."""
    dot = sum(row[name] * first[name] for name in ("q_x", "q_y", "q_z", "q_w"))
    return math.degrees(2.0 * math.acos(min(1.0, abs(dot))))


class ClosedLoop(unittest.TestCase):
    def check_scene(self, name):
        with scratch_folder() as folder:
            process = run_distal("run", SCENARIOS / f"{name}.toml", "--out", folder + "/out", *overrides(
                record__frames_per_s=0, run__duration_s=0.4, run__threads=1))
            self.assertEqual(process.returncode, 0, process.stderr)
            rows = read_table(folder + "/out/series/finger.csv")
        contact_s = next(row["time_s"] for row in rows if row["contact_count"] > 0)
        touch_m = next(row["pz_m"] for row in rows if row["contact_count"] > 0)
        away = [row for row in rows if abs(row["time_s"] - contact_s) > AROUND_CONTACT_S]
        moving = [row for row in away if touch_m - row["pz_m"] < DEPTH_M - 1.2 * STOP_M]
        self.assertTrue(any(row["time_s"] > contact_s for row in moving))
        self.assertTrue(any(row["time_s"] < contact_s for row in moving))
        errors = [abs(-row["vz_m_s"] / SPEED_M_S - 1.0) for row in moving]
        self.assertLess(max(errors), 0.02, "approach speed")
        self.assertLess(max(tilt_degrees(row, rows[0]) for row in away), 0.1, "tilt [degrees]")
        last = rows[-1]
        self.assertAlmostEqual(touch_m - last["pz_m"], DEPTH_M, delta=5e-5)
        self.assertLess(abs(last["vz_m_s"]), 0.01 * SPEED_M_S)
        return rows

    def test_press(self):
        self.check_scene("press")

    def test_press_tilted_feels_a_torque(self):
        last = self.check_scene("press_tilted")[-1]
        # The table pushes up near the lowest point of the tip, beside the axis: R sin(15 degrees) at least half of it.
        force = math.hypot(last["contact_fx_n"], last["contact_fy_n"], last["contact_fz_n"])
        self.assertGreater(abs(last["contact_ty_n_m"]), 0.5 * force * 0.010 * math.sin(math.radians(15)))


if __name__ == "__main__":
    unittest.main()
