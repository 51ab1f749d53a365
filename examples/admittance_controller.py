"""Wrench in, twist out: what industrial arms run. The finger is let down until the sensor feels the wanted force, and
gives way when it feels more. usage: admittance_controller.py HOST PORT, after `distal serve press_curve`, whose finger
has mount = "driven" """
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "clients" / "python"))
import distal_client as distal

# The mass and the damping that the finger is to feel like [kg], [N s/m]: well damped on a finger of 100 N/m.
WANTED_N, MASS, DAMPING, FASTEST_M_S = 0.10, 0.1, 5.0, 0.02

plant = distal.Plant(sys.argv[1], int(sys.argv[2]))
weight_n = plant.bodies[0].sensor[2]  # what the sensor reads before contact
speed_m_s = 0.0  # down
for _ in range(1000):
    force_n = -(plant.bodies[0].sensor[2] - weight_n)  # E's z axis points out of the tip
    speed_m_s += (WANTED_N - force_n - DAMPING * speed_m_s) / MASS * plant.period_s
    speed_m_s = max(-FASTEST_M_S, min(FASTEST_M_S, speed_m_s))
    plant.step([distal.twist(0.0, 0.0, -speed_m_s)])  # twists are in the world: down is negative
    if plant.done or plant.status & distal.REFUSED:
        break
got_n = -plant.bodies[0].contact[2]
print(f"wanted {WANTED_N:.3f} N, got {got_n:.4f} N")
plant.stop()
sys.exit(0 if abs(got_n / WANTED_N - 1.0) < 0.02 else 1)
