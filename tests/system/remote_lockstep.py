# ctest: sanitized
"""distal serve in lock-step: an outside controller gives the same bits as the same controller inside."""
import os
import pathlib
import signal
import socket
import unittest

from plants import HOST, BadNetwork, distal_client, expected_counters, press, serving
from program import QUICK, SCENARIOS, overrides, run_distal, scratch_folder, start_distal
from results import read_summary, read_table

# The link is what is tested here, also under sanitizers: as few particles as a finger can have.
PRESS = ["press", *QUICK, *overrides(body__finger__cell_size_m=0.004)]
TABLES = ("series/finger.csv", "energy.csv", "recording/commands.csv")


def text_of(folder, table):
    return pathlib.Path(folder, table).read_text()


class LockStep(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def connect(self, port):
        plant = distal_client.Plant(HOST, port)
        self.addCleanup(plant.stop)
        return plant

    def assert_same_tables(self, a, b):
        for table in TABLES:
            self.assertEqual(text_of(a, table), text_of(b, table), table)

    def test_the_controller_outside_gives_the_bits_of_the_controller_inside(self):
        inside, outside = self.folder + "/inside", self.folder + "/outside"
        process = run_distal("run", *PRESS, "--out", inside)
        self.assertEqual(process.returncode, 0, process.stderr)
        with serving(*PRESS, "--once", "--out", outside) as (server, port):
            control = run_distal("control", "--connect", f"{HOST}:{port}", *PRESS)
            self.assertEqual(control.returncode, 0, control.stderr)
            self.assertEqual(server.wait(timeout=60), 0)
        self.assert_same_tables(inside, outside)
        hashes = [read_summary(folder)["final_state_hash"] for folder in (inside, outside)]
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(read_summary(outside)["link"]["refused"], 0)

    def test_a_controller_reports_its_own_time_and_what_it_takes_over(self):
        with serving(*PRESS, "--out", self.folder + "/out") as (_, port):
            first, second, third = (run_distal("control", "--connect", f"{HOST}:{port}", *PRESS, *reset)
                                    for reset in ([], [], ["--reset"]))
        for process in (first, second, third):
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertIn("controlled finger for 0.03 s", process.stderr)
        self.assertNotIn("note", first.stderr)
        self.assertRegex(second.stderr, r"begins at 0.03 s of the plant's time, finger touches with \S+ N; --reset")
        self.assertNotIn("note", third.stderr)

    def test_reset_gives_the_same_bits_again_in_a_folder_of_its_own(self):
        with serving(*PRESS, "--once", "--out", self.folder + "/out") as (server, port):
            plant = self.connect(port)
            press(plant, 20)
            plant.reset()
            self.assertEqual((plant.period, plant.episode), (0, 1))
            press(plant, 20)
            plant.stop()
            self.assertEqual(server.wait(timeout=60), 0)
        self.assert_same_tables(self.folder + "/out", self.folder + "/out-2")
        self.assertEqual(len(read_table(self.folder + "/out-2/series/finger.csv")), 20)

    def test_a_lossy_network_changes_no_bit_and_is_counted_exactly(self):
        good, bad = self.folder + "/good", self.folder + "/bad"
        press_long = [*PRESS, *overrides(run__duration_s=10)]
        with serving(*press_long, "--once", "--out", good) as (server, port):
            plant = self.connect(port)
            press(plant, 200)
            plant.stop()
            server.wait(timeout=60)
        with serving(*press_long, "--out", bad) as (server, port):
            network = BadNetwork(port, seed=4)
            plant = self.connect(network.port)
            press(plant, 200)
            self.assertEqual(plant.period, 200, "a repeated packet never steps twice")
            plant.stop()
            network.close()
            other = self.connect(port)
            expected = expected_counters(network.delivered)
            received, lost, late, repeated, malformed, refused = other.counters
            self.assertEqual((received - 1, lost, late, repeated), expected)
            self.assertEqual((malformed, refused), (0, 0))
            for count in (network.lost, network.doubled, network.delayed, late + repeated):
                self.assertGreater(count, 0, "the network was bad")
            server.send_signal(signal.SIGINT)
            self.assertEqual(server.wait(timeout=60), 0)
        self.assert_same_tables(good, bad)

    def test_refusals_are_told_and_nothing_moves(self):
        with serving(*PRESS) as (_, port):
            plant = self.connect(port)
            for command, bit in ((distal_client.wrench(0, 0, float("nan")), distal_client.NOT_FINITE),
                                 (distal_client.wrench(0, 0, 101), distal_client.OVER_LIMIT),
                                 (distal_client.twist(0, 0, 0.01), distal_client.WRONG_MODE)):
                plant.step([command])
                self.assertEqual(plant.status, distal_client.REFUSED | bit)
            self.assertEqual((plant.period, plant.counters.refused), (0, 3))
            with self.assertRaisesRegex(distal_client.Error, "busy"):
                distal_client.Plant(HOST, port)

    def test_an_interrupt_leaves_a_complete_record(self):
        out = self.folder + "/out"
        with serving(*PRESS, "--once", "--out", out) as (server, port):
            plant = self.connect(port)
            press(plant, 10)
            server.send_signal(signal.SIGINT)
            self.assertEqual(server.wait(timeout=60), 1)
        self.assertEqual(read_summary(out)["status"], "interrupted")
        self.assertEqual(len(read_table(out + "/series/finger.csv")), 10)
        self.assertTrue(pathlib.Path(out, "report.html").exists())

    def press_too_fast(self, plant):
        """Drives the finger into the table until a step fails."""
        for _ in range(50):
            plant.step([distal_client.twist(0.0, 0.0, -3.0)])
            if plant.done:
                break
        self.assertTrue(plant.status & distal_client.FAILED)

    def test_a_failed_step_is_told_with_its_reason_and_a_reset_goes_on(self):
        driven = ["press_curve", *overrides(body__finger__cell_size_m=0.004, run__threads=1, serve__max_speed_m_s=5,
                                            integrator__kind="semi_implicit_euler")]
        with serving(*driven) as (server, port):
            plant = self.connect(port)
            self.press_too_fast(plant)
            plant.reset()
            plant.step([distal_client.twist(0.0, 0.0, -0.01)])
            self.assertEqual((plant.period, plant.status & distal_client.FAILED), (1, 0))
            server.send_signal(signal.SIGINT)
            said = server.communicate(timeout=60)[1]
        self.assertRegex(said, r"note: diverged at t = .*body 'finger'.*Press more slowly.*; a controller may go on with reset")
        self.assertEqual(server.returncode, 0)
        with serving(*driven, "--once") as (server, port):
            self.press_too_fast(self.connect(port))
            said = server.communicate(timeout=60)[1]
        self.assertRegex(said, r"error: diverged at t = .*body 'finger'")
        self.assertEqual(server.returncode, 1)

    def test_a_reader_of_its_address_who_leaves_does_not_end_it(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
            free.bind((HOST, 0))
            port = free.getsockname()[1]
        with start_distal("serve", *PRESS, "--once", "--port", port) as server:
            server.stdout.close()
            plant = self.connect(port)
            press(plant, 5)
            self.assertEqual(plant.period, 5)
            plant.stop()
            said = server.stderr.read()
        self.assertIn("standard output could not be written", said)
        self.assertEqual(server.returncode, 1)

    def assert_refused(self, *arguments, words):
        process = run_distal(*arguments, timeout_s=60)
        self.assertEqual(process.returncode, 2, process.stderr)
        for word in words:
            self.assertIn(word, process.stderr)
        self.assertEqual(process.stdout, "")

    def test_bad_usage(self):
        serve = ["serve", *PRESS]
        self.assert_refused(*serve, "--host", "0.0.0.0", words=["--allow-remote", "127.0.0.1"])
        self.assert_refused(*serve, "--host", "::", words=["--allow-remote"])
        self.assert_refused(*serve, "--host", "no.such.host.invalid", words=["--host no.such.host.invalid"])
        self.assert_refused(*serve, "--port", "65536", words=["65535"])
        self.assert_refused(*serve, "--mode", "fast", words=["lockstep", "realtime"])
        self.assert_refused(*serve, "--watchdog", "-1", words=["serve.watchdog_s", "(0, 60]"])
        self.assert_refused(*serve, "--safe-action", "brke", words=["serve.safe_action", "brake"])
        self.assert_refused(*serve, "--set", "serve.max_force=1", words=["max_force_n"])
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as taken:
            taken.bind((HOST, 0))
            self.assert_refused(*serve, "--port", str(taken.getsockname()[1]), words=["--port", "another program"])
        for address in ("localhost", "127.0.0.1:", "127.0.0.1:0", ":17810", "127.0.0.1:99999", "127.0.0.1:1x"):
            self.assert_refused("control", "--connect", address, words=["HOST:PORT", "17810"])
        self.assert_refused("control", "--connect", "127.0.0.1:1", "twist", words=["[controller.NAME]"])

    def test_a_controller_for_another_body_is_refused(self):
        with serving(*PRESS) as (_, port):
            scene = pathlib.Path(self.folder, "other.toml")
            scene.write_text((SCENARIOS / "press.toml").read_text().replace("body.finger]", "body.thumb]").replace(
                'body = "finger"', 'body = "thumb"'))
            self.assert_refused("control", "--connect", f"{HOST}:{port}", scene, words=["'thumb'", "finger"])

    def test_nobody_there(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.bind((HOST, 0))
            process = run_distal("control", "--connect", f"{HOST}:{silent.getsockname()[1]}", timeout_s=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("does not answer", process.stderr)

    @unittest.skipUnless(socket.has_ipv6 and os.path.exists("/proc/net/if_inet6"), "no IPv6 here")
    def test_ipv6(self):
        with serving(*PRESS, "--host", "::1", "--once") as (server, port):
            control = run_distal("control", "--connect", f"[::1]:{port}", *PRESS)
            self.assertEqual(control.returncode, 0, control.stderr)
            self.assertEqual(server.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
