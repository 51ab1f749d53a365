# ctest: sanitized
"""distal view DIR: a recorded run, played and searched; and pictures of it."""
import pathlib
import shutil
import signal
import struct
import unittest
import zlib

from program import COARSE, overrides, run_distal, scratch_folder
from results import read_table
from viewers import Viewer, watched

SCENE = ["press", *COARSE, *overrides(body__finger__position_m="[0.0, 0.0, 0.0101]", run__duration_s=0.1,
                                      record__frames_per_s=50)]


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = scratch_folder()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name + "/out"
        process = run_distal("run", *SCENE, "--out", cls.folder)
        if process.returncode != 0:
            raise AssertionError(process.stderr)

    def test_every_frame_shows_the_numbers_of_the_series(self):
        rows = {row["time_s"]: row for row in read_table(self.folder + "/series/finger.csv")}
        with watched("view", self.folder) as (_, address), Viewer(address) as viewer:
            head = viewer.scene.head
            self.assertEqual(head["mode"], "recorded")
            self.assertEqual(len(head["times_s"]), 6)
            self.assertEqual(viewer.frame().head["status"], "ended")
            for time_s in head["times_s"][1:]:
                viewer.say("seek", time_s=time_s + 0.005)
                frame = viewer.frame(lambda shown: shown["time_s"] == time_s)
                row = min(rows.values(), key=lambda row: abs(row["time_s"] - time_s))
                self.assertAlmostEqual(row["time_s"], time_s)
                body = frame.head["bodies"][0]
                self.assertEqual(body["contact"][:3], [row[f"contact_f{axis}_n"] for axis in "xyz"])
                self.assertEqual(body["sensor"][3:], [row[f"sensor_t{axis}_n_m"] for axis in "xyz"])
                self.assertEqual(body["contact_area_m2"], row["contact_area_m2"])
                self.assertEqual(body["command"], [row[f"command_{i}"] for i in range(1, 7)])

    def test_plays_steps_and_goes_back(self):
        with watched("view", self.folder) as (_, address), Viewer(address) as viewer:
            viewer.say("reset")
            self.assertEqual(viewer.frame(lambda head: head["time_s"] == 0.0).head["status"], "paused")
            viewer.say("step")
            viewer.frame(lambda head: abs(head["time_s"] - 0.02) < 1e-9)
            viewer.say("resume")
            viewer.frame(lambda head: head["status"] == "running")
            viewer.frame(lambda head: head["status"] == "ended")
            viewer.say("resume")
            viewer.frame(lambda head: head["status"] == "running" and head["time_s"] < 0.05)
            viewer.say("grab", body=0, point_m=[0, 0, 0])
            self.assertIn("recorded", viewer.note()["text"])

    def test_a_picture_is_drawn(self):
        picture = pathlib.Path(self.folder, "picture.png")
        process = run_distal("view", self.folder, "--png", picture, "--at", "0.06", "--size", "320x240")
        self.assertEqual(process.returncode, 0, process.stderr)
        width, height, pixels = read_png(picture)
        self.assertEqual((width, height), (320, 240))
        self.assertGreater(len(set(pixels)), 50, "something is drawn")

    def test_a_picture_after_the_end_is_noted(self):
        picture = pathlib.Path(self.folder, "late.png")
        for words in ((self.folder,), SCENE):
            process = run_distal("view", *words, "--png", picture, "--at", "1e9", "--size", "320x240")
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertRegex(process.stderr, r"--at 1e\+09: the (run ends at|last frame is that of) 0\.1 s")

    def test_a_damaged_frame_is_named_and_the_others_are_shown(self):
        with scratch_folder() as scratch:
            folder = pathlib.Path(scratch, "out")
            shutil.copytree(self.folder, folder)
            (folder / "frames/rigid_000001.vtu").unlink()
            cut = folder / "frames/surface_000003.vtu"
            cut.write_bytes(cut.read_bytes()[:2000])
            with watched("view", folder) as (process, address):
                with Viewer(address) as viewer:
                    times_s = viewer.scene.head["times_s"]
                    self.assertEqual(len(times_s), 5)
                    for time_s in (times_s[2], times_s[1], times_s[2], times_s[3]):
                        viewer.say("seek", time_s=time_s)
                        head = viewer.frame(lambda shown: shown["time_s"] == time_s).head
                        damaged = time_s == times_s[2]
                        self.assertEqual("surface_000003.vtu" in head["message"], damaged, head["message"])
                        self.assertEqual(len(head["parts"]) == 0, damaged)
                        self.assertNotEqual(head["bodies"][0]["contact"], [0.0] * 6)
                process.send_signal(signal.SIGINT)
                self.assertIn("1 of 6 frames are missing", process.communicate(timeout=60)[1])
                self.assertEqual(process.returncode, 0)
            process = run_distal("view", folder, "--png", folder / "x.png", "--at", times_s[2])
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertIn("surface_000003.vtu", process.stderr)

    def test_what_holds_no_run_is_refused(self):
        with scratch_folder() as empty:
            for words in ((empty,), (self.folder, "--out", "x"), (self.folder, "--set", "run.seed=2")):
                process = run_distal("view", *words, "--view-port", "0")
                self.assertEqual(process.returncode, 2, process.stderr)
                self.assertTrue(process.stderr.startswith("distal: error"), process.stderr)


def read_png(path):
    """Width, height and pixels of an 8-bit picture without interlacing."""
    data = path.read_bytes()
    width, height, depth, colour = struct.unpack_from(">IIBB", data, 16)
    assert depth == 8 and colour in (2, 6)
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    raw, step = zlib.decompress(packed), 3 if colour == 2 else 4
    rows, above = [], bytes(width * step)
    for y in range(height):
        begin = y * (width * step + 1)
        row = bytearray(raw[begin + 1:begin + 1 + width * step])
        for i in range(len(row)):
            left, up = row[i - step] if i >= step else 0, above[i]
            corner = above[i - step] if i >= step else 0
            row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth(left, up, corner))[raw[begin]]) & 255
        rows.append(bytes(row))
        above = row
    return width, height, [row[i:i + 3] for row in rows for i in range(0, len(row), step)]


def paeth(left, up, corner):
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


if __name__ == "__main__":
    unittest.main()
