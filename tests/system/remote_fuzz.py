# ctest: sanitized
"""200,000 fuzzed packets, and 100,000 at a hand with joints: no crash, no hang, no growth in memory, nothing moves."""
import signal
import unittest

from fuzz import fuzz
from plants import serving
from program import QUICK, overrides


class Fuzz(unittest.TestCase):
    def test_fuzz(self):
        # The controller must not lose its place while this process is busy with sending.
        arguments = [*QUICK, *overrides(serve__watchdog_s=60)]
        self.fuzz_scene("press", arguments, 200_000)

    def test_fuzz_a_hand(self):
        self.fuzz_scene("close_gripper", overrides(serve__watchdog_s=60), 100_000)

    def fuzz_scene(self, scene, arguments, packets):
        with serving(scene, *arguments) as (process, port):
            fuzz(self, process, port, packets)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
