"""Closes a gripper on a box from outside, by the position of its joint or by the force of its motor, and tells what the
fingertips feel. usage: gripper_controller.py HOST PORT position|torque, after `distal serve close_gripper`"""
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "clients" / "python"))
import distal_client as distal

CLOSING_M_S, GRIP_N = 0.1, 6.0

plant = distal.Plant(sys.argv[1], int(sys.argv[2]))
target_m = plant.joint("hand/left").position  # half the opening; hand/right follows
for _ in range(500):
    if sys.argv[3] == "position":
        target_m = max(target_m - CLOSING_M_S * plant.period_s, 0.01)  # into the box: the motor's limit is the grip
        command = distal.joint_position(target_m, -CLOSING_M_S if target_m > 0.01 else 0.0)
    else:  # no faster than CLOSING_M_S in the air, GRIP_N at the box
        command = distal.joint_torque(-GRIP_N * (1.0 + plant.joint("hand/left").velocity / CLOSING_M_S))
    plant.step(joints={"hand/left": command})
    if plant.done or plant.status & distal.REFUSED:
        sys.exit(f"status {plant.status:b}")
joint = plant.joint("hand/left")
left_n, right_n = (math.hypot(*plant.body(pad).contact[:3]) for pad in ("hand/left_pad", "hand/right_pad"))
print(f"motor {joint.effort:.3f} N{' (all it can)' if joint.limited else ''}, "
      f"fingertips press with {left_n:.4f} and {right_n:.4f} N")
plant.stop()
