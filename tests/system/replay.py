"""Record and replay, checkpoints and resuming: the same bits, and clear words where they cannot be."""
import json
import pathlib
import signal
import time
import unittest

from plants import HOST, distal_client, serving
from program import QUICK, SCENARIOS, overrides, run_distal, scratch_folder, start_distal
from results import read_summary

SLIP = [*overrides(body__finger__cell_size_m=0.0025, run__threads=1, record__frames_per_s=0),
        *overrides(motion__depths_m="[0.0003]", motion__shift_m="[0.0001]", motion__settle_limit_s=0.05)]
NOISY = [*QUICK, *overrides(controller__press__contact_threshold_n=0.002)]
CASES = {"press": QUICK, "press_slip": SLIP, "press_noisy": NOISY}


def data_rows(path):
    return path.read_text(encoding="utf-8").splitlines()[1:]


class Replay(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_scene(self, name, out, *arguments, code=0):
        process = run_distal("run", SCENARIOS / f"{name}.toml", "--quiet", "--out", self.folder / out,
                             *CASES[name], *arguments)
        self.assertEqual(process.returncode, code, process.stderr)
        return self.folder / out

    def replay(self, out, *arguments, code=0):
        process = run_distal("replay", "--quiet", out, *arguments)
        self.assertEqual(process.returncode, code, process.stdout + process.stderr)
        return process.stdout + process.stderr

    def test_same_bits_when_replayed_and_resumed(self):
        for name in CASES:
            with self.subTest(scene=name):
                whole = self.run_scene(name, name, "--checkpoint-every", "0.01")
                final = read_summary(whole)["final_state_hash"]
                self.assertIn(f"final state {final}", self.replay(whole))
                self.assertIn(f"final state {final}", self.replay(whole, "--free"))
                second = sorted((whole / "checkpoints").iterdir())[1]
                rest = self.run_scene(name, name + "_rest", "--resume", second)
                self.assertEqual(read_summary(rest)["final_state_hash"], final)
                for table in ("series/finger.csv", "energy.csv", "recording/commands.csv"):
                    self.assertEqual(data_rows(rest / table), data_rows(whole / table)[20:], table)
                self.assertIn(f"final state {final}", self.replay(rest))
                self.assertIn(f"final state {final}", self.replay(rest, "--free"))

    def test_a_served_run_sees_the_same_imperfections_and_replays(self):
        inside = self.run_scene("press_noisy", "inside")
        scene, outside = SCENARIOS / "press_noisy.toml", self.folder / "outside"
        with serving(scene, *NOISY, "--once", "--out", outside) as (server, port):
            control = run_distal("control", "--connect", f"{HOST}:{port}", scene, *NOISY)
            self.assertEqual(control.returncode, 0, control.stderr)
            self.assertEqual(server.wait(timeout=60), 0)
        for table in ("series/finger.csv", "measured/finger.csv", "recording/commands.csv"):
            self.assertEqual(data_rows(outside / table), data_rows(inside / table), table)
        self.assertIn("same:", self.replay(outside))

    def test_a_served_scene_replays_without_its_motion(self):
        out = self.folder / "out"
        with serving(SCENARIOS / "press_slip.toml", *SLIP, "--once", "--out", out) as (server, port):
            plant = distal_client.Plant(HOST, port)
            for _ in range(50):
                plant.step([distal_client.twist(0.0, 0.0, -0.02, 0.0, 0.0, 0.0)])
            plant.stop()
            self.assertEqual(server.wait(timeout=60), 0)
        self.assertIn("same: 50 periods", self.replay(out))
        self.assertIn("no controller of its own", self.replay(out, "--free", code=2))

    def test_threads_and_duration_may_change_when_resumed(self):
        whole = self.run_scene("press_noisy", "whole")
        self.run_scene("press_noisy", "short", "--checkpoint-every", "0.01", "--set", "run.duration_s=0.02")
        rest = self.run_scene("press_noisy", "rest", "--resume", self.folder / "short", "--set", "run.threads=2")
        self.assertEqual(read_summary(rest)["final_state_hash"], read_summary(whole)["final_state_hash"])

    def test_the_controller_sees_other_things_than_the_truth(self):
        out = self.run_scene("press_noisy", "out")
        truth, seen = data_rows(out / "series/finger.csv"), data_rows(out / "measured/finger.csv")
        self.assertEqual(len(truth), len(seen))
        self.assertNotEqual(truth[-1].split(",")[3], seen[-1].split(",")[3])
        self.assertFalse((self.run_scene("press", "perfect") / "measured").exists())
        other = self.run_scene("press_noisy", "other", "--set", "run.seed=2")
        self.assertNotEqual(read_summary(other)["final_state_hash"], read_summary(out)["final_state_hash"])

    def test_a_changed_input_is_found_in_its_period(self):
        out = self.run_scene("press", "out")
        table = out / "recording/commands.csv"
        lines = table.read_text().splitlines(keepends=True)
        cells = lines[7].split(",")  # period 7
        cells[4] = str(float(cells[4]) * (1 + 1e-12))
        lines[7] = ",".join(cells)
        table.write_text("".join(lines))
        self.assertIn("differs first in period 7, t = 0.007 s", self.replay(out, code=1))
        self.assertIn("same:", self.replay(out, "--free"))

    def test_another_instruction_set_is_no_mismatch(self):
        out = self.run_scene("press", "out")
        header = out / "recording/header.json"
        header.write_text(header.read_text().replace(read_summary(out)["instruction_set"], "ABACUS"))
        self.assertIn("same:", self.replay(out))
        end = out / "recording/end.json"
        end.write_text(json.dumps({"status": "done", "final_state_hash": "0" * 16}))
        self.assertIn("not comparable: recorded with ABACUS", self.replay(out))

    def test_damaged_recordings_are_refused_with_their_place(self):
        out = self.run_scene("press", "out")
        table = out / "recording/commands.csv"
        text = table.read_text()
        for damage, words in ((text.replace("wrench", "wrnch", 1), ':2: column finger:mode holds "wrnch"'),
                              (text.replace(",wrench,", ",wrench,x", 1), "column finger:1 holds"),
                              ("\n".join([text.split("\n")[0], "nan" + text.split("\n", 1)[1][5:]]), "expected a finite number"),
                              (text[:-5], "the row is torn"),
                              (text.replace("finger:3", "thumb:3", 1), ":1: the heading does not fit"),
                              (text.replace("\n", ",1\n").replace(",1\n", "\n", 1), "has more than")):
            table.write_text(damage)
            self.assertIn(words, self.replay(out, code=2))
        table.unlink()
        self.assertIn("commands.csv cannot be read", self.replay(out, code=2))
        end, header = out / "recording/end.json", out / "recording/header.json"
        whole = header.read_text()
        for file, damage, words in ((end, '{"status": "done", "final_state_hash": "x"}', '"x" is no hash'),
                                    (end, '{"status": 1, "final_state_hash": "0"}', '"status" is missing, or not what'),
                                    (header, whole.replace('"bodies"', '"bodys"'), '"bodies" is missing, or not what'),
                                    (header, "{", "what stands at byte 1 of 1 is no JSON"),
                                    (header, "", "what stands at byte 0 of 0 is no JSON")):
            file.write_text(damage)
            said = self.replay(out, code=2)
            self.assertIn(f"{file} is damaged: ", said)
            self.assertIn(words, said)
            self.assertNotIn("json.exception", said)
        self.assertIn("nowhere: no such folder", self.replay(self.folder / "nowhere", code=2))
        self.assertIn("holds no recording/header.json", self.replay(self.folder, code=2))

    def test_a_killed_run_replays_up_to_its_last_row_and_can_be_resumed(self):
        out = self.folder / "out"
        long = overrides(run__duration_s=0.2)
        process = start_distal("run", SCENARIOS / "press.toml", "--quiet", "--out", out, *QUICK, *long,
                               "--checkpoint-every", "0.005")
        for _ in range(3000):
            if len(list(out.glob("checkpoints/*.checkpoint"))) >= 3:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        text = self.replay(out)
        self.assertIn("the run was killed", text)
        self.assertIn(f"same: {len(data_rows(out / 'recording/commands.csv'))} periods", text)
        with open(out / "recording/commands.csv", "a", encoding="utf-8") as table:
            table.write("0.19,wrench,1")  # torn
        self.assertIn("same:", self.replay(out))
        rest = self.run_scene("press", "rest", "--resume", out, *long)
        whole = self.run_scene("press", "whole", *long)
        self.assertEqual(read_summary(rest)["final_state_hash"], read_summary(whole)["final_state_hash"])

    def test_names_from_elsewhere_may_hold_commas_and_quotes(self):
        urdf = (SCENARIOS / "gripper.urdf").read_text()
        (self.folder / "odd.urdf").write_text(urdf.replace("left", "left, &quot;odd&quot;"))
        scene = (SCENARIOS / "close_gripper.toml").read_text().replace("gripper.urdf", "odd.urdf")
        (self.folder / "odd.toml").write_text(scene.replace("hand/left", 'hand/left, \\"odd\\"'))
        run = run_distal("run", self.folder / "odd.toml", "--quiet", "--out", self.folder / "out",
                         *overrides(record__frames_per_s=0, run__duration_s=0.05))
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("same: 50 periods", self.replay(self.folder / "out"))

    def test_two_runs_do_not_share_a_folder(self):
        out = self.folder / "out"
        first = start_distal("run", SCENARIOS / "press.toml", "--quiet", "--out", out, *QUICK, *overrides(run__duration_s=60))
        while not (out / "scene.toml").exists():
            self.assertIsNone(first.poll())
            time.sleep(0.01)
        second = run_distal("run", SCENARIOS / "press.toml", "--quiet", "--out", out, *QUICK, "--force")
        self.assertEqual(second.returncode, 2)
        self.assertIn(f"another run is writing to the output folder {out}", second.stderr)
        first.send_signal(signal.SIGKILL)
        first.communicate()
        self.run_scene("press", "out", "--force")  # a killed run keeps nothing

    def test_checkpoints_of_another_scene_and_damaged_ones_are_refused(self):
        out = self.run_scene("press", "out", "--checkpoint-every", "0.01")
        def refusal(*arguments):
            process = run_distal("run", SCENARIOS / "press.toml", "--quiet", "--out", self.folder / "rest", *QUICK, *arguments)
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertFalse((self.folder / "rest/summary.json").exists())
            return process.stderr
        self.assertIn("is of another scene", refusal("--resume", out, "--set", "body.finger.rod_mass_kg=0.03"))
        self.assertIn("nothing is left to run", refusal("--resume", out, "--set", "run.duration_s=0.02"))
        self.assertIn("holds none in checkpoints/", refusal("--resume", self.folder))
        itself = run_distal("run", SCENARIOS / "press.toml", "--quiet", *QUICK, "--resume", out, "--out", out, "--force")
        self.assertEqual(itself.returncode, 2)
        self.assertIn("would replace the run", itself.stderr)
        file = sorted((out / "checkpoints").iterdir())[0]
        file.write_bytes(file.read_bytes()[:-100])
        self.assertIn("is cut off", refusal("--resume", file))


if __name__ == "__main__":
    unittest.main()
