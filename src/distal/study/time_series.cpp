// A run over time against measured values at given times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"
#include "distal/model/expand_hands.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/sensor/skin.hpp"
#include "distal/sensor/surface_points.hpp"
#include "distal/study/measurement.hpp"
#include "distal/study/point_data.hpp"

namespace distal {
namespace {

struct SeriesKind {
  const char* quantity;
  const char* name;
  double (*value)(const BodyReading& now, const BodyReading& first);
};
constexpr SeriesKind kSeries[] = {
    {"force", "force_n", [](const BodyReading& now, const BodyReading&) { return now.feedback.contact.force.norm(); }},
    {"torque", "torque_n_m",
     [](const BodyReading& now, const BodyReading&) { return now.feedback.contact.torque.norm(); }},
    {"depth", "depth_m", [](const BodyReading& now, const BodyReading&) { return now.depth_m; }},
    {"displacement", "displacement_m",
     [](const BodyReading& now, const BodyReading& first) {
       return (now.feedback.pose.position - first.feedback.pose.position).norm();
     }},
    {"contact_area", "contact_area_m2", [](const BodyReading& now, const BodyReading&) { return now.patch.area_m2; }},
};

// Keeps what one body reads, and where points of a soft one are, period by period.
class SeriesKeeper final : public Onlooker {
 public:
  SeriesKeeper(std::string body, const PointData* points) : name_(std::move(body)), points_(points) {}

  void begin(const Scene&, const Session& session) override {
    if (!name_.empty()) body_ = session.simulation().body_index(name_);
    if (points_) find_points(session.simulation().model());
    look(session);
  }
  double look(const Session& session) override {
    times_s.push_back(session.simulation().state().time_s);
    if (!name_.empty()) readings.push_back(session.readings()[body_]);
    if (points_) look_at_points(session);
    return 0.0;
  }
  void end(const Session&, RunStatus, const std::string&) override {}

  std::vector<double> times_s;
  std::vector<BodyReading> readings;
  std::vector<std::vector<Vec3>> displacements_m;  // of the points, in the body's undeformed frame

 private:
  void find_points(const Model& model) {
    const std::string& body = points_->description->body;
    while (soft_ < model.soft.size() && model.soft[soft_].name != body) ++soft_;
    DISTAL_ASSERT(soft_ < model.soft.size());
    places_ = find_surface_points(model.soft[soft_], points_->description->points_m,
                                  fmt::format("sensor.{}.points_m", points_->sensor));
  }
  void look_at_points(const Session& session) {
    const Model& model = session.simulation().model();
    const State& state = session.simulation().state();
    const Pose frame = carrying_pose(model, model.soft[soft_], state);
    std::vector<Vec3> now = find_point_positions(model.soft[soft_], places_, state);
    for (std::size_t i = 0; i < now.size(); ++i) now[i] = frame.to_local(now[i]) - places_.rest_m[i];
    displacements_m.push_back(std::move(now));
  }

  std::string name_;
  const PointData* points_;
  std::size_t body_ = 0, soft_ = 0;
  SurfacePoints places_;
};

class TimeSeries final : public Measurement {
 public:
  // `body` is empty where only points were measured.
  TimeSeries(std::string body, const LabData& data, std::unique_ptr<PointData> points)
      : body_(std::move(body)), points_(std::move(points)) {
    const std::vector<double> times = data.values("time");
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (times[i] < 0.0)
        throw InputError(fmt::format("{}: a time of {} s is before the run begins at 0 s", data.place(i), times[i]));
      last_s_ = std::max(last_s_, times[i]);
    }
    for (const SeriesKind& kind : kSeries) {
      if (!data.has(kind.quantity)) continue;
      const std::vector<double> values = data.values(kind.quantity);
      std::map<double, double> seen;  // a table of points repeats what belongs to their time
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (points_ && !seen.emplace(times[i], values[i]).second && seen[times[i]] == values[i]) continue;
        observations_.push_back({kind.name, "time_s", times[i], values[i], 1.0});
      }
    }
    for (std::size_t i = 0; points_ && i < times.size(); ++i) points_->add(i, "time_s", times[i], observations_);
  }

  Prediction predict(const Scene& scene) const override {
    Scene measured = scene;
    measured.run.duration_s = std::max(last_s_, scene.run.control_period_s);
    SeriesKeeper keeper(body_, points_.get());
    RunOptions options;
    options.onlooker = &keeper;
    const RunResult run = run_scene(measured, options);
    if (run.status != RunStatus::done) throw RunFailure(run.message.empty() ? "the run was interrupted" : run.message);
    if (keeper.times_s.back() < last_s_ - scene.run.control_period_s)
      throw InputError(fmt::format("the data last until {} s, the motion of the scene only until {} s", last_s_,
                                   keeper.times_s.back()));
    Prediction prediction;
    for (const Observation& one : observations_) prediction.values.push_back(value_at(keeper, one));
    prediction.notes = run.notes;
    return prediction;
  }

 private:
  static double value_in(const SeriesKeeper& keeper, const Observation& one, std::size_t i) {
    if (one.point >= 0) return keeper.displacements_m[i][static_cast<std::size_t>(one.point)][axis_of_point(one)];
    const auto kind =
        std::find_if(std::begin(kSeries), std::end(kSeries), [&](const auto& k) { return k.name == one.name; });
    return kind->value(keeper.readings[i], keeper.readings.front());
  }

  static double value_at(const SeriesKeeper& keeper, const Observation& one) {
    const auto& times = keeper.times_s;
    const auto after =
        static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), one.abscissa) - times.begin());
    if (after == 0) return value_in(keeper, one, 0);
    if (after == times.size()) return value_in(keeper, one, after - 1);
    const double share = (one.abscissa - times[after - 1]) / (times[after] - times[after - 1]);
    return (1.0 - share) * value_in(keeper, one, after - 1) + share * value_in(keeper, one, after);
  }

  std::string body_;
  std::unique_ptr<PointData> points_;
  double last_s_ = 0.0;
};

// The asked one; else the one that a motion or the only controller drives.
std::string driven_body(const Scene& scene, const std::string& asked) {
  if (!asked.empty()) {
    const ModelDescription model = expand_hands(scene.model);
    const bool known =
        std::any_of(model.bodies.begin(), model.bodies.end(), [&](const auto& body) { return body.first == asked; });
    if (!known) {
      std::vector<std::string_view> names;
      for (const auto& body : model.bodies) names.emplace_back(body.first);
      throw InputError(fmt::format("--body {}: the scene has no such body{}", asked, suggestion(asked, names)));
    }
    return asked;
  }
  if (scene.motion) return scene.motion->body;
  if (scene.controllers.size() == 1) return scene.controllers.front().second.body;
  throw InputError("which body was measured? Choose with --body NAME");
}

}  // namespace

std::unique_ptr<Measurement> make_time_series(const Scene& scene, const LabData& data,
                                              const MeasurementOptions& options) {
  const bool any = std::any_of(std::begin(kSeries), std::end(kSeries),
                               [&](const SeriesKind& kind) { return data.has(kind.quantity); });
  if (!data.has("time")) return nullptr;
  std::unique_ptr<PointData> points = read_point_data(scene, data, options.sensor);
  if (!any && !points) return nullptr;
  return std::make_unique<TimeSeries>(any ? driven_body(scene, options.body) : "", data, std::move(points));
}

}  // namespace distal
