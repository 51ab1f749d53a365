"""distal tune: gains that do not overshoot and settle no later than the hand-set ones; a scene that runs."""
import pathlib
import re
import unittest

from program import SCENARIOS, overrides, run_distal, scratch_folder
from results import read_table

HAND_SET_HZ = 60.0
DEPTH_M = 0.003


def coarse_press(bandwidth_hz):
    """press.toml with larger cells, a shorter way and other gains."""
    text = (SCENARIOS / "press.toml").read_text(encoding="utf-8")
    for key, value in (("cell_size_m", "0.0025"), ("position_m", "[0.0, 0.0, 0.0105]"), ("duration_s", "0.4"),
                       ("bandwidth_hz", bandwidth_hz), ("angular_bandwidth_hz", bandwidth_hz)):
        text, count = re.subn(rf"(?m)^{key} = [^#\n]*", f"{key} = {value}  ", text)
        assert count == 1, key
    return text


class Tune(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def respond(self, scene, out):
        """Overshoot and settling time of a press, found from its results by other code than the program's."""
        process = run_distal("run", scene, "--quiet", "--out", self.folder / out,
                             *overrides(record__frames_per_s=0, run__threads=1))
        self.assertEqual(process.returncode, 0, process.stderr)
        rows = read_table(self.folder / out / "series/finger.csv")
        touch_s = next(row["time_s"] for row in rows if row["contact_count"] > 0)
        final_m = rows[-1]["pz_m"]
        outside = [row["time_s"] for row in rows if abs(row["pz_m"] - final_m) > 0.02 * DEPTH_M]
        return (final_m - min(row["pz_m"] for row in rows)) / DEPTH_M, outside[-1] - touch_s

    def test_poor_gains_become_good_ones(self):
        poor, hand_set = self.folder / "poor.toml", self.folder / "hand_set.toml"
        poor.write_text(coarse_press(5.0), encoding="utf-8")
        hand_set.write_text(coarse_press(HAND_SET_HZ), encoding="utf-8")
        tuned = self.folder / "tuned.toml"
        process = run_distal("tune", poor, "--out", tuned)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("step responses", process.stderr)
        before, after = poor.read_text().splitlines(), tuned.read_text().splitlines()
        changed = [line for line, old in zip(after, before) if line != old]
        self.assertEqual(len(after), len(before))
        self.assertEqual([line.split(" =")[0] for line in changed], ["bandwidth_hz", "angular_bandwidth_hz"])
        page = (self.folder / "tuned.html").read_text(encoding="utf-8")
        self.assertEqual(page.count("<svg"), 2)
        overshoot, settling_s = self.respond(tuned, "after")
        self.assertLess(overshoot, 0.02)
        self.assertLessEqual(settling_s, self.respond(hand_set, "hand_set")[1] + 1e-9)
        self.assertGreater(self.respond(poor, "before")[1], settling_s)

        process = run_distal("tune", poor, "--out", tuned)
        self.assertEqual(process.returncode, 2)
        self.assertIn("exists. Choose another with --out", process.stderr)

    def test_overrides_are_tuned_with_and_written(self):
        scene, tuned = self.folder / "scene.toml", self.folder / "tuned.toml"
        scene.write_text(coarse_press(30.0), encoding="utf-8")
        process = run_distal("tune", scene, "--out", tuned, *overrides(controller__press__depth_m=0.002))
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("with --set the scene is written with every value", process.stderr)
        text = tuned.read_text(encoding="utf-8")
        self.assertRegex(text, r"(?m)^depth_m = 0.002")
        self.assertNotRegex(text, r"(?m)^bandwidth_hz = 30")
        self.assertEqual(run_distal("tune", scene, "--set", "run.duratio_s=1").returncode, 2)

    def test_what_cannot_be_tuned_is_refused(self):
        for scene, words in (("press_slip", "no [controller.NAME] to tune"), ("nowhere.toml", "no such file")):
            process = run_distal("tune", scene, "--out", self.folder / "a.toml")
            self.assertEqual(process.returncode, 2, scene)
            self.assertIn(words, process.stderr)
        process = run_distal("tune", "press", "--out", self.folder / "a.toml", "--controller", "pres")
        self.assertIn("choose one with --controller: press", process.stderr)
        process = run_distal("tune", "press", "--out", self.folder / "a.json")
        self.assertIn("ends in .toml", process.stderr)

    def test_a_press_that_cannot_settle_is_said_so(self):
        scene = self.folder / "short.toml"
        scene.write_text(coarse_press(30.0).replace("duration_s = 0.4", "duration_s = 0.05"), encoding="utf-8")
        process = run_distal("tune", scene, "--out", self.folder / "tuned.toml")
        self.assertEqual(process.returncode, 1)
        self.assertIn("does not settle within run.duration_s", process.stdout)
        self.assertIn("no bandwidth from 4 to 256 Hz", process.stderr)
        self.assertFalse((self.folder / "tuned.toml").exists())


if __name__ == "__main__":
    unittest.main()
