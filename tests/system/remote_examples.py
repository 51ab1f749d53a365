"""The example controllers, and the programs printed in the docs."""
import pathlib
import re
import subprocess
import sys
import unittest

from plants import EXAMPLES, HOST, distal_client, serving
from program import COARSE, SOURCE, overrides

DOCS = SOURCE / "docs"
GRIPPER = ["close_gripper", *overrides(record__frames_per_s=0, run__duration_s=10)]
MOTOR_N = 8.0  # at most, of the scene


def blocks(page, language):
    """The code blocks of a page in one language."""
    return re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.S)


class Examples(unittest.TestCase):
    def run_program(self, *command):
        process = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def test_the_example_controllers(self):
        for scene, name in (("press", "spring_controller"), ("press_curve", "admittance_controller")):
            for command in ([EXAMPLES / name], [sys.executable, SOURCE / "examples" / (name + ".py")]):
                with self.subTest(pathlib.Path(command[-1]).name), serving(scene, *COARSE, "--once") as (server, port):
                    force_n = float(self.run_program(*command, HOST, port).split()[-2])
                    self.assertTrue(0.05 < force_n < 0.5, force_n)
                    self.assertEqual(server.wait(timeout=60), 0)

    def test_the_examples_close_the_gripper_by_position_and_by_torque(self):
        """One motor moves both fingers, so each fingertip presses with half its force."""
        for command in ([EXAMPLES / "gripper_controller"], [sys.executable, SOURCE / "examples/gripper_controller.py"]):
            for mode, motor_n in (("position", MOTOR_N), ("torque", 6.0)):
                with self.subTest(f"{pathlib.Path(command[-1]).name} {mode}"), serving(*GRIPPER, "--once") as (server, port):
                    process = subprocess.run([*map(str, command), HOST, str(port), mode], capture_output=True, text=True,
                                             timeout=120, check=False)
                    self.assertEqual(process.returncode, 0, process.stderr)
                    self.assertEqual(server.wait(timeout=60), 0)
                    words = re.match(r"motor (\S+) N(.*), fingertips press with (\S+) and (\S+) N", process.stdout)
                    motor, left, right = (float(words.group(k)) for k in (1, 3, 4))
                    self.assertAlmostEqual(motor, -motor_n, delta=0.001)
                    self.assertEqual("all it can" in words.group(2), mode == "position")
                    for force in (left, right):
                        self.assertAlmostEqual(force, motor_n / 2, delta=0.002)

    def test_the_python_programs_of_the_docs(self):
        for page in ("reference/plant_protocol.md", "guide/connect_your_controller.md"):
            (program,) = blocks(page, "python")
            program = "import sys; sys.path.insert(0, sys.argv[2])\n" + program.replace("17810", "int(sys.argv[1])")
            with self.subTest(page), serving("press", *COARSE, "--once") as (server, port):
                self.run_program(sys.executable, "-c", program, port, SOURCE / "clients/python")
                self.assertEqual(server.wait(timeout=60), 0)

    def test_the_bytes_of_the_docs(self):
        (text,) = [block for block in blocks("reference/plant_protocol.md", "") if block.startswith("44 53")]
        header = distal_client.HEADER.pack(b"DSTL", 1, distal_client.STEP, 2, 0.0, 1, 96)
        mode, *values = distal_client.wrench(0.0, 0.0, 1.0)
        self.assertEqual(bytes.fromhex(text), header + distal_client.COMMAND.pack(mode, 0, *values))


if __name__ == "__main__":
    unittest.main()
