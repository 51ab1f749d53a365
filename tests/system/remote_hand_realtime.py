# ctest: alone
"""What a hand does by itself when its controller falls silent in real time."""
import time
import unittest

from plants import HOST, distal_client, serving
from program import overrides

GRIPPER = ["close_gripper", *overrides(record__frames_per_s=0, run__duration_s=10)]


def fingertips(plant):
    """What the pads press with [N]; beside it they may bear a part of the weight, as the grip came about."""
    return [abs(plant.body(pad).contact[1]) for pad in ("hand/left_pad", "hand/right_pad")]


class SilentController(unittest.TestCase):
    def connect(self, port):
        plant = distal_client.Plant(HOST, port)
        self.addCleanup(plant.stop)
        return plant

    def silence(self, action, command):
        """Closes the gripper in real time, then says nothing; returns the joint just before and well after."""
        with serving(*GRIPPER, "--mode", "realtime", "--safe-action", action, "--watchdog", "0.2") as (_, port):
            plant = self.connect(port)
            self.close_on_time(plant, command)
            before = plant.joint("hand/left")
            time.sleep(0.8)
            later = self.connect(port)
            self.assertTrue(later.status & distal_client.SAFE_ACTION)
            return before, later.joint("hand/left"), fingertips(later)

    def close_on_time(self, plant, command):
        while plant.period < 400:
            plant.step(joints={"hand/left": command})
            self.assertFalse(plant.status & (distal_client.REFUSED | distal_client.FAILED))

    def test_silence_and_zero_torque(self):
        _, after, forces = self.silence("zero", distal_client.joint_torque(-6.0))
        self.assertEqual((after.mode, after.effort), (distal_client.JOINT_TORQUE, 0.0))
        self.assertLess(max(forces), 0.5, "let go")

    def test_silence_and_hold(self):
        before, after, forces = self.silence("hold", distal_client.joint_position(0.018, -0.05))
        self.assertEqual(after.mode, distal_client.JOINT_POSITION)
        self.assertAlmostEqual(after.position, before.position, delta=1e-4)
        # 2 mm into the box at 2000 N/m; the 40 N s/m against the target's rate were there while it had one.
        self.assertAlmostEqual(after.effort, before.effort + 2.0, delta=0.1)
        self.assertAlmostEqual(min(forces), -after.effort / 2, delta=0.01)

    def test_silence_and_brake(self):
        before, after, _ = self.silence("brake", distal_client.joint_torque(-6.0))
        self.assertEqual(after.mode, distal_client.JOINT_POSITION)
        self.assertAlmostEqual(after.position, before.position, delta=2e-3)
        self.assertLess(abs(after.velocity), 1e-3)


if __name__ == "__main__":
    unittest.main()
