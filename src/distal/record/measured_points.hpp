// Points as somebody measured them, from a CSV file: docs/models/soft_measures.md.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "distal/record/measure_results.hpp"

namespace distal {

struct MeasuredPoint {
  std::size_t point = 0;
  double at = 0.0;  // state, from 1, or force [N]
  Vec3 value_m;     // NaN where a coordinate was not measured
};

struct MeasuredPoints {
  bool by_force = false;
  bool are_displacements = false;
  std::vector<MeasuredPoint> rows;

  // Of a settled state, counted from 1. Forces fit within 2 %.
  std::vector<MeasuredPoint> of_state(std::size_t state, double force_n) const;
};

// `count`: of points there are. Throws InputError with the line.
MeasuredPoints load_measured_points(const std::filesystem::path& file, std::size_t count);

// Fills in what was measured and the error, which is found in the body's undeformed frame: `rest_m` are the undeformed
// points in it, `pose` is the frame.
void compare_points(const std::vector<MeasuredPoint>& measured, bool are_displacements, const std::vector<Vec3>& rest_m,
                    const Pose& pose, double length_m, PointsAtState& state);

}  // namespace distal
