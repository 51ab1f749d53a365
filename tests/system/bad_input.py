# ctest: sanitized
"""Every bad input is refused with exit code 2 and a message that names the key, what was found and what is allowed."""
import pathlib
import re
import unittest

from program import COARSE, SCENARIOS, run_distal, scratch_folder

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
    ("step that does not divide, above the stable one", ["integrator.time_step_s=0.0003"],
     ["time_step_s", "0.0003", "0.00025 s, or less", "distal check"]),
    ("implicit steps of the paper's lattice", ["body.finger.lattice=paper", "integrator.kind=implicit_euler"],
     ["integrator.kind", "implicit_euler", "body.finger.lattice", "paper", "semi_implicit_euler"]),
    ("implicit midpoint of the paper's lattice", ["body.finger.lattice=paper", "integrator.kind=implicit_midpoint"],
     ["integrator.kind", "implicit_midpoint", "body.finger.lattice", "semi_implicit_euler"]),
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
    ("length of next to nothing", ["body.finger.rod_radius_m=1e-300"], ["rod_radius_m", "1e-300", "1e-09"]),
    ("steps without end", ["integrator.time_step_s=1e-12"], ["time_step_s", "1e-12", "1e-09", "control_period_s"]),
    ("folder as a mesh", ["body.finger.shape=mesh", f"body.finger.file={SCENARIOS}"], ["file", "is a folder"]),
    ("a value of two lines", ["scene.title=\"a\nb\""], ["--set scene.title", "line break", "one line"]),
    ("a scheme by half its name", ["integrator.kind=expliit"], ["integrator.kind", "did you mean \"semi_implicit_euler\""]),
    ("override without a value", ["run.duration_s"], ["run.duration_s", "="]),
]


# A box, its faces counter-clockwise seen from outside, two triangles each.
CORNERS = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
FACES = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
TRIANGLES = [(a, b, c) for a, b, c, _ in FACES] + [(a, c, d) for a, _, c, d in FACES]


def box_stl(shift_m=0.0, triangles=tuple(TRIANGLES)):
    """A box of 30 mm, its centre moved along x, y and z."""
    text = "solid box\n"
    for triangle in triangles:
        text += "facet normal 0 0 0\nouter loop\n"
        for corner in triangle:
            text += "vertex " + " ".join(f"{0.015 * c + shift_m:.6g}" for c in CORNERS[corner]) + "\n"
        text += "endloop\nendfacet\n"
    return text + "endsolid box\n"


TET_SURFACE = """
[material.rubber]
density_kg_m3 = 500.0
youngs_modulus_pa = 4000.0
poissons_ratio = 0.4
[body.block]
type = "tet"
material = "rubber"
shape = "surface"
file = "box.stl"
edge_m = 0.01
"""


class BadInput(unittest.TestCase):
    def refused(self, *arguments, **options):
        """Standard error of a run that must be refused as bad input."""
        process = run_distal(*arguments, **options)
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

    def test_other_bodies_of_the_papers_lattice_take_no_implicit_steps(self):
        for arguments, body in ((["press_paper"], "finger"), (["press_block", "--set", "body.block.lattice=paper"], "block")):
            for kind in ("implicit_euler", "implicit_midpoint"):
                message = self.refused("check", *arguments, "--set", f"integrator.kind={kind}")
                self.assertIn(f'body.{body}.lattice = "paper" has explicit steps only', message)

    def test_a_suggested_step_is_taken(self):
        # A period that no stable step divides into few digits.
        explicit = [*COARSE, "--set", "integrator.kind=semi_implicit_euler", "--set", "run.control_period_s=0.0007"]
        message = self.refused("check", PRESS, *explicit, "--set", "integrator.time_step_s=0.0007")
        self.assertIn('integrator.kind = "implicit_euler"', message)
        suggested = re.search(r"the largest good value is ([0-9.e+-]+) s", message).group(1)
        self.assertGreater(len(suggested), 12)
        process = run_distal("check", PRESS, *explicit, "--set", f"integrator.time_step_s={suggested}")
        self.assertEqual(process.returncode, 0, process.stderr)
        paper = self.refused("check", "press_paper", *COARSE, "--set", "integrator.time_step_s=0.001")
        self.assertIn("the largest good value is", paper)
        self.assertNotIn("implicit_euler", paper)

    def test_meshes_that_enclose_no_one_volume(self):
        bad = {"not closed": box_stl(triangles=TRIANGLES[1:]), "cuts itself": box_stl() + box_stl(0.007)}
        with scratch_folder() as folder:
            stl, scene = pathlib.Path(folder, "box.stl"), pathlib.Path(folder, "block.toml")
            scene.write_text(TET_SURFACE)
            for words, text in bad.items():
                stl.write_text(text)
                pad = self.refused("check", PRESS, *COARSE, "--set", "body.finger.shape=mesh", "--set",
                                   f"body.finger.file={stl}")
                self.assertIn(f"--set body.finger.file={stl}: body.finger.file: {stl}: the mesh ", pad)
                self.assertIn(words, pad)
                block = self.refused("check", scene)
                line = 1 + [text.startswith("file") for text in TET_SURFACE.splitlines()].index(True)
                self.assertRegex(block, rf"block.toml:{line}:\d+: body.block.file: {stl}: the surface ")
                self.assertIn(words, block)

    def test_no_path_is_no_default(self):
        with scratch_folder() as folder:
            for command in (["run", PRESS], ["sweep", PRESS, "--set", "run.seed=1,2"], ["tune", PRESS], ["serve", PRESS],
                            ["view", PRESS]):
                message = self.refused(*command, "--out", "", cwd=folder)
                self.assertIn("--out: is empty", message)
            for command in (["tune", "press", "--out", "none/x.toml"], ["bench", "--map", "--svg", "none/x.svg"]):
                self.assertIn(f"{command[-2]} {command[-1]}: cannot be written: No such file or directory",
                              self.refused(*command, cwd=folder))
            self.assertIn("--svg requires --map", self.refused("bench", "--svg", "map.svg", cwd=folder))
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_a_place_in_the_file_is_named(self):
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "mine.toml")
            scene.write_text(PRESS.read_text().replace("tip_radius_m = 0.010", "tip_radius_m = -1"))
            line = 1 + [text.startswith("tip_radius_m") for text in scene.read_text().splitlines()].index(True)
            self.assertIn(f"mine.toml:{line}:", self.refused("run", scene, "--out", folder + "/out"))

    def test_the_place_of_a_step_that_is_refused_late_is_named(self):
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "mine.toml")
            scene.write_text(PRESS.read_text() + "[integrator]\nkind = \"semi_implicit_euler\"\ntime_step_s = 0.001\n")
            line = len(scene.read_text().splitlines())
            for command in (["run", "--out", folder + "/out"], ["check"]):
                message = self.refused(*command, scene, *COARSE)
                self.assertIn(f"mine.toml:{line}:1: integrator.time_step_s = 0.001 s: above the stable step", message)

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
        for number in ("nan", "inf", "0", "-1", "1e-7", "soon"):
            self.assertIn("--checkpoint-every: found " + number, self.refused("run", PRESS, "--checkpoint-every", number))


if __name__ == "__main__":
    unittest.main()
