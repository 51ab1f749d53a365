// Settled states of a prescribed motion against a measured curve. The motion goes to the measured depths, forces,
// twists and shifts themselves; where there are many, to evenly spaced ones, with a smooth curve through them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "distal/core/error.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/study/measurement.hpp"
#include "distal/study/monotone_curve.hpp"
#include "distal/study/point_data.hpp"

namespace distal {
namespace {

constexpr std::size_t kMostStates = 24;     // of each phase; each costs a settled state a run
constexpr double kCarriedTolerance = 0.02;  // of a load: beyond it the contact does not carry it, and nothing rests

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
    {"load", "depth", "depth_m", "force_n", &CurveRow::force_n, &CurveRow::depth_m},
    {"load", "contact_area", "contact_area_m2", "force_n", &CurveRow::force_n, &CurveRow::contact_area_m2},
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

bool is_pushed(const Scene& scene) { return !scene.motion->forces_n.empty(); }

// Columns of the data by what they are in a motion.
class MotionData {
 public:
  MotionData(const Scene& scene, const LabData& data) {
    const auto column = [&](const char* name) { return data.has(name) ? data.values(name) : std::vector<double>{}; };
    const std::vector<double> depth = column(data.has("depth") ? "depth" : "displacement");
    places_["press"] = is_pushed(scene) ? std::vector<double>{} : depth;
    places_["load"] = is_pushed(scene) ? column("force") : std::vector<double>{};
    places_["twist"] = column("twist");
    places_["shift"] = column("shift");
    for (const MotionPhase& phase : kPhases) values_[phase.quantity] = column(phase.quantity);
    values_["depth"] = depth;
  }

  const std::vector<double>& places(const std::string& phase) const { return places_.at(phase); }
  const std::vector<double>& values(const std::string& quantity) const { return values_.at(quantity); }
  bool moves_first() const { return !places("press").empty() || !places("load").empty(); }

  // A row belongs to the last phase in which it is away from zero.
  bool belongs(std::size_t row, std::string_view phase) const {
    const bool twisted = is_at("twist", row), shifted = is_at("shift", row);
    if (phase == "twist") return !shifted && (twisted || !moves_first());
    if (phase == "shift") return shifted || !moves_first();
    return !twisted && !shifted;
  }

 private:
  bool is_at(const char* phase, std::size_t row) const { return !places(phase).empty() && places(phase)[row] != 0.0; }
  std::map<std::string, std::vector<double>> places_, values_;
};

using CurveKey = std::pair<std::string, int>;  // quantity and point

class SettledCurve final : public Measurement {
 public:
  SettledCurve(const Scene& scene, const LabData& data, const MeasurementOptions& options,
               std::unique_ptr<PointData> points)
      : points_(std::move(points)) {
    read(scene, MotionData(scene, data));
    // States that are left out need not be gone to.
    std::erase_if(observations_, [&](const Observation& one) { return !options.contains(one.abscissa); });
    std::map<std::string, std::vector<double>> places;  // by abscissa
    for (const Observation& one : observations_) places[one.over].push_back(one.abscissa);
    depths_ = positive(states_for(places["depth_m"]), !places["depth_m"].empty(), "depth", "the way into the body");
    forces_ = positive(states_for(places["force_n"]), !places["force_n"].empty(), "force", "what pushes the body");
    twists_ = states_for(places["twist_rad"]);
    shifts_ = states_for(places["shift_m"]);
    if (!twists_.empty() || !shifts_.empty()) reach_last_depth(scene);
  }

  Prediction predict(const Scene& scene) const override {
    Scene measured = scene;
    measured.motion->depths_m = depths_;
    measured.motion->forces_n = forces_;
    measured.motion->twist_rad = twists_;
    measured.motion->shift_m = shifts_;
    const RunResult run = run_scene(measured, {});
    if (run.status != RunStatus::done) throw RunFailure(run.message.empty() ? "the run was interrupted" : run.message);
    check_loads(run.curve);
    std::map<CurveKey, MonotoneCurve> curves;
    for (const MotionPhase& phase : kPhases)
      if (std::any_of(run.curve.begin(), run.curve.end(),
                      [&](const CurveRow& row) { return row.phase == phase.phase; }))
        curves.emplace(CurveKey(phase.name, -1), curve_of(phase, run.curve));
    if (points_) add_point_curves(run, curves);
    Prediction prediction;
    for (const Observation& one : observations_)
      prediction.values.push_back(curves.at({one.name, one.point}).at(one.abscissa));
    prediction.notes = run.notes;
    return prediction;
  }

 private:
  static std::vector<double> positive(std::vector<double> states, bool any, const char* what, const char* counts) {
    std::erase_if(states, [](double state) { return state < 0.0; });
    if (states.empty() && any)
      throw InputError(fmt::format("no measured {0} is above 0: {1} counts{2}; turn a sign with --columns {0}=-HEADER",
                                   what, counts, what == std::string_view("depth") ? ", from first touch" : ""));
    return states;
  }

  // The scene says at which depth twists and shifts happen.
  void reach_last_depth(const Scene& scene) {
    const double last = scene.motion->depths_m.back();
    if (!depths_.empty() && depths_.back() > last * (1.0 + 1e-9))
      throw InputError(
          fmt::format("the data reach a depth of {} m, and the scene twists or shifts at {} m: "
                      "motion.depths_m must end at or beyond the measured depths",
                      depths_.back(), last));
    if (depths_.empty() || depths_.back() < last * (1.0 - 1e-9)) depths_.push_back(last);
  }

  void read(const Scene& scene, const MotionData& data) {
    for (const MotionPhase& phase : kPhases) {
      const std::vector<double>&at = data.places(phase.phase), &values = data.values(phase.quantity);
      std::map<double, double> seen;  // a table of points repeats what belongs to their state
      for (std::size_t row = 0; row < values.size() && row < at.size(); ++row) {
        if (!data.belongs(row, phase.phase)) continue;
        if (points_ && !seen.emplace(at[row], values[row]).second && seen[at[row]] == values[row]) continue;
        observations_.push_back({phase.name, phase.over, at[row], values[row], 1.0});
      }
    }
    if (!points_) return;
    const std::vector<double>& at = data.places(is_pushed(scene) ? "load" : "press");
    const double last = is_pushed(scene) ? scene.motion->forces_n.back() : scene.motion->depths_m.back();
    for (std::size_t row = 0; row < points_->points.size(); ++row)
      if (data.belongs(row, "press"))
        points_->add(row, is_pushed(scene) ? "force_n" : "depth_m", at.empty() ? last : at[row], observations_);
  }

  void check_loads(const std::vector<CurveRow>& rows) const {
    for (std::size_t i = 0; i < rows.size() && i < forces_.size(); ++i)
      if (std::abs(rows[i].force_n - forces_[i]) > kCarriedTolerance * forces_[i])
        throw RunFailure(fmt::format("the load of {} N did not come to rest: the contact force is {:.4g} N", forces_[i],
                                     rows[i].force_n));
  }

  // Nothing is felt where nothing has moved.
  static MonotoneCurve curve_of(const MotionPhase& phase, const std::vector<CurveRow>& rows) {
    std::map<double, double> points = {{0.0, 0.0}};
    for (const CurveRow& row : rows)
      if (row.phase == phase.phase) points[row.*phase.place] = row.*phase.value;
    return through(points);
  }

  static MonotoneCurve through(const std::map<double, double>& points) {
    std::vector<double> x, y;
    for (const auto& [place, value] : points) x.push_back(place), y.push_back(value);
    return {std::move(x), std::move(y)};
  }

  void add_point_curves(const RunResult& run, std::map<CurveKey, MonotoneCurve>& curves) const {
    const auto& sensors = run.measures.points;
    const auto sensor = std::find_if(sensors.begin(), sensors.end(),
                                     [&](const PointsResult& one) { return one.name == points_->sensor; });
    DISTAL_ASSERT(sensor != sensors.end() && sensor->states.size() == run.curve.size());
    for (const Observation& one : observations_) {
      if (one.point < 0 || curves.contains({one.name, one.point})) continue;
      std::map<double, double> moved = {{0.0, 0.0}};
      for (std::size_t i = 0; i < run.curve.size(); ++i) {
        const CurveRow& row = run.curve[i];
        if (row.phase != "press" && row.phase != "load") continue;
        const PointsAtState& state = sensor->states[i];
        const Vec3 displacement =
            state.frame.q.conjugate() * state.displacements_m[static_cast<std::size_t>(one.point)];
        moved[row.phase == "load" ? row.force_n : row.depth_m] = displacement[axis_of_point(one)];
      }
      curves.emplace(CurveKey(one.name, one.point), through(moved));
    }
  }

  std::unique_ptr<PointData> points_;
  std::vector<double> depths_, forces_, twists_, shifts_;
};

}  // namespace

std::unique_ptr<Measurement> make_settled_curve(const Scene& scene, const LabData& data,
                                                const MeasurementOptions& options) {
  if (!scene.motion) return nullptr;
  const bool depth = data.has("depth") || data.has("displacement"), force = data.has("force");
  const bool area = data.has("contact_area"), pushed = is_pushed(scene);
  const bool twist = data.has("twist") && data.has("torque"), shift = data.has("shift") && data.has("tangential_force");
  const bool place = pushed ? force : depth, curve = place && (area || (pushed ? depth : force));
  // Points of states that nothing names are those of the last one, unless time does.
  std::unique_ptr<PointData> points =
      place || !data.has("time") ? read_point_data(scene, data, options.sensor) : nullptr;
  if (points && !place && (depth || force))
    throw InputError(fmt::format(
        "the scene goes to given {}: the data need a column of it to tell the states of the points apart; {}",
        pushed ? "forces (motion.forces_n)" : "depths (motion.depths_m)", data.description()));
  if (!curve && !twist && !shift && !points) return nullptr;
  return std::make_unique<SettledCurve>(scene, data, options, std::move(points));
}

}  // namespace distal
