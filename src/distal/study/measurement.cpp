#include "distal/study/measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr double kSmallestShare = 0.01;  // of the largest value: a scale is never smaller, or zeros would count for all

// Observations of the chosen part of another measurement, with their scales and weights.
class ChosenPart final : public Measurement {
 public:
  ChosenPart(std::unique_ptr<Measurement> whole, const MeasurementOptions& options) : whole_(std::move(whole)) {
    const auto& all = whole_->observations();
    std::map<std::string, double> largest, count;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!options.contains(all[i].abscissa)) continue;
      places_.push_back(i);
      observations_.push_back(all[i]);
      largest[scaled_as(all[i])] = std::max(largest[scaled_as(all[i])], std::abs(all[i].value));
      ++count[scaled_as(all[i])];
    }
    for (Observation& one : observations_) {
      if (largest[scaled_as(one)] == 0.0)
        throw InputError(fmt::format("all measured values of {} are 0: there is nothing to fit", one.name));
      one.scale = largest[scaled_as(one)];
      if (options.relative) one.scale = std::max(std::abs(one.value), kSmallestShare * one.scale);
      // A quantity counts by the mean of its squares: one depth as much as all points of its state.
      one.weight =
          static_cast<double>(observations_.size()) / (static_cast<double>(count.size()) * count[scaled_as(one)]);
    }
  }

  bool is_formula() const override { return whole_->is_formula(); }

  Prediction predict(const Scene& scene) const override {
    Prediction all = whole_->predict(scene), part;
    for (const std::size_t i : places_) part.values.push_back(all.values[i]);
    part.notes = std::move(all.notes);
    return part;
  }

 private:
  // A photograph is as sharp in all directions: displacements of points have one scale.
  static std::string scaled_as(const Observation& one) { return one.point < 0 ? one.name : "points"; }

  std::unique_ptr<Measurement> whole_;
  std::vector<std::size_t> places_;  // in the whole
};

}  // namespace

std::unique_ptr<Measurement> make_measurement(const Scene& scene, const LabData& data,
                                              const MeasurementOptions& options) {
  std::unique_ptr<Measurement> whole = make_tensile_test(scene, data, options);
  if (!whole) whole = make_settled_curve(scene, data, options);
  if (!whole) whole = make_time_series(scene, data, options);
  if (!whole)
    throw InputError(fmt::format(
        "the data do not fit the scene. Needed: strain and stress (tensile test); depth and force, point and ux, uy "
        "or uz, twist and torque, or shift and tangential_force, with a scene that has a [motion]{}; or time and "
        "force, torque, depth, displacement or points. {}",
        scene.motion ? "" : " (this one has none)", data.description()));
  return std::make_unique<ChosenPart>(std::move(whole), options);
}

}  // namespace distal
