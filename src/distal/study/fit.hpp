// Values of keys with which a scene gives what was measured, with their uncertainty. docs/guide/fit.md.
#pragma once
#include <Eigen/Dense>
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "distal/scenario/scene_key.hpp"
#include "distal/study/measurement.hpp"

namespace distal {

// A key to fit, and the bounds to look within. They are searched on a scale from 0 to 1, logarithmic where both are
// positive.
struct FitParameter {
  SceneNumber key;
  double low = 0.0, high = 0.0;

  bool is_logarithmic() const { return low > 0.0; }
  double value_at(double share) const;
  double share_of(double value) const;
};

// "key" or "key=low:high". Without bounds a tenth and ten times the scene's value, as far as they are allowed. Throws
// InputError.
FitParameter parse_fit_parameter(const Scene& scene, const std::string& text);

struct FitProgress {
  std::string phase;  // looking around, fitting, uncertainty, error surface
  std::size_t runs = 0, expected_runs = 0;
  double best_rmse = 0.0;  // of weighted residuals
};

struct FitOptions {
  std::string scene_text;  // of scene.file
  std::vector<std::string> overrides;
  std::string data_file;  // for messages
  int jobs = 0;           // runs at a time, where they do not depend on each other; 0: one a core
  int surface = 9;        // cells along each side of an error surface; 0: none
  std::function<void(const FitProgress&)> progress;
  const std::atomic<bool>* stop = nullptr;
};

struct FittedParameter {
  FitParameter parameter;
  double start = 0.0, value = 0.0;
  double low = 0.0, high = 0.0;  // 95 % confidence; the bounds where it is not determined
  bool at_bound = false, determined = true;
};

// RMSE over a grid of two parameters (or along one: `second` is none), the others at their fitted values.
struct ErrorSurface {
  std::size_t first = 0, second = 0;
  std::vector<double> first_values, second_values;
  std::vector<double> rmse;  // row by row of the second; NaN where the run failed
};

// How well one measured quantity is met.
struct FitQuality {
  std::string name;
  std::size_t count = 0;
  double rmse = 0.0;             // in its unit
  double normalised_rmse = 0.0;  // over the largest measured value
  double start_rmse = 0.0;
};

// How well all measured points are met, as vectors; docs/models/soft_measures.md.
struct PointQuality {
  std::size_t count = 0;
  double rmse_m = 0.0, start_rmse_m = 0.0;
  double displacement_m = 0.0;  // root mean square of the measured ones

  double over_displacement() const { return displacement_m > 0.0 ? rmse_m / displacement_m : 0.0; }
};

struct FitResult {
  std::vector<FittedParameter> parameters;
  std::vector<Observation> observations;
  std::vector<double> start_values, values;  // of the scene before and after, for each observation
  std::vector<FitQuality> qualities;
  std::optional<PointQuality> points;
  double rmse = 0.0;  // of weighted residuals
  int degrees_of_freedom = 0;
  Eigen::MatrixXd correlation;
  std::vector<ErrorSurface> surfaces;
  std::size_t runs = 0;
  std::vector<std::string> notes;
};

// Throws InputError for too few observations and for a scene that fails where the search starts; RunFailure when
// interrupted.
FitResult fit(const Scene& scene, const Measurement& measurement, std::vector<FitParameter> parameters,
              const FitOptions& options);

std::string fit_json(const FitResult& result);
// Every observation with what the scene gives.
std::string fit_table_csv(const FitResult& result);
std::string fit_page_html(const std::string& title, const FitResult& result);

}  // namespace distal
