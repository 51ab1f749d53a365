"""check, new, list, schema, bench: what they print."""
import json
import os
import pathlib
import pty
import re
import unittest

from program import COARSE, QUICK, SCENARIOS, overrides, run_distal, scratch_folder, start_distal

SHIPPED = ("press", "press_tilted", "press_paper", "press_curve", "press_slip", "twist", "push_box", "press_block")

SMALL_BLOCK = """
[material.rubber]
density_kg_m3 = 500.0
youngs_modulus_pa = 4000.0
poissons_ratio = 0.4

[body.block]
type = "block"
material = "rubber"
size_m = [0.012, 0.012, 0.012]
"""


class Commands(unittest.TestCase):
    def output(self, *arguments, **options):
        process = run_distal(*arguments, **options)
        self.assertEqual(process.returncode, 0, process.stderr)
        return process.stdout

    def test_list_names_every_shipped_scene_with_its_title(self):
        lines = self.output("list").splitlines()
        self.assertEqual([line.split()[0] for line in lines], sorted(path.stem for path in SCENARIOS.glob("*.toml")))
        for name in SHIPPED:
            title = re.search('^title = "(.*)"', (SCENARIOS / f"{name}.toml").read_text(), re.M).group(1)
            self.assertTrue(any(line.startswith(name + " ") and line.endswith(title) for line in lines), name)

    def test_check_tells_what_a_scene_costs(self):
        text = self.output("check", "press", *QUICK)
        for name in ("particles", "springs", "cells", "memory", "first mode", "stable step", "paper's limit", "chosen step",
                     "speed here", "real time"):
            self.assertRegex(text, rf"(?m)^ *{name} ")
        stable, chosen = (float(re.search(rf"(?m)^{name} +([\d.e+-]+) us", text).group(1))
                          for name in ("stable step", "chosen step"))
        self.assertEqual(chosen, 1000.0, "one implicit step a period")
        self.assertRegex(text, r"(?m)^integrator +implicit_euler: \d+ explicit steps a period, or 1 implicit")
        self.assertIn("limited by", text)
        explicit = self.output("check", "press", *QUICK, "--set", "integrator.kind=semi_implicit_euler")
        chosen = float(re.search(r"(?m)^chosen step +([\d.e+-]+) us", explicit).group(1))
        self.assertLessEqual(chosen, 0.6 * stable * 1.001)
        self.assertLess(float(re.search(r"(\d+) bytes a particle", text).group(1)), 4000)

    def test_a_step_that_is_cut_is_noted(self):
        """The stable step falls by 7 % as the tip is squeezed, below the given one."""
        with scratch_folder() as folder:
            process = run_distal("run", "press", "--out", folder + "/out", *COARSE, *overrides(
                body__finger__position_m="[0.0, 0.0, 0.0101]", controller__press__depth_m=0.0045,
                controller__press__speed_m_s=0.03, integrator__kind="semi_implicit_euler",
                integrator__time_step_s=0.000125, run__duration_s=0.2, record__frames_per_s=0))
        self.assertEqual(process.returncode, 0, process.stderr)
        note = re.search(r"time_step_s was cut from 0.000125 s to 6.25e-05 s at t = (\S+) s, .* the stable step there is "
                         r"(\S+) s", process.stderr)
        self.assertIsNotNone(note, process.stderr)
        self.assertGreater(float(note.group(1)), 0.05)
        self.assertLess(float(note.group(2)), 0.000125)

    def test_check_says_what_takes_so_long(self):
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "slow.toml")
            os.mkfifo(scene)  # reading it lasts until somebody writes
            with start_distal("check", scene, *QUICK) as process:
                self.assertEqual(process.stderr.readline(), "reading the scene ...\n")
                scene.write_text((SCENARIOS / "press.toml").read_text())
                text, messages = process.communicate(timeout=60)
        self.assertEqual((process.returncode, messages), (0, ""))
        self.assertIn("speed here", text)

    def test_check_accepts_every_shipped_scene(self):
        for path in SCENARIOS.glob("*.toml"):
            with self.subTest(path.stem):
                text = path.read_text()
                coarse = COARSE if "body.finger" in text and "fingertip" in text and "tet" not in text else []
                if '"tet"' in text:
                    coarse = ["--set", f"body.{re.search(r'body[.](.*)]', text[:text.index('tet')].rsplit('[', 1)[1])[1]}"
                              ".edge_m=0.005"]
                self.assertIn("chosen step", self.output("check", path, *coarse))

    def test_explain_works_without_a_scene(self):
        text = self.output("check", "--explain")
        for key in ("youngs_modulus_pa", "cell_size_m", "static_friction", "depths_m", "bandwidth_hz"):
            self.assertIn(key, text)
        self.assertEqual(run_distal("check").returncode, 2)

    def test_new_makes_a_scene_that_runs_and_never_overwrites(self):
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "mine.toml")
            self.assertEqual(self.output("new", scene), "")
            self.assertEqual(scene.read_text(), self.output("new"))
            self.output("run", scene, "--out", folder + "/out", "--set", "run.duration_s=0.01")
            scene.write_text("mine")
            process = run_distal("new", scene)
            self.assertEqual((process.returncode, scene.read_text()), (2, "mine"))
            self.assertEqual(run_distal("new", folder + "/none/mine.toml").returncode, 2)

    def test_schema_is_json_and_knows_every_table(self):
        schema = json.loads(self.output("schema"))
        self.assertLessEqual({"scene", "material", "body", "contact", "controller", "motion", "run", "record"},
                             set(schema["properties"]))

    def test_bench(self):
        with scratch_folder() as folder:
            scene = pathlib.Path(folder, "small.toml")  # builds at once, and does the same as any other
            scene.write_text(SMALL_BLOCK)
            result = json.loads(self.output("bench", "--scene", scene, "--seconds", "0.05", "--json"))
            self.assertIn("ns a particle", self.output("bench", "--scene", scene, "--seconds", "0.02"))
        self.assertEqual({(row["precision"], row["threads"]) for row in result["kernels"]},
                         {("float", 1), ("float", 2), ("double", 1), ("double", 2)})
        self.assertEqual({row["cell_size_m"] for row in result["scenes"]}, {0.002, 0.0015, 0.001})
        for row in result["scenes"]:
            self.assertLessEqual(row["median_s"], row["p99_9_s"])
            self.assertLessEqual(row["p99_9_s"], row["worst_s"])
            self.assertLessEqual(row["missed_deadlines"], row["periods"])

    def test_run_says_its_step_and_the_stable_one_first(self):
        with scratch_folder() as folder:
            for kind in ("auto", "semi_implicit_euler"):
                process = run_distal("run", "press", *QUICK, "--set", f"integrator.kind={kind}", "--force", "--out", folder)
                summary = json.loads(pathlib.Path(folder, "summary.json").read_text())
                found = re.search(r"(\w+), step ([\d.e+]+) us; stable step ([\d.e+]+) us, 1/omega_0 = ([\d.e+]+) us",
                                  process.stderr[:process.stderr.index("done")])
                self.assertEqual(found.group(1), summary["integrator"])
                for place, key in ((2, "time_step_s"), (3, "stable_step_s"), (4, "paper_step_s")):
                    self.assertAlmostEqual(float(found.group(place)), 1e6 * summary[key], delta=1e-3 * 1e6 * summary[key])

    def test_forward_euler_stops_where_what_is_not_damped_grows(self):
        with scratch_folder() as folder:
            process = run_distal("run", "press", "--out", f"{folder}/out", "--set", "integrator.kind=forward_euler",
                                 "--set", "body.finger.cell_size_m=0.0025")
            self.assertEqual(process.returncode, 1, process.stderr)
            for words in ("diverged at t = ", "energy out of nothing", "particle ", 'kind = "semi_implicit_euler"'):
                self.assertIn(words, process.stderr)

    def test_a_run_whose_energy_is_out_says_so(self):
        with scratch_folder() as folder:
            process = run_distal("run", "indent_cuboid", "--out", f"{folder}/out", "--set", "body.block.model=paper2",
                                 "--set", "body.block.edge_m=0.01", "--set", "motion.forces_n=[5.0]",
                                 "--set", "motion.settle_limit_s=0.3")
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertRegex(process.stderr, r"note: energy is out by \S+ % of the work .*limit_stiffness_ratio = 10")

    def test_no_colour_without_a_terminal(self):
        process = run_distal("run", "press", "--set", "no.such=1")
        self.assertNotIn("\033", process.stderr)

    def on_terminal(self, *arguments, **environment):
        """What a run writes on a terminal."""
        ours, theirs = pty.openpty()
        with start_distal(*arguments, env={**os.environ, "TERM": "xterm", **environment}, stderr=theirs) as process:
            os.close(theirs)
            text = b""
            try:
                while chunk := os.read(ours, 65536):
                    text += chunk
            except OSError:
                pass  # the other end is closed
        os.close(ours)
        return text.decode()

    def test_colour_and_progress_on_a_terminal(self):
        with scratch_folder() as folder:
            run = ["run", "press", *QUICK, "--set", "run.duration_s=0.3", "--force", "--out", folder]
            coloured = self.on_terminal(*run, NO_COLOR="")
            self.assertIn("\033[1m", coloured)
            self.assertRegex(coloured, r"\r\033\[K[#.]* +\d+ % +[\d.]+ s +[\d.]+x real time +\d+ s left")
            self.assertNotIn("\033[1m", self.on_terminal(*run, NO_COLOR="1"))


if __name__ == "__main__":
    unittest.main()
