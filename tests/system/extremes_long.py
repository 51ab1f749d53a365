# ctest: long
"""The whole matrix of far corners: Young's modulus, cell size and radius."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import extremes  # noqa: E402


class LongExtremes(unittest.TestCase):
    check = extremes.Extremes.check

    def test_matrix(self):
        for modulus in (1e3, 1e5, 1e7):
            for radius in (0.002, 0.010, 0.050):
                for cell in (0.00025, 0.001, 0.004):
                    # Two control periods, longer where they are cheap.
                    self.check(radius_m=radius, cell_m=cell, modulus_pa=modulus,
                               run__duration_s=0.002 if cell * 20 < radius else 0.02)


if __name__ == "__main__":
    unittest.main()
