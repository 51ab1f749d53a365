// A run over time against measured values at given times.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/study/measurement.hpp"

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

// Keeps what one body reads, period by period.
class SeriesKeeper final : public Onlooker {
 public:
  explicit SeriesKeeper(std::string body) : name_(std::move(body)) {}

  void begin(const Scene&, const Session& session) override {
    body_ = session.simulation().body_index(name_);
    look(session);
  }
  double look(const Session& session) override {
    times_s.push_back(session.simulation().state().time_s);
    readings.push_back(session.readings()[body_]);
    return 0.0;
  }
  void end(const Session&, RunStatus, const std::string&) override {}

  std::vector<double> times_s;
  std::vector<BodyReading> readings;

 private:
  std::string name_;
  std::size_t body_ = 0;
};

class TimeSeries final : public Measurement {
 public:
  TimeSeries(std::string body, const LabData& data) : body_(std::move(body)) {
    const std::vector<double> times = data.values("time");
    for (const SeriesKind& kind : kSeries) {
      if (!data.has(kind.quantity)) continue;
      const std::vector<double> values = data.values(kind.quantity);
      for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i] < 0.0) throw InputError(fmt::format("a time of {} s is before the run begins at 0 s", times[i]));
        observations_.push_back({kind.name, "time_s", times[i], values[i], 1.0});
        last_s_ = std::max(last_s_, times[i]);
      }
    }
  }

  Prediction predict(const Scene& scene) const override {
    Scene measured = scene;
    measured.run.duration_s = std::max(last_s_, scene.run.control_period_s);
    SeriesKeeper keeper(body_);
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
  static double value_at(const SeriesKeeper& keeper, const Observation& one) {
    const auto kind =
        std::find_if(std::begin(kSeries), std::end(kSeries), [&](const auto& k) { return k.name == one.name; });
    const auto value = [&](std::size_t i) { return kind->value(keeper.readings[i], keeper.readings.front()); };
    const auto& times = keeper.times_s;
    const auto after =
        static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), one.abscissa) - times.begin());
    if (after == 0) return value(0);
    if (after == times.size()) return value(after - 1);
    const double share = (one.abscissa - times[after - 1]) / (times[after] - times[after - 1]);
    return (1.0 - share) * value(after - 1) + share * value(after);
  }

  std::string body_;
  double last_s_ = 0.0;
};

// The asked one; else the one that a motion or the only controller drives.
std::string driven_body(const Scene& scene, const std::string& asked) {
  if (!asked.empty()) {
    const bool known = std::any_of(scene.model.bodies.begin(), scene.model.bodies.end(),
                                   [&](const auto& body) { return body.first == asked; });
    if (!known) throw InputError(fmt::format("--body {}: the scene has no such body", asked));
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
  if (!data.has("time") || !any) return nullptr;
  return std::make_unique<TimeSeries>(driven_body(scene, options.body), data);
}

}  // namespace distal
