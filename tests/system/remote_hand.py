# ctest: sanitized
"""A hand driven from outside: joint commands over real sockets, refusals, old clients, and recorded motions."""
import math
import pathlib
import re
import socket
import struct
import unittest

from plants import HOST, BadNetwork, distal_client, serving
from program import SCENARIOS, overrides, run_distal, scratch_folder
from results import read_summary, read_table

GRIPPER = ["close_gripper", *overrides(record__frames_per_s=0, run__duration_s=10)]
MOTOR_N = 8.0  # at most, of the scene


def on_path(times_s, targets, time_s):
    """Straight between points, held behind the last."""
    for t0, t1, a, b in zip(times_s, times_s[1:], targets, targets[1:]):
        if time_s <= t1:
            return a + (b - a) * (time_s - t0) / (t1 - t0)
    return targets[-1]


def scene_of(folder, name, path):
    """close_gripper with another path for its joint, in a file of its own."""
    text = (SCENARIOS / "close_gripper.toml").read_text().replace('"gripper.urdf"', f'"{SCENARIOS / "gripper.urdf"}"')
    text = re.sub(r"\[joint_path.close\].*?\n\n", path + "\n", text, flags=re.S)
    scene = pathlib.Path(folder, name + ".toml")
    scene.write_text(text.replace("frames_per_s = 30", "frames_per_s = 0"))
    return scene


class RemoteHand(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def connect(self, port):
        plant = distal_client.Plant(HOST, port)
        self.addCleanup(plant.stop)
        return plant

    def close(self, plant, command, periods):
        for _ in range(periods):
            plant.step(joints={"hand/left": command})
            self.assertEqual(plant.status, 0)

    def test_the_description_of_a_hand(self):
        with serving(*GRIPPER) as (_, port):
            plant = self.connect(port)
            self.assertEqual(plant.joint_names, ["hand/left", "hand/right"])
            left, right = plant.joint_descriptions
            self.assertEqual((left.turns, left.modes, left.lower, left.upper), (False, 7, 0.0, 0.05))
            self.assertEqual((left.most_effort, left.motor_stiffness, left.motor_damping), (MOTOR_N, 2000.0, 40.0))
            self.assertEqual(plant.names[left.body], "hand/left_finger")
            self.assertEqual((right.modes, right.follows, plant.names[right.body]), (1, 1, "hand/right_finger"))
            self.assertAlmostEqual(plant.joint("hand/left").position, 0.04)
            with self.assertRaisesRegex(distal_client.Error, "no joint 'hand/lft'; did you mean 'hand/left'"):
                plant.step(joints={"hand/lft": distal_client.joint_torque(1.0)})
            with self.assertRaisesRegex(distal_client.Error, "1 commands, there are 2"):
                plant.step(joints=[distal_client.joint_torque(1.0)])

    def test_refusals_are_told_and_nothing_moves(self):
        torque, position = distal_client.joint_torque, distal_client.joint_position
        with serving(*GRIPPER) as (server, port):
            plant = self.connect(port)
            before = plant.joint("hand/left")
            for joint, command, bit in (("left", torque(float("nan")), distal_client.NOT_FINITE),
                                        ("left", position(0.02, float("inf")), distal_client.NOT_FINITE),
                                        ("left", torque(101.0), distal_client.OVER_LIMIT),
                                        ("left", position(0.06), distal_client.OVER_LIMIT),
                                        ("left", position(0.02, 1.5), distal_client.OVER_LIMIT),
                                        ("right", torque(1.0), distal_client.WRONG_MODE),
                                        ("right", position(0.02), distal_client.WRONG_MODE)):
                plant.step(joints={"hand/" + joint: command})
                self.assertEqual(plant.status, distal_client.REFUSED | bit)
            self.assertEqual((plant.period, plant.counters.refused), (0, 7))
            self.assertEqual(plant.joint("hand/left"), before)
            plant.stop()
            server.terminate()
            said = server.communicate(timeout=60)[1]
        self.assertIn("refused: hand/left: a joint_torque with a number that is none", said)

    def test_an_old_client_sees_the_old_messages_and_the_scenes_own_motion(self):
        """Nothing but hello and step of version 1, byte by byte."""
        with serving(*GRIPPER) as (_, port), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.settimeout(20)
            s.connect((HOST, port))
            s.send(struct.pack("<4sHHQdII", b"DSTL", 1, 1, 1, 0.0, 0, 32))
            answer = s.recv(65536)
            bodies = struct.unpack_from("<I", answer, 24)[0]
            self.assertEqual(len(answer), 184 + 336 * bodies)
            for sequence in range(2, 502):
                step = struct.pack("<4sHHQdII", b"DSTL", 1, 2, sequence, 0.0, bodies, 32 + 64 * bodies)
                s.send(step + bodies * struct.pack("<II7d", 1, 0, *7 * [0.0]))
                answer = s.recv(65536)
                self.assertEqual((len(answer), struct.unpack_from("<H", answer, 6)[0]), (112 + 256 * bodies, 102))
        with serving(*GRIPPER) as (_, port):
            names = self.connect(port).names
        force = struct.unpack_from("<3d", answer, 112 + 256 * names.index("hand/left_pad") + 112)
        self.assertAlmostEqual(math.hypot(*force), MOTOR_N / 2, delta=0.002)

    def test_the_same_bits_over_a_bad_network_and_in_the_replay(self):
        """Positions along the scene's own path, a torque, and left alone; recorded, replayed, and over a lossy line."""
        def drive(plant):
            for k in range(1, 121):
                if k <= 60:
                    plant.step(joints={"hand/left": distal_client.joint_position(0.04 - 0.0001 * k, -0.1)})
                elif k <= 100:
                    plant.step(joints={"hand/left": distal_client.joint_torque(-3.0)})
                else:
                    plant.step()
            self.assertEqual(plant.period, 120)
            plant.stop()
        for name in ("good", "bad"):
            with serving(*GRIPPER, *overrides(serve__watchdog_s=10), "--out", f"{self.folder}/{name}") as (server, port):
                network = BadNetwork(port, seed=7) if name == "bad" else None
                drive(self.connect(network.port if network else port))
                if network:
                    network.close()
                    self.assertGreater(network.lost, 0)
                server.terminate()
                server.wait(timeout=60)
        for table in ("joints.csv", "recording/commands.csv", "contacts.csv"):
            self.assertEqual(*(pathlib.Path(self.folder, name, table).read_text() for name in ("good", "bad")), table)
        rows = read_table(self.folder + "/good/joints.csv")
        self.assertEqual(rows[80]["hand/left_n"], -3.0)
        self.assertNotEqual(rows[110]["hand/left_n"], -3.0)
        replayed = run_distal("replay", self.folder + "/good")
        self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)

    def test_a_driven_hand_is_carried_and_gripped_in_one_message(self):
        with serving(*GRIPPER, *overrides(body__hand__mount="driven")) as (_, port):
            plant = self.connect(port)
            start_m = plant.body("hand/base").position_m[2]
            self.close(plant, distal_client.joint_torque(-6.0), 200)
            for _ in range(300):
                plant.step({"hand/base": distal_client.twist(0.0, 0.0, 0.1)},
                           {"hand/left": distal_client.joint_torque(-6.0)})
                self.assertEqual(plant.status, 0)
            self.assertAlmostEqual(plant.body("hand/base").position_m[2] - start_m, 0.03, places=9)
            self.assertAlmostEqual(plant.body("box").position_m[2], 0.03 + 0.03, delta=0.001)

    def test_a_recorded_motion_is_played_back_within_the_servos_error(self):
        """joints.csv of one run is the path of the next, which follows with a servo of its own."""
        first, second = self.folder + "/first", self.folder + "/second"
        # In the air: the box is no obstacle, and the servo alone decides.
        times_s, targets_m = [0.0, 0.1, 0.3, 0.5], [0.04, 0.04, 0.03, 0.045]
        path = f'[joint_path.close]\njoint = "hand/left"\ntimes_s = {times_s}\ntargets_m = {targets_m}\n'
        process = run_distal("run", scene_of(self.folder, "first", path), "--quiet", "--out", first)
        self.assertEqual(process.returncode, 0, process.stderr)
        replayed = scene_of(self.folder, "second", '[joint_path.recorded]\nfile = "first/joints.csv"\n')
        process = run_distal("run", replayed, "--quiet", "--out", second)
        self.assertEqual(process.returncode, 0, process.stderr)
        rows, again = (read_table(folder + "/joints.csv") for folder in (first, second))
        self.assertEqual(len(rows), len(again))
        moved = max(row["hand/left_m"] for row in rows) - min(row["hand/left_m"] for row in rows)
        self.assertGreater(moved, 0.014)
        # What the servo lagged behind its path in the first run is what it lags behind the table in the second.
        servo_m = max(abs(row["hand/left_m"] - on_path(times_s, targets_m, row["time_s"])) for row in rows)
        self.assertLess(servo_m, 2e-4)
        for joint in ("hand/left_m", "hand/right_m"):
            self.assertLess(max(abs(a[joint] - b[joint]) for a, b in zip(rows, again)), 1.1 * servo_m)
        self.assertEqual(read_summary(second)["status"], "done")


if __name__ == "__main__":
    unittest.main()
