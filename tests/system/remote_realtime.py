# ctest: alone
"""Real time: a controller that is killed in contact, the next one, a clock that is kept, and the stand-in for hardware."""
import pathlib
import re
import subprocess
import sys
import time
import unittest

from plants import EXAMPLES, HOST, BadNetwork, distal_client, expected_counters, listening, press, serving
from program import COARSE, SOURCE, overrides, run_distal, scratch_folder
from results import not_finite, read_summary, read_table

# Cheap enough for real time on a machine that does other things too; the tip starts at the table.
PRESS = ["press", *COARSE, *overrides(body__finger__position_m="[0.0, 0.0, 0.0101]", record__frames_per_s=0)]
WATCHDOG_S = 0.2  # longer than a busy machine keeps the controller waiting
COMMAND = tuple(f"command_{i}" for i in range(1, 7))


def wait_for(condition, what):
    deadline = time.monotonic() + 60
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError("waited in vain for " + what)
        time.sleep(0.01)


def rows_of(series):
    return len(series.read_text().splitlines()) - 1 if series.exists() else 0


class RealTime(unittest.TestCase):
    def kill_in_contact(self, out, *arguments):
        """Kills a controller with the tip on the table, lets the plant go on alone, then a second controller come.
        Returns the series, its length when the controller was killed, and what the second one found."""
        with serving(*PRESS, "--mode", "realtime", "--out", out, *arguments) as (server, port):
            series = pathlib.Path(out, "series/finger.csv")
            command = [sys.executable, str(SOURCE / "examples/spring_controller.py"), HOST, str(port)]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as controller:
                wait_for(lambda: rows_of(series) > 150, "contact")
                controller.kill()
            killed = rows_of(series)
            wait_for(lambda: rows_of(series) > killed + 600, "the plant to go on alone")
            plant = distal_client.Plant(HOST, port)
            found = plant.status
            plant.step([distal_client.wrench(0.0, 0.0, -0.1)])
            after = plant.status
            plant.stop()
            server.terminate()
            server.wait(timeout=60)
            return read_table(series), killed, found, after

    def kill_and_look(self, action):
        """The rows, how many there were at the kill, the commands, and the figures of the link."""
        with scratch_folder() as folder:
            rows, killed, found, after = self.kill_in_contact(folder + "/out", "--safe-action", action, "--watchdog",
                                                              str(WATCHDOG_S))
            link = read_summary(folder + "/out")["link"]
        self.assertTrue(found & distal_client.SAFE_ACTION)
        self.assertFalse(after & distal_client.SAFE_ACTION, "the next controller is served")
        self.assertEqual(not_finite(rows), [])
        return rows, killed, [tuple(row[name] for name in COMMAND) for row in rows], link

    def assert_calm(self, alone):
        self.assertLess(max(abs(row["vz_m_s"]) for row in alone), 0.3)
        self.assertLess(max(row["depth_m"] for row in alone), 0.006)

    def check_killed(self, action, is_safe):
        rows, killed, commands, link = self.kill_and_look(action)
        # The last command of the one that was killed is held for the watchdog time, then comes the safe action.
        first_safe = next(i for i in range(killed, len(rows)) if is_safe(rows[i - 1], commands[i]))
        last_command = next(i for i in range(first_safe - 1, 0, -1) if commands[i] != commands[i - 1])
        # The watchdog goes by the clock; periods that lagged behind may be made up for meanwhile.
        most = (WATCHDOG_S + link["largest_lag_s"]) / 0.001 + 2
        self.assertLessEqual(first_safe - last_command, most)
        self.assertGreater(rows[first_safe]["contact_count"], 0, "in contact")
        alone = rows[first_safe:killed + 600]
        self.assert_calm(alone)
        return alone

    def test_killed_in_contact_then_no_wrench(self):
        self.check_killed("zero", lambda before, command: not any(command))

    def test_killed_in_contact_then_brake(self):
        def is_brake(before, command):
            # The rod's 20 g against its speed, and the weight of rod and tip (0.22 N), upward: -z of E.
            return abs(command[2] - (0.02 * 0.5 * before["vz_m_s"] / 0.001 - 0.2177)) < 0.01
        alone = self.check_killed("brake", is_brake)
        self.assertLess(abs(alone[-1]["vz_m_s"]), 0.005, "it has come to rest")

    def test_killed_in_contact_then_hold(self):
        rows, killed, commands, link = self.kill_and_look("hold")
        alone = rows[killed:killed + 600]
        # A period may have been computed and not yet written, or a command on its way, when the controller was killed.
        self.assertEqual(len(set(commands[killed + 20:killed + 600])), 1)
        self.assertNotEqual(commands[killed + 20][2], 0.0)
        self.assertIn(commands[killed + 20], commands[:killed + 20], "the last command of the one that was killed")
        self.assertGreaterEqual(link["safe_actions"], 1)
        self.assertGreater(rows[killed]["contact_count"], 0, "in contact")
        self.assert_calm(alone)
        self.assertLess(abs(alone[-1]["vz_m_s"]), 0.005, "it has come to rest")

    def test_a_bad_network_is_counted_exactly_and_the_task_is_met(self):
        wanted_n = 0.1
        with serving("press_curve", *COARSE, "--mode", "realtime") as (_, port):
            network = BadNetwork(port, seed=6)
            plant = distal_client.Plant(HOST, network.port)
            while plant.simulated_s < 1.5:
                # Slow against the network's delays: 10 a second on a finger of 100 N/m.
                speed_m_s = 0.1 * (wanted_n + plant.bodies[0].contact[2])
                plant.step([distal_client.twist(0.0, 0.0, -max(-0.02, min(0.02, speed_m_s)))])
                self.assertFalse(plant.status & (distal_client.REFUSED | distal_client.FAILED))
            force_n = -plant.bodies[0].contact[2]
            plant.stop()
            network.close()
            other = distal_client.Plant(HOST, port)
            received, *counters = other.counters
            other.stop()
        self.assertAlmostEqual(force_n, wanted_n, delta=0.02 * wanted_n)
        self.assertEqual((received - 1, *counters), (*expected_counters(network.delivered), 0, 0))
        for count in (network.lost, network.doubled, network.delayed, counters[1] + counters[2]):
            self.assertGreater(count, 0, "the network was bad")

    def test_the_clock_is_kept_and_reported(self):
        with scratch_folder() as folder:
            arguments = [*PRESS, *overrides(run__duration_s=0.3)]
            with serving(*arguments, "--mode", "realtime", "--once", "--out", folder + "/out") as (server, port):
                start_s = time.monotonic()
                control = run_distal("control", "--connect", f"{HOST}:{port}", *arguments)
                self.assertEqual(control.returncode, 0, control.stderr)
                self.assertGreaterEqual(time.monotonic() - start_s, 0.299, "never faster than the clock")
                self.assertEqual(server.wait(timeout=60), 0)
            link = read_summary(folder + "/out")["link"]
        self.assertEqual(link["clock"], "realtime")
        self.assertEqual(link["periods"], 300)
        delay = link["start_delay_s"]
        self.assertTrue(0.0 < delay["median"] <= delay["p99"] <= delay["p99_9"] <= delay["worst"])
        self.assertLessEqual(link["missed_deadlines"], 300)

    def test_a_plant_that_is_too_slow_says_so(self):
        slow = ["press", *overrides(body__finger__cell_size_m=0.0008, run__threads=1, record__frames_per_s=0)]
        with serving(*slow, "--mode", "realtime") as (_, port):
            plant = distal_client.Plant(HOST, port)
            press(plant, 20)
            self.assertTrue(plant.status & distal_client.LAGGING)
            self.assertGreater(plant.lag_s, plant.period_s)
            plant.stop()

    def test_reset_stops_the_clock_until_the_next_command(self):
        with serving(*PRESS, "--mode", "realtime") as (_, port):
            plant = distal_client.Plant(HOST, port)
            press(plant, 20)
            self.assertGreaterEqual(plant.period, 20)
            plant.reset()
            time.sleep(0.1)
            plant.step([distal_client.wrench(0.0, 0.0, -0.2)])
            self.assertEqual(plant.period, 1)
            plant.stop()

    def test_the_stand_in_for_hardware(self):
        with listening(EXAMPLES / "stand_in_finger") as (hardware, port):
            control = run_distal("control", "--connect", f"{HOST}:{port}", "press")
            self.assertEqual(control.returncode, 0, control.stderr)
            # 3 mm deep on a spring of 100 N/m.
            force_n = float(re.search(r"contact force ([\d.]+) N", control.stderr).group(1))
            self.assertAlmostEqual(force_n, 0.3, delta=0.01)
            self.assertEqual(hardware.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
