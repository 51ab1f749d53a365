// Settled states of a prescribed motion against a measured curve. The motion goes to the measured depths, twists and
// shifts themselves; where there are many, to evenly spaced ones, with a smooth curve through them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "distal/core/error.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/study/measurement.hpp"
#include "distal/study/monotone_curve.hpp"

namespace distal {
namespace {

constexpr std::size_t kMostStates = 24;  // of each phase; each costs a settled state a run

struct MotionPhase {
  const char* phase;     // of CurveRow
  const char* quantity;  // measured
  const char* name;      // of the observation
  const char* over;
  double CurveRow::*place;
  double CurveRow::*value;
};
constexpr MotionPhase kPhases[] = {
    {"press", "force", "force_n", "depth_m", &CurveRow::depth_m, &CurveRow::force_n},
    {"press", "contact_area", "contact_area_m2", "depth_m", &CurveRow::depth_m, &CurveRow::contact_area_m2},
    {"twist", "torque", "torque_n_m", "twist_rad", &CurveRow::twist_rad, &CurveRow::torque_n_m},
    {"shift", "tangential_force", "tangential_force_n", "shift_m", &CurveRow::shift_m, &CurveRow::tangential_force_n},
};

// The states to go to for these measured places, none of which is at 0.
std::vector<double> states_for(std::vector<double> places) {
  std::erase(places, 0.0);
  std::sort(places.begin(), places.end());
  if (places.empty()) return {};
  const double nearest = 1e-6 * std::max(std::abs(places.front()), std::abs(places.back()));
  places.erase(std::unique(places.begin(), places.end(), [&](double a, double b) { return b - a < nearest; }),
               places.end());
  if (places.size() <= kMostStates) return places;
  std::vector<double> even;
  for (std::size_t i = 0; i < kMostStates; ++i)
    even.push_back(places.front() + (places.back() - places.front()) * static_cast<double>(i) / (kMostStates - 1));
  std::erase_if(even, [&](double place) { return std::abs(place) < nearest; });
  return even;
}

class SettledCurve final : public Measurement {
 public:
  SettledCurve(const Scene& scene, const LabData& data) {
    std::map<std::string, std::vector<double>> places;  // by phase
    read(data);
    for (const Observation& one : observations_) places[phase_of(one).phase].push_back(one.abscissa);
    depths_ = states_for(places["press"]);
    std::erase_if(depths_, [](double depth) { return depth < 0.0; });
    if (depths_.empty() && !places["press"].empty())
      throw InputError(
          "no measured depth is above 0: the way into the body counts, from first touch; turn a sign with --columns "
          "depth=-HEADER");
    twists_ = states_for(places["twist"]);
    shifts_ = states_for(places["shift"]);
    if (twists_.empty() && shifts_.empty()) return;
    // The scene says at which depth they happen.
    const double last = scene.motion->depths_m.back();
    if (!depths_.empty() && depths_.back() > last * (1.0 + 1e-9))
      throw InputError(
          fmt::format("the data reach a depth of {} m, and the scene twists or shifts at {} m: "
                      "motion.depths_m must end at or beyond the measured depths",
                      depths_.back(), last));
    if (depths_.empty() || depths_.back() < last * (1.0 - 1e-9)) depths_.push_back(last);
  }

  Prediction predict(const Scene& scene) const override {
    Scene measured = scene;
    measured.motion->depths_m = depths_;
    measured.motion->twist_rad = twists_;
    measured.motion->shift_m = shifts_;
    const RunResult run = run_scene(measured, {});
    if (run.status != RunStatus::done) throw RunFailure(run.message.empty() ? "the run was interrupted" : run.message);
    std::map<std::string, MonotoneCurve> curves;
    for (const MotionPhase& phase : kPhases) curves.emplace(phase.name, curve_of(phase, run.curve));
    Prediction prediction;
    for (const Observation& one : observations_) prediction.values.push_back(curves.at(one.name).at(one.abscissa));
    prediction.notes = run.notes;
    return prediction;
  }

 private:
  static const MotionPhase& phase_of(const Observation& one) {
    return *std::find_if(std::begin(kPhases), std::end(kPhases), [&](const auto& p) { return p.name == one.name; });
  }

  // A row belongs to the last phase in which it is away from zero.
  void read(const LabData& data) {
    const auto column = [&](const char* name) { return data.has(name) ? data.values(name) : std::vector<double>{}; };
    std::map<std::string, std::vector<double>> places;
    places["press"] = column(data.has("depth") ? "depth" : "displacement");
    places["twist"] = column("twist");
    places["shift"] = column("shift");
    const auto is_at = [&](const char* phase, std::size_t row) {
      return !places[phase].empty() && places[phase][row] != 0.0;
    };
    for (const MotionPhase& phase : kPhases) {
      const std::vector<double> values = column(phase.quantity);
      const std::vector<double>& at = places[phase.phase];
      for (std::size_t row = 0; row < values.size() && row < at.size(); ++row) {
        const std::string_view name = phase.phase;
        if (name == "press" && (is_at("twist", row) || is_at("shift", row))) continue;
        if (name == "twist" && (is_at("shift", row) || (!is_at("twist", row) && !places["press"].empty()))) continue;
        if (name == "shift" && !is_at("shift", row) && !places["press"].empty()) continue;
        observations_.push_back({phase.name, phase.over, at[row], values[row], 1.0});
      }
    }
  }

  // Nothing is felt where nothing has moved.
  static MonotoneCurve curve_of(const MotionPhase& phase, const std::vector<CurveRow>& rows) {
    std::map<double, double> points = {{0.0, 0.0}};
    for (const CurveRow& row : rows)
      if (row.phase == phase.phase) points[row.*phase.place] = row.*phase.value;
    std::vector<double> x, y;
    for (const auto& [place, value] : points) x.push_back(place), y.push_back(value);
    return {std::move(x), std::move(y)};
  }

  std::vector<double> depths_, twists_, shifts_;
};

}  // namespace

std::unique_ptr<Measurement> make_settled_curve(const Scene& scene, const LabData& data) {
  const bool press = (data.has("depth") || data.has("displacement")) && (data.has("force") || data.has("contact_area"));
  const bool twist = data.has("twist") && data.has("torque"), shift = data.has("shift") && data.has("tangential_force");
  if (!scene.motion || !(press || twist || shift)) return nullptr;
  return std::make_unique<SettledCurve>(scene, data);
}

}  // namespace distal
