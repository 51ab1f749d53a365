# ctest: long sanitized
"""A hundred thousand fuzzed HTTP and WebSocket inputs: no crash, no hang, no growth in memory."""
import unittest

from page_fuzz import fuzz_view


class LongFuzz(unittest.TestCase):
    def test_fuzz(self):
        fuzz_view(self, 100_000)


if __name__ == "__main__":
    unittest.main()
