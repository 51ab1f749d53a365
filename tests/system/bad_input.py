# ctest: sanitized
"""Every bad input is refused with exit code 2 and a message that names the key, what was found and what is allowed."""
import pathlib
import unittest

from program import SCENARIOS, run_distal, scratch_folder

PRESS = SCENARIOS / "press.toml"

# What is wrong, the overrides of press.toml that make it so, and what the message must hold.
REFUSED = [
    ("unknown key", ["body.finger.tip_raduis_m=0.01"], ["body.finger.tip_raduis_m", "tip_radius_m"]),
    ("unknown table", ["bdoy.finger.type=\"plane\""], ["bdoy", "body"]),
    ("wrong type", ["body.finger.tip_radius_m=\"ten\""], ["body.finger.tip_radius_m", "ten", "number"]),
    ("wrong type of a list", ["body.finger.position_m=[0.0, 1.0]"], ["body.finger.position_m", "3"]),
    ("negative size", ["body.finger.tip_radius_m=-0.01"], ["body.finger.tip_radius_m", "-0.01"]),
    ("zero cell size", ["body.finger.cell_size_m=0"], ["body.finger.cell_size_m", "0"]),
    ("rod as thick as the tip", ["body.finger.rod_radius_m=0.01"], ["rod_radius_m", "tip_radius_m"]),
    ("cells thicker than the layer", ["body.finger.cell_size_m=0.006"], ["cell_size_m", "0.006", "0.005"]),
    ("Poisson's ratio too large", ["material.rubber.poissons_ratio=0.5"], ["poissons_ratio", "0.5", "0.499"]),
    ("Poisson's ratio negative", ["material.rubber.poissons_ratio=-0.1"], ["poissons_ratio", "-0.1"]),
    ("moduli that disagree", ["material.rubber.shear_modulus_pa=2000"], ["shear_modulus_pa", "2000", "1372"]),
    ("step above the stable one", ["integrator.time_step_s=0.001"], ["time_step_s", "0.001", "stable", "largest good"]),
    ("step that does not divide", ["integrator.time_step_s=0.00003"],
     ["time_step_s", "3e-05", "control_period_s", "largest good"]),
    ("zero mass", ["body.finger.rod_mass_kg=0"], ["body.finger.rod_mass_kg", "0"]),
    ("negative mass", ["body.finger.rod_mass_kg=-0.02"], ["body.finger.rod_mass_kg", "-0.02"]),
    ("NaN", ["material.rubber.youngs_modulus_pa=nan"], ["youngs_modulus_pa", "nan"]),
    ("NaN in a vector", ["body.finger.position_m=[0.0, nan, 0.1]"], ["position_m", "nan"]),
    ("absurd size", ["body.finger.cell_size_m=1e-6"], ["cell_size_m", "memory", "PB", "particles"]),
    ("absurd body", ["body.finger.tip_radius_m=100.0", "body.finger.rod_length_m=100.0"], ["memory", "particles"]),
    ("material that is not there", ["body.finger.material=ruber"], ["body.finger.material", "ruber", "rubber"]),
    ("body that is not there", ["controller.press.body=fingre"], ["controller.press.body", "fingre", "finger"]),
    ("pair of nothing", ["pair.p.bodies=[\"finger\", \"tabel\"]"], ["pair.p.bodies", "tabel", "table"]),
    ("motion and controller", ["motion.body=finger", "motion.depths_m=[0.001]"], ["finger", "motion", "controller"]),
    ("friction below its dynamic value", ["contact.static_friction=0.5", "contact.dynamic_friction=0.7"],
     ["dynamic_friction", "0.7"]),
    ("override without a value", ["run.duration_s"], ["run.duration_s", "="]),
]


class BadInput(unittest.TestCase):
    def refused(self, *arguments):
        """Standard error of a run that must be refused as bad input."""
        process = run_distal(*arguments)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertEqual(process.stdout, "")
        self.assertNotIn("terminate", process.stderr)
        return process.stderr

    def test_overrides_are_refused_by_run_and_leave_no_results(self):
        for what, settings, words in REFUSED:
            with self.subTest(what), scratch_folder() as folder:
                out = pathlib.Path(folder, "out")
                sets = [word for setting in settings for word in ("--set", setting)]
                message = self.refused("run", PRESS, "--out", out, *sets)
                for word in words:
                    self.assertIn(word, message)
                self.assertFalse(pathlib.Path(out, "summary.json").exists())

    def test_check_refuses_alike(self):
        for setting in ("body.finger.tip_raduis_m=0.01", "integrator.time_step_s=0.001"):
            self.assertIn(setting.split("=")[0], self.refused("check", PRESS, "--set", setting))

    def test_a_place_in_the_file_is_named(self):
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "mine.toml")
            scene.write_text(PRESS.read_text().replace("tip_radius_m = 0.010", "tip_radius_m = -1"))
            line = 1 + [text.startswith("tip_radius_m") for text in scene.read_text().splitlines()].index(True)
            self.assertIn(f"mine.toml:{line}:", self.refused("run", scene, "--out", folder + "/out"))

    def test_control_characters_do_not_reach_the_terminal(self):
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "mine.toml")
            scene.write_text(PRESS.read_text() + '[body."a\\u001b[31mb"]\ntype = "plane"\n')
            message = self.refused("run", scene, "--out", folder + "/out")
            self.assertIn('body.a\\x1b[31mb: a name has', message)
            self.assertNotIn("\x1b", message)
            title = ["--set", 'scene.title="\\u001b]0;x"', "--set", "run.duration_s=0.001", "--set", "record.frames_per_s=0"]
            for command in (["check"], ["run", "--out", folder + "/out"]):
                process = run_distal(*command, PRESS, *title)
                self.assertIn("\\x1b]0;x", process.stdout + process.stderr)
                self.assertNotIn("\x1b", process.stdout + process.stderr)
            message = self.refused("run", "no\x1b[2Jscene")
            self.assertIn("no\\x1b[2Jscene", message)
            self.assertNotIn("\x1b", message)

    def test_missing_file(self):
        self.assertIn("no_such/scene.toml", self.refused("run", "no_such/scene.toml"))
        self.assertIn("press_tilted", self.refused("run", "press_titled"))

    def test_a_folder_is_no_scene(self):
        with scratch_folder() as folder:
            self.assertIn(folder, self.refused("run", folder))

    def test_broken_toml(self):
        broken = {"[scene": "1", "a = = 2": "1", "[scene]\ntitle = \"open": "2", "x = 1\nx = 2": "2", "\0\0": "1"}
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "broken.toml")
            for text, line in broken.items():
                with self.subTest(text):
                    scene.write_text(text)
                    self.assertIn(f"broken.toml:{line}", self.refused("run", scene, "--out", folder + "/out"))

    def test_empty_scene(self):
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "empty.toml")
            scene.write_text("")
            self.assertIn("body", self.refused("run", scene, "--out", folder + "/out"))

    def test_unknown_command_and_option(self):
        self.assertIn("run", self.refused("rnu"))
        self.assertIn("--no-such", self.refused("run", PRESS, "--no-such"))


if __name__ == "__main__":
    unittest.main()
