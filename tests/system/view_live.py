# ctest: sanitized
"""distal view: a live scene that viewers watch, steer and touch over a real WebSocket."""
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time
import unittest
import urllib.parse

from program import COARSE, overrides, run_distal, scratch_folder
from results import read_summary, read_table
from viewers import BINARY, Refused, Viewer, get, watched, web_socket_frame

SCENE = ["press", *COARSE, *overrides(body__finger__position_m="[0.0, 0.0, 0.0101]", record__frames_per_s=0)]
# Long enough that nothing ends by itself.
ENDLESS = [*SCENE, *overrides(run__duration_s=1000)]

TWO_FINGERS = """
[material.rubber]
density_kg_m3 = 500.0
youngs_modulus_pa = 4000.0
poissons_ratio = 0.4
[run]
duration_s = 1000.0
control_period_s = 0.001
threads = 1
""" + "".join(f"""
[body.{name}]
type = "fingertip"
material = "rubber"
tip_radius_m = 0.010
rod_radius_m = 0.005
tip_length_m = 0.010
rod_length_m = 0.030
rod_mass_kg = 0.02
cell_size_m = 0.0025
position_m = [{x}, 0.0, 0.03]
q_xyzw = [1.0, 0.0, 0.0, 0.0]
""" for name, x in (("left", -0.03), ("right", 0.03)))


def frames_within(viewer, seconds):
    """How many frames come without an answer to any."""
    viewer.polite = False
    viewer.socket.settimeout(0.05)
    before, end_s = viewer.frames, time.monotonic() + seconds
    while time.monotonic() < end_s:
        try:
            viewer.receive()
        except TimeoutError:
            pass
    viewer.socket.settimeout(30)
    return viewer.frames - before


class Steering(unittest.TestCase):
    def test_begins_with_the_first_viewer_and_ends_by_itself(self):
        with watched("view", *SCENE, *overrides(run__duration_s=0.03)) as (_, address):
            time.sleep(0.3)
            with Viewer(address) as viewer:
                self.assertEqual(viewer.frame().head["time_s"], 0.0, "nothing has happened before")
                frame = viewer.frame(lambda head: head["status"] == "ended")
                self.assertAlmostEqual(frame.head["time_s"], 0.03)
                viewer.say("resume")
                viewer.frame(lambda head: head["time_s"] > 0.05 and head["status"] == "running")

    def test_pause_step_speed_and_reset(self):
        with watched("view", *ENDLESS) as (_, address), Viewer(address) as viewer:
            viewer.say("pause")
            at_s = viewer.frame(lambda head: head["status"] == "paused").head["time_s"]
            for k in (1, 2):
                viewer.say("step")
                frame = viewer.frame(lambda head: head["time_s"] > at_s + (k - 0.5) * 0.001)
                self.assertAlmostEqual(frame.head["time_s"], at_s + k * 0.001)
                self.assertEqual(frame.head["status"], "paused")
            viewer.say("speed", value=0.05)
            self.assertEqual(viewer.frame(lambda head: head["speed"] == 0.05).head["status"], "paused")
            viewer.say("resume")
            viewer.frame(lambda head: head["time_s"] > at_s + 0.02)
            factor = viewer.frame(lambda head: head["real_time_factor"] > 0.0).head["real_time_factor"]
            self.assertLess(factor, 0.1)
            viewer.say("speed", value=0)
            viewer.frame(lambda head: head["speed"] == 0.0 and head["time_s"] > at_s + 0.2)
            viewer.say("speed", value=0.05)
            viewer.say("reset")
            viewer.frame(lambda head: head["time_s"] < at_s + 0.1)

    def test_all_viewers_see_the_same_and_a_new_one_sees_a_paused_scene_at_once(self):
        with watched("view", *ENDLESS) as (_, address), Viewer(address) as first, Viewer(address) as second:
            first.say("pause")
            heads = [viewer.frame(lambda head: head["status"] == "paused").head for viewer in (first, second)]
            self.assertEqual(heads[0]["time_s"], heads[1]["time_s"])
            self.assertEqual(heads[0]["bodies"], heads[1]["bodies"])
            with Viewer(address) as third:
                head = third.frame().head
                self.assertEqual((head["time_s"], head["viewers"]), (heads[0]["time_s"], 3))

    def test_show_decides_what_is_sent(self):
        with watched("view", *ENDLESS) as (_, address), Viewer(address) as viewer:
            parts = viewer.scene.head["parts"]
            roles = lambda frame: {parts[part["part"]]["role"] for part in frame.head["parts"]}
            viewer.say("pause")
            viewer.frame(lambda head: head["status"] == "paused")
            viewer.say("show", roles=["lattice"], colour="none", contacts=False)
            frame = viewer.frame(lambda head: all(parts[p["part"]]["role"] == "lattice" for p in head["parts"]))
            self.assertEqual(roles(frame), {"lattice"})
            viewer.say("show", roles=["surface", "rod"], colour="displacement_m", contacts=True)
            frame = viewer.frame(lambda head: any(part.get("colour_name") == "displacement_m" for part in head["parts"]))
            self.assertEqual(roles(frame), {"surface", "rod"})


class Touching(unittest.TestCase):
    def setUp(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name + "/out"

    def test_a_drag_is_recorded_and_replayed_to_the_same_bits(self):
        with watched("view", *ENDLESS, "--out", self.folder) as (process, address):
            with Viewer(address) as viewer:
                end = viewer.frame().head["bodies"][viewer.body("finger")]["position_m"]
                viewer.say("grab", body=viewer.body("finger"), point_m=end)
                viewer.say("drag", target_m=[end[0] + 0.004, end[1], end[2] - 0.002])
                frame = viewer.frame(lambda head: head["bodies"][0]["position_m"][0] > end[0] + 0.0035)
                body = frame.head["bodies"][viewer.body("finger")]
                self.assertTrue(body["in_hand"])
                self.assertGreater(body["contact_count"], 0, "the hand presses the tip on the table")
                viewer.say("push", position_m=[end[0] + 0.0135, end[1], 0.012])
                pointer = viewer.scene.head["pointer"]["body"]
                pushed = viewer.frame(lambda head: any(head["bodies"][pointer]["contact"][:3]))
                viewer.say("pause")
                viewer.frame(lambda head: head["status"] == "paused")
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 0, process.stderr.read())
        # What was on the page is what is in the files, to the last bit.
        for frame, name in ((frame, "finger"), (pushed, "pointer")):
            rows = read_table(f"{self.folder}/series/{name}.csv")
            row = next(row for row in rows if row["time_s"] == frame.head["time_s"])
            shown = next(b for b, body in zip(frame.head["bodies"], viewer.scene.head["bodies"]) if body["name"] == name)
            for wrench in ("contact", "tip", "sensor"):
                columns = [f"{wrench}_{part}" for part in ("fx_n", "fy_n", "fz_n", "tx_n_m", "ty_n_m", "tz_n_m")]
                self.assertEqual(shown[wrench], [row[column] for column in columns])
            self.assertEqual(shown["position_m"], [row["px_m"], row["py_m"], row["pz_m"]])
            self.assertEqual(shown["depth_m"], row["depth_m"])
            if name == "finger":
                self.assertEqual(shown["command"], [row[f"command_{i}"] for i in range(1, 7)])
        replay = run_distal("replay", self.folder)
        self.assertEqual(replay.returncode, 0, replay.stdout + replay.stderr)
        self.assertIn(read_summary(self.folder)["final_state_hash"], replay.stdout)

    def test_give_back_lets_the_controller_go_on(self):
        with watched("view", *ENDLESS) as (_, address), Viewer(address) as viewer:
            end = viewer.frame(lambda head: head["time_s"] > 0.3).head["bodies"][0]["position_m"]
            viewer.say("grab", body=0, point_m=end)
            viewer.say("drag", target_m=[end[0], end[1], end[2] + 0.01])
            viewer.frame(lambda head: head["bodies"][0]["position_m"][2] > end[2] + 0.009)
            viewer.say("release")
            viewer.say("give_back", body=0)
            frame = viewer.frame(lambda head: head["bodies"][0]["position_m"][2] < end[2] + 0.001)
            self.assertFalse(frame.head["bodies"][0]["in_hand"])

    def test_two_viewers_move_two_fingers(self):
        scene = pathlib.Path(self.folder + ".toml")
        scene.write_text(TWO_FINGERS)
        with watched("view", scene) as (_, address), Viewer(address) as one, Viewer(address) as other:
            hands = ((one, one.body("left"), [0.0, 0.0, 0.004]), (other, other.body("right"), [0.004, 0.0, 0.0]))
            bodies = one.frame().head["bodies"]
            starts = [bodies[body]["position_m"] for _, body, _ in hands]
            for (viewer, body, _), start in zip(hands, starts):
                viewer.say("grab", body=body, point_m=start)
            for (viewer, _, way), start in zip(hands, starts):
                viewer.say("drag", target_m=[a + b for a, b in zip(start, way)])
            for (viewer, body, way), start in zip(hands, starts):
                viewer.frame(lambda head: max(abs(now - a - b) for now, a, b in zip(
                    head["bodies"][body]["position_m"], start, way)) < 5e-4)
            other.say("grab", body=hands[0][1], point_m=starts[0])
            self.assertIn("left is in the hand of another viewer", other.note()["text"])
            # Who goes away lets go.
            one.close()
            other.frame(lambda head: head["viewers"] == 1)
            other.say("grab", body=hands[0][1], point_m=starts[0])
            other.say("drag", target_m=[a - b for a, b in zip(starts[0], hands[0][2])])
            other.frame(lambda head: head["bodies"][hands[0][1]]["position_m"][2] < starts[0][2] + 0.002)

    def test_what_cannot_be_done_is_said(self):
        with watched("view", *ENDLESS) as (_, address), Viewer(address) as viewer:
            for kind, values, words in (("grab", {"body": viewer.body("table"), "point_m": [0, 0, 0]}, "cannot be taken"),
                                        ("grab", {"body": viewer.body("pointer"), "point_m": [0, 0, 0]}, "cannot be"),
                                        ("seek", {"time_s": 0}, "recorded"), ("dance", {}, "not understood"),
                                        ("speed", {"value": 1e9}, "between")):
                viewer.say(kind, **values)
                note = viewer.note()
                self.assertTrue(note["error"])
                self.assertIn(words, note["text"])


class Crowd(unittest.TestCase):
    def test_a_viewer_that_says_nothing_gets_two_frames_and_disturbs_nobody(self):
        with watched("view", *ENDLESS) as (_, address), Viewer(address, polite=False) as silent:
            self.assertEqual(frames_within(silent, 1.0), 2)
            with Viewer(address) as viewer:
                first = viewer.frame().head["time_s"]
                viewer.frame(lambda head: head["time_s"] > first + 0.05)

    def test_a_killed_viewer_is_forgotten(self):
        program = "from viewers import Viewer; import sys\nv = Viewer(sys.argv[1])\nprint(flush=True)\n" \
                  "while True: v.receive()"
        with watched("view", *ENDLESS) as (_, address), Viewer(address) as viewer:
            other = subprocess.Popen([sys.executable, "-c", program, address], stdout=subprocess.PIPE)
            other.stdout.readline()
            viewer.frame(lambda head: head["viewers"] == 2)
            other.kill()
            other.communicate()
            viewer.frame(lambda head: head["viewers"] == 1)

    def test_more_than_sixteen_connections_are_refused(self):
        with watched("view", *ENDLESS) as (_, address):
            viewers = [Viewer(address, polite=False) for _ in range(16)]
            self.assertEqual(get(address)[0], 503)
            viewers.pop().close()
            end_s = time.monotonic() + 30
            while get(address)[0] != 200:
                self.assertLess(time.monotonic(), end_s)
            for viewer in viewers:
                viewer.close()

    def test_messages_of_the_wrong_kind_or_size_close_the_connection(self):
        with watched("view", *ENDLESS) as (_, address):
            for message in (web_socket_frame(b"x" * 5000), web_socket_frame(b"{}", BINARY),
                            web_socket_frame(b"{}", mask=False), web_socket_frame(b"{}", code=3)):
                with Viewer(address, polite=False) as viewer:
                    viewer.socket.sendall(message)
                    with self.assertRaises(ConnectionError):
                        while True:
                            viewer.receive()
            with Viewer(address) as viewer:
                viewer.frame()


class Doors(unittest.TestCase):
    def test_the_page_works_alone_and_names_of_others_are_refused(self):
        with watched("view", *ENDLESS) as (_, address):
            status, head, body = get(address)
            self.assertEqual(status, 200)
            policy = next(line for line in head.splitlines() if line.startswith("Content-Security-Policy: "))
            self.assertIn("default-src 'none'", policy)
            self.assertNotIn("unsafe", policy)
            self.assertIn(b"<html", body)
            self.assertNotIn(b"https://", body)
            self.assertEqual(get(address, "/app.js")[0], 200)
            self.assertEqual(get(address, "/style.css")[0], 200)
            self.assertEqual(get(address, "/etc/passwd")[0], 404)
            status, _, body = get(address, headers={"Host": "evil.example"})
            self.assertEqual(status, 403)
            self.assertIn(b"not one that this program serves", body)
            self.assertEqual(get(address, headers={"Origin": "http://evil.example"})[0], 403)
            for headers, status in (({"Origin": "http://evil.example"}, 403), ({"Host": "evil.example"}, 403),
                                    ({"Sec-WebSocket-Protocol": "other"}, 400)):
                with self.assertRaises(Refused) as refused:
                    Viewer(address, headers)
                self.assertEqual(refused.exception.status, status)
            Viewer(address, {"Origin": address.rstrip("/")}).close()

    def test_other_machines_need_a_flag_and_a_token(self):
        process = run_distal("view", *ENDLESS, "--view-host", "0.0.0.0", "--view-port", "0")
        self.assertEqual(process.returncode, 2)
        self.assertIn("--allow-remote", process.stderr)
        with watched("view", *ENDLESS, "--view-host", "0.0.0.0", "--allow-remote") as (_, address):
            parts = urllib.parse.urlsplit(address)
            token = parts.query
            self.assertRegex(token, "^token=[0-9a-f]{32}$")
            bare = f"http://127.0.0.1:{parts.port}/"
            self.assertEqual(get(bare)[0], 401)
            self.assertEqual(get(bare, "/?" + token)[0], 200)
            self.assertEqual(get(bare, "/?token=" + 32 * "0")[0], 401)
            with self.assertRaises(Refused) as refused:
                Viewer(bare)
            self.assertEqual(refused.exception.status, 401)
            with Viewer(bare + "?" + token) as viewer:
                viewer.frame()

    def test_a_taken_port_is_said_clearly(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            for command in (["view"], ["run", "--view"], ["serve", "--view", "--port", "0"]):
                process = run_distal(command[0], *ENDLESS, *command[1:], "--view-port", port)
                self.assertEqual(process.returncode, 2, process.stderr)
                self.assertIn(f"cannot listen at 127.0.0.1:{port}", process.stderr)
                self.assertIn("--view-port", process.stderr)

    def test_bad_words_are_refused(self):
        for words, message in ((["--view-port", "70000"], "--view-port"), (["--at", "1"], "--png"),
                               (["--png", "x.png", "--size", "10"], "--size"), (["--png", ""], "--png"),
                               (["--png", "."], "--png"), (["--png", "no/such/folder.png"], "--png"),
                               (["--png", "x.png", "--at", "nan"], "--at"),
                               (["--view-host", "no.such.host.example"], "--view-host")):
            process = run_distal("view", *ENDLESS, *words)
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertIn(message, process.stderr)
        process = run_distal("view", *ENDLESS, "--png", "x.png", env={**os.environ, "PATH": "/nowhere"})
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assertIn("chromium", process.stderr)


if __name__ == "__main__":
    unittest.main()
