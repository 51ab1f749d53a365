"""report.html in a real browser: it opens without a complaint, from one file, and shows its figures."""
import pathlib
import shutil
import struct
import subprocess
import unittest
import zlib

from program import COARSE, QUICK, SCENARIOS, overrides, run_distal, scratch_folder

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
PROBE = """<script>window.addEventListener("load", () => {
  const seen = (one) => { const box = one.getBoundingClientRect(); return box.width > 50 && box.height > 50; };
  document.body.setAttribute("data-figures", [...document.querySelectorAll("svg")].filter(seen).length);
  document.body.setAttribute("data-wide", document.documentElement.scrollWidth > window.innerWidth + 1);
});</script>"""


def count_colours(png):
    """Distinct colours of an 8-bit RGB or RGBA screenshot, by the standard library alone."""
    data, at, packed = png.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        at += 12 + length
    channels, raw = {2: 3, 6: 4}[colour], zlib.decompress(packed)
    stride = width * channels
    colours, above = set(), bytearray(stride)
    for y in range(height):
        filter_kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        undo_filter(filter_kind, line, above, channels)
        colours.update(bytes(line[x:x + 3]) for x in range(0, stride, channels * 3))
        above = line
    return len(colours)


def undo_filter(kind, line, above, step):
    """PNG: each byte is stored as a difference to its neighbours."""
    for i in range(len(line)):
        left = line[i - step] if i >= step else 0
        corner = above[i - step] if i >= step else 0
        if kind == 1:
            line[i] = (line[i] + left) & 255
        elif kind == 2:
            line[i] = (line[i] + above[i]) & 255
        elif kind == 3:
            line[i] = (line[i] + (left + above[i]) // 2) & 255
        elif kind == 4:
            guess = left + above[i] - corner
            near = min((left, above[i], corner), key=lambda value: abs(guess - value))
            line[i] = (line[i] + near) & 255


@unittest.skipUnless(BROWSER, "no browser here")
class ReportPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = scratch_folder()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.reports = {}
        for name, more in (("press", QUICK), ("press_curve", [*COARSE, *overrides(
                motion__depths_m="[0.0005, 0.001]", motion__settle_tolerance=0.01)])):
            process = run_distal("run", SCENARIOS / f"{name}.toml", "--out", cls.folder / name, *more,
                                 *overrides(record__frames_per_s=100))
            assert process.returncode == 0, process.stderr
            cls.reports[name] = cls.folder / name / "report.html"

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def browse(self, page, *arguments):
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   f"--user-data-dir={self.folder}/profile", "--enable-logging=stderr", "--log-level=0",
                   "--virtual-time-budget=3000", *arguments, page.as_uri()]
        process = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(process.returncode, 0, process.stderr)
        complaints = [line for line in process.stderr.splitlines() if "CONSOLE" in line]
        self.assertEqual(complaints, [])
        return process.stdout

    def test_shows_its_figures(self):
        for name, report in self.reports.items():
            with self.subTest(name):
                # A copy elsewhere: the page must not need the files beside it.
                page = self.folder / f"{name}_alone.html"
                page.write_text(report.read_text().replace("</body>", PROBE + "</body>"))
                seen = self.browse(page, "--dump-dom", "--window-size=1200,3000")
                figures = int(seen.split('data-figures="')[1].split('"')[0])
                self.assertGreaterEqual(figures, 8)
                self.assertIn('data-wide="false"', seen)

    def test_is_drawn_in_colour(self):
        picture = self.folder / "press.png"
        # A small picture: undoing its compression here is slow.
        self.browse(self.reports["press"], f"--screenshot={picture}", "--window-size=600,1500")
        self.assertGreater(count_colours(picture), 200)

    def test_needs_no_network(self):
        for report in self.reports.values():
            text = report.read_text()
            for word in ('src="http', 'href="http', "url(http", "@import"):
                self.assertNotIn(word, text)


if __name__ == "__main__":
    unittest.main()
