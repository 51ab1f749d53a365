# ctest: sanitized
"""200,000 fuzzed packets: no crash, no hang, no growth in memory, and the finger did not move."""
import signal
import unittest

from fuzz import fuzz
from plants import serving
from program import QUICK, overrides


class Fuzz(unittest.TestCase):
    def test_fuzz(self):
        # The controller must not lose its place while this process is busy with sending.
        arguments = [*QUICK, *overrides(serve__watchdog_s=60)]
        with serving("press", *arguments) as (process, port):
            fuzz(self, process, port, 200_000)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(timeout=60), 0)


if __name__ == "__main__":
    unittest.main()
