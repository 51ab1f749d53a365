# ctest: long
"""The whole matrix of far corners: Young's modulus, cell size and radius."""
import unittest

import sys

sys.path.insert(0, __file__.rsplit("/", 1)[0])
from extremes import Extremes as Corners  # noqa: E402


class LongExtremes(unittest.TestCase):
    check = Corners.check

    def test_matrix(self):
        for modulus in (1e3, 1e5, 1e7):
            for radius in (0.002, 0.010, 0.050):
                for cell in (0.00025, 0.001, 0.004):
                    self.check(radius_m=radius, cell_m=cell, modulus_pa=modulus, run__duration_s=0.002)


if __name__ == "__main__":
    unittest.main()
