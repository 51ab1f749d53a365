# ctest: sanitized
"""run --view and serve --view: viewers change no bit of a run, however they behave."""
import pathlib
import subprocess
import threading
import unittest

from plants import HOST, distal_client, press
from program import COARSE, PROGRAM, overrides, run_distal, scratch_folder
from results import read_summary
from viewers import Viewer, watched

# A second of wall time, so that viewers are there while it runs.
SCENE = ["press", *COARSE, *overrides(body__finger__position_m="[0.0, 0.0, 0.0101]", run__duration_s=1.0,
                                      record__frames_per_s=0)]
TABLES = ("series/finger.csv", "energy.csv", "recording/commands.csv")


def look_on(viewer):
    """Receives until the program ends; gives the last head."""
    head = {}
    try:
        while True:
            head = viewer.receive().head
    except (ConnectionError, OSError):
        return head


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = scratch_folder()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        process = run_distal("run", *SCENE, "--out", cls.folder + "/alone")
        if process.returncode != 0:
            raise AssertionError(process.stderr)

    def assert_same_run(self, folder):
        self.assertEqual(read_summary(folder)["final_state_hash"],
                         read_summary(self.folder + "/alone")["final_state_hash"])
        for table in TABLES:
            self.assertEqual(pathlib.Path(folder, table).read_text(),
                             pathlib.Path(self.folder, "alone", table).read_text(), table)

    def run_watched(self, name, act):
        out = f"{self.folder}/{name}"
        with watched("run", *SCENE, "--realtime", "--view", "--out", out) as (process, address):
            act(address)
            _, messages = process.communicate(timeout=300)
            self.assertEqual(process.returncode, 0, messages)
        self.assert_same_run(out)

    def test_nobody_looks(self):
        self.run_watched("nobody", lambda address: None)

    def test_three_look(self):
        last = []

        def act(address):
            viewers = [Viewer(address) for _ in range(3)]
            threads = [threading.Thread(target=lambda v=v: last.append(look_on(v))) for v in viewers]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.frames = [viewer.frames for viewer in viewers]
            for viewer in viewers:
                viewer.close()
        self.run_watched("three", act)
        for head, frames in zip(last, self.frames):
            self.assertEqual(head["status"], "ended", "the end is shown")
            self.assertAlmostEqual(head["time_s"], 1.0)
            self.assertGreater(frames, 5)

    def test_one_is_stalled(self):
        # It asks for everything, answers the first frames and then reads nothing: its socket fills up.
        def act(address):
            self.stalled = Viewer(address)
            self.stalled.say("show", roles=["surface", "lattice", "rod", "rigid"], colour="pressure_pa", contacts=True)
            self.stalled.frame()
            for frame in range(100):
                self.stalled.say("got", frame=frame)
        self.run_watched("stalled", act)
        self.stalled.close()

    def test_pause_step_and_speed_change_nothing_and_touching_is_refused(self):
        def act(address):
            with Viewer(address) as viewer:
                viewer.say("pause")
                at_s = viewer.frame(lambda head: head["status"] == "paused").head["time_s"]
                viewer.say("step")
                self.assertAlmostEqual(viewer.frame(lambda head: head["time_s"] > at_s).head["time_s"], at_s + 0.001)
                for kind, values in (("reset", {}), ("grab", {"body": 0, "point_m": [0, 0, 0]}),
                                     ("push", {"position_m": [0, 0, 0]}), ("seek", {"time_s": 0})):
                    viewer.say(kind, **values)
                    self.assertIn("refused", viewer.note()["text"])
                viewer.say("speed", value=10)
                viewer.say("resume")
                viewer.frame(lambda head: head["time_s"] > at_s + 0.1)
        self.run_watched("steered", act)


class Serve(unittest.TestCase):
    def serve(self, watch):
        words = [PROGRAM, "serve", *SCENE, "--once", "--port", "0"]
        if watch:
            words += ["--view", "--view-port", "0"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        port = int(process.stdout.readline().rpartition(":")[2])
        viewer = Viewer(process.stdout.readline().strip()) if watch else None
        plant = distal_client.Plant(HOST, port)
        if watch:
            for kind, values in (("pause", {}), ("speed", {"value": 1}), ("reset", {}),
                                 ("grab", {"body": 0, "point_m": [0, 0, 0]})):
                viewer.say(kind, **values)
                self.assertIn("commanded from outside", viewer.note()["text"])
        press(plant, 200)
        if watch:
            # The plant waits for its controller, and the last state is shown all the same.
            shown = viewer.frame(lambda head: abs(head["time_s"] - 0.2) < 1e-9)
            self.assertEqual(shown.head["bodies"][0]["contact"], list(plant.bodies[0].contact))
            viewer.close()
        plant.stop()
        _, messages = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, messages)
        return next(line.split()[-1] for line in messages.splitlines() if "final state" in line)

    def test_a_viewer_changes_no_bit(self):
        self.assertEqual(self.serve(watch=True), self.serve(watch=False))

    def test_in_real_time_the_thread_of_the_viewers_stays_behind(self):
        words = [PROGRAM, "serve", *SCENE, "--mode", "realtime", "--port", "0", "--view", "--view-port", "0"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        port = int(process.stdout.readline().rpartition(":")[2])
        with Viewer(process.stdout.readline().strip()) as viewer:
            plant = distal_client.Plant(HOST, port)
            press(plant, 20)
            viewer.frame(lambda head: head["time_s"] > 0.0)
            tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
            fields = [(task / "stat").read_text().rpartition(")")[2].split() for task in tasks]
            batch, nice = 3, 10
            # Behind the name: field 41 is the policy, field 19 how nice the thread is.
            behind = [field for field in fields if int(field[38]) == batch]
            self.assertEqual(len(behind), 1)
            self.assertGreaterEqual(int(behind[0][16]), nice)


if __name__ == "__main__":
    unittest.main()
