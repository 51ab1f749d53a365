// What was measured, and what a scene gives for it: the two sides that a fit brings together.
#pragma once
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "distal/scenario/scene.hpp"
#include "distal/study/lab_data.hpp"

namespace distal {

// One measured number. All of one name are one curve over one abscissa.
struct Observation {
  std::string name;  // force_n: ends in its SI unit
  std::string over;  // depth_m
  double abscissa = 0.0;
  double value = 0.0;
  double scale = 1.0;   // a residual of this size counts 1
  int point = -1;       // of a sensor, whose displacement this is
  double weight = 1.0;  // of the residual's square; 1 on average
};

// What a scene gives, one number for each observation.
struct Prediction {
  std::vector<double> values;
  std::vector<std::string> notes;  // of the run
};

// The scene could not be run to its end.
class RunFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Measurement {
 public:
  virtual ~Measurement() = default;

  const std::vector<Observation>& observations() const { return observations_; }
  // True where predict() is a formula and not a run.
  virtual bool is_formula() const { return false; }
  // Throws RunFailure when the run fails, InputError for a scene that does not fit the data.
  virtual Prediction predict(const Scene& scene) const = 0;

 protected:
  std::vector<Observation> observations_;
};

struct MeasurementOptions {
  double low = -INFINITY, high = INFINITY;  // of the abscissa, in SI: observations outside are left out
  bool contains(double abscissa) const { return abscissa >= low && abscissa <= high; }
  bool relative = false;  // a residual counts as a share of its own value rather than of the largest one
  std::string body;       // whose series is compared; empty: the one that is driven
  std::string sensor;     // whose points were measured; empty: the only one
  std::string material;   // of a tensile test: name in the scene
};

// By what the scene does and what the data have: settled states of a [motion] (depth, force and points, twist and
// torque, shift and tangential force); a run over time; or a tensile test, which needs no run. Throws InputError.
std::unique_ptr<Measurement> make_measurement(const Scene& scene, const LabData& data,
                                              const MeasurementOptions& options);

// The three kinds; null where the data do not have their columns.
std::unique_ptr<Measurement> make_tensile_test(const Scene& scene, const LabData& data,
                                               const MeasurementOptions& options);
std::unique_ptr<Measurement> make_settled_curve(const Scene& scene, const LabData& data,
                                                const MeasurementOptions& options);
std::unique_ptr<Measurement> make_time_series(const Scene& scene, const LabData& data,
                                              const MeasurementOptions& options);

}  // namespace distal
