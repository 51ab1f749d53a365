// What the sensors on soft bodies found: at each settled state of a motion, or at the end of a run without one.
#pragma once
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "distal/math/spatial.hpp"
#include "distal/sensor/contour.hpp"

namespace distal {

struct SettledState {
  double time_s = 0.0;
  std::string phase;  // as in curve.csv; "end" is the end of a run without a motion
  double depth_m = 0.0, force_n = 0.0;
};

// Paper 2, (45) and (46), and the error that tells something: docs/models/soft_measures.md.
struct PointError {
  double rmse_m = 0.0;
  double over_length = 0.0;        // of the body
  double over_displacement = 0.0;  // root mean square of the measured displacements
};

struct PointsAtState {
  std::vector<Vec3> positions_m, displacements_m;  // world
  Pose frame;                                      // the body's undeformed frame in the world
  std::vector<Vec3> measured_m;                    // world; an unmeasured coordinate is that of the undeformed point
  std::optional<PointError> error;                 // where there is something measured
};

struct PointsResult {
  std::string name, body;
  std::vector<PointsAtState> states;
};

struct ContourResult {
  std::string name, body;
  Vec3 normal;                 // of the plane, world
  std::vector<Polyline> rest;  // undeformed
  std::vector<std::vector<Polyline>> states;
};

struct CompressionResult {
  std::string name, body;
  double area_m2 = 0.0, height_m = 0.0;
  std::vector<double> strain, stress_pa;
  double youngs_modulus_pa = 0.0;
};

struct VolumeResult {
  std::string body;
  double rest_m3 = 0.0, volume_m3 = 0.0;  // at the end
  double largest_error = 0.0;             // of the settled states and the end, as a share of the rest volume

  double error() const { return std::abs(volume_m3 - rest_m3) / rest_m3; }
};

struct MeasureResults {
  std::vector<SettledState> states;
  std::vector<PointsResult> points;
  std::vector<ContourResult> contours;
  std::vector<CompressionResult> compressions;
  std::vector<VolumeResult> volumes;
};

}  // namespace distal
