# ctest: long
"""The fit of paper 2's model that docs/guide/fit.md tells the reader to run."""
import json
import pathlib
import shlex
import unittest

from program import SCENARIOS, SOURCE, run_distal, scratch_folder

OUTLINE, DEPTH = 0.15, 0.05  # what is asked of paper2: RMSE over the RMS displacement, and error of the depth
DEPTHS_M = (0.0053904, 0.0057059, 0.0078695, 0.0102449)  # finite elements


def commands_of_the_guide():
    """`distal fit` and the `distal run` below it, without the program's name."""
    text = (SOURCE / "docs/guide/fit.md").read_text(encoding="utf-8")
    start = text.index("distal fit indent_cuboid scenarios/")
    lines = text[start:text.index("```", start)].replace("\\\n", " ").splitlines()
    return [shlex.split(line)[1:] for line in lines]


class LongFit(unittest.TestCase):
    def test_paper_2s_parameters_are_fitted_to_the_finite_elements(self):
        scratch = scratch_folder()
        self.addCleanup(scratch.cleanup)
        folder = pathlib.Path(scratch.name)
        (folder / "scenarios").symlink_to(SCENARIOS.resolve())
        for command in commands_of_the_guide():
            process = run_distal(*command, timeout_s=3000, cwd=folder)
            self.assertEqual(process.returncode, 0, process.stderr)
        result = json.loads((folder / "fitted/fit.json").read_text(encoding="utf-8"))
        self.assertEqual([one["key"] for one in result["parameters"]],
                         [f"body.block.{name}" for name in ("stretch_limit", "compression_limit", "volume_stiffness_n_m3")])
        self.assertEqual(result["points"], 17, "one depth, and two axes of eight points")
        self.assertLess(result["quantities"]["depth_m"]["normalised_rmse"], DEPTH)
        self.assertLess(result["measured_points"]["over_displacement"], OUTLINE)

        # Over the lighter weights the fitted one must still be met; of the others only the depth is.
        summary = json.loads((folder / "out/fitted/summary.json").read_text(encoding="utf-8"))
        states = summary["sensors"]["outline"]["states"]
        self.assertEqual(len(states), len(DEPTHS_M))
        for state, depth_m in zip(states, DEPTHS_M):
            self.assertLess(abs(state["depth_m"] / depth_m - 1.0), DEPTH, state)
        self.assertLess(states[2]["rmse_over_displacement"], OUTLINE)


if __name__ == "__main__":
    unittest.main()
