"""A controller in twenty lines, in a program of its own: a spring and a damper let the finger down on the table and hold
it there. It needs one file, distal_client.py. usage: spring_controller.py HOST PORT, after `distal serve press`"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "clients" / "python"))
import distal_client as distal

plant = distal.Plant(sys.argv[1], int(sys.argv[2]))
wanted_m = plant.bodies[0].position_m[2]
lowest_m = wanted_m - 0.008
for _ in range(500):
    finger = plant.bodies[0]
    wanted_m = max(wanted_m - 0.02 * plant.period_s, lowest_m)
    up_n = 0.22 + 50.0 * (wanted_m - finger.position_m[2]) - 1.0 * finger.linear_m_s[2]
    plant.step([distal.wrench(0.0, 0.0, -up_n)])  # the finger points down: E's z axis is the world's, upside down
    if plant.done or plant.status & distal.REFUSED:
        break
print(f"pressed with {-plant.bodies[0].contact[2]:.4f} N")
plant.stop()
