#include "distal/run/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "distal/controller/adaptive_pid.hpp"
#include "distal/core/error.hpp"
#include "distal/run/control_room.hpp"
#include "distal/run/session.hpp"

namespace distal {
namespace {

constexpr double kLowest_hz = 4.0, kHighest_hz = 256.0;  // of the first round, by factors of two
constexpr double kPeriodsPerCycle = 3.0;                 // a bandwidth beyond that is no feedback any more
constexpr int kHalvings = 4;                             // of the last gap, on a logarithmic scale: 4 %
constexpr double kSettledBand = 0.02;                    // of the depth
constexpr double kFinalShare = 0.1;                      // of the run, over which the final depth is the mean
constexpr double kUnnoticedTilt_rad = 0.1 * std::numbers::pi / 180.0;

// Half of what is promised, so that a little noise does not break the promise.
constexpr double kAimedOvershoot = 0.5 * kLargestOvershoot;

struct Course {
  std::vector<double> time_s, travel_m;     // of the rod's end along the approach: the truth
  double touch_s = NAN, hold_s = INFINITY;  // first contact; end of the asked motion
  double touch_travel_m = 0.0;              // as the controller has it
  double tilt_rad = 0.0;
};

void judge(const Course& course, double depth_m, TuneTrial& trial) {
  if (std::isnan(course.touch_s)) {
    trial.problem = "never touches within run.duration_s";
    return;
  }
  const auto count = static_cast<double>(course.travel_m.size());
  const auto last = static_cast<std::ptrdiff_t>(std::max(1.0, kFinalShare * count));
  double final_m = 0.0, largest_m = 0.0;
  for (auto it = course.travel_m.end() - last; it != course.travel_m.end(); ++it)
    final_m += *it / static_cast<double>(last);
  for (std::size_t i = 0; i < course.travel_m.size(); ++i) {
    largest_m = std::max(largest_m, course.travel_m[i] - final_m);
    if (course.time_s[i] < course.touch_s) continue;
    trial.response.emplace_back(course.time_s[i] - course.touch_s, course.travel_m[i] - course.touch_travel_m);
    if (std::abs(course.travel_m[i] - final_m) > kSettledBand * depth_m)
      trial.settling_s = course.time_s[i] - course.touch_s;
  }
  trial.overshoot = largest_m / depth_m;
  trial.offset = (final_m - course.touch_travel_m) / depth_m - 1.0;
  trial.tilt_rad = course.tilt_rad;
  if (std::max(course.hold_s, course.touch_s + trial.settling_s) > (1.0 - kFinalShare) * course.time_s.back())
    trial.problem = "does not settle within run.duration_s";
}

class Tuner {
 public:
  Tuner(const Scene& scene, std::size_t which, const TuneOptions& options)
      : scene_(scene),
        options_(options),
        which_(which),
        session_(scene, {}),
        body_(session_.simulation().body_index(scene.controllers[which].second.body)) {}

  TuneResult run() {
    const AdaptivePidDescription& given = scene_.controllers[which_].second;
    ratio_ = given.angular_bandwidth_hz / given.bandwidth_hz;
    try_gains(given.bandwidth_hz);
    const double highest = std::min(kHighest_hz, 1.0 / (kPeriodsPerCycle * session_.period_s()));
    for (double hz = std::min(kLowest_hz, highest); hz <= highest; hz *= 2.0) try_gains(hz);
    for (int i = 0; i < kHalvings; ++i) try_between();
    TuneResult result;
    result.controller = scene_.controllers[which_].first;
    result.before = trials_.front();
    const TuneTrial* best = lowest_good();
    if (best == nullptr)
      result.problem = fmt::format(
          "no bandwidth from {} to {:.4g} Hz presses without overshoot; see the table, and look at "
          "force_limit_n, integral_time_s, the latencies of [channel.NAME] and run.duration_s",
          std::min(kLowest_hz, highest), highest);
    else
      result.after = *best;
    result.trials = std::move(trials_);
    return result;
  }

 private:
  void try_gains(double bandwidth_hz) {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) throw InputError("tuning was interrupted");
    NamedControllers controllers = scene_.controllers;
    AdaptivePidDescription& pid = controllers[which_].second;
    TuneTrial trial;
    trial.bandwidth_hz = pid.bandwidth_hz = bandwidth_hz;
    trial.angular_bandwidth_hz = pid.angular_bandwidth_hz = std::clamp(ratio_ * bandwidth_hz, 0.1, 500.0);
    press(controllers, trial);
    trials_.push_back(std::move(trial));
    if (options_.after_trial) options_.after_trial(trials_.back());
  }

  void press(const NamedControllers& controllers, TuneTrial& trial) {
    session_.reset();
    ControlRoom room(controllers, scene_.squeezes, body_names(session_.simulation()));
    const AdaptivePidDescription& pid = controllers[which_].second;
    const Vec3 direction = pid.direction.normalized();
    const Pose first = session_.readings()[body_].feedback.pose;
    Course course;
    while (!session_.reached_duration()) {
      const StepReport report = session_.advance(room.update(session_.feedback(), session_.period_s()));
      if (report.status == StepStatus::failed) {
        trial.problem = "fails: " + report.message;
        return;
      }
      const Pose& pose = session_.readings()[body_].feedback.pose;
      const auto memory = std::get<AdaptivePidMemory>(room.save()[body_]);
      course.time_s.push_back(session_.simulation().state().time_s);
      course.travel_m.push_back((pose.position - first.position).dot(direction));
      course.tilt_rad = std::max(course.tilt_rad, vector_from_rotation(pose.q * first.q.conjugate()).norm());
      if (memory.reference.phase == ApproachPhase::approach) continue;
      if (std::isnan(course.touch_s)) course.touch_s = course.time_s.back();
      course.touch_travel_m = memory.reference.end_travel_m - pid.depth_m;
      if (memory.reference.phase == ApproachPhase::hold) course.hold_s = std::min(course.hold_s, course.time_s.back());
    }
    judge(course, pid.depth_m, trial);
  }

  bool is_acceptable(const TuneTrial& trial) const {
    return trial.problem.empty() && trial.overshoot <= kAimedOvershoot && std::abs(trial.offset) <= kSettledBand &&
           trial.tilt_rad <= std::max(trials_.front().tilt_rad, kUnnoticedTilt_rad);
  }

  // As soon settled as any acceptable one, to the period.
  bool is_good(const TuneTrial& trial) const {
    if (!is_acceptable(trial)) return false;
    return std::none_of(trials_.begin(), trials_.end(), [&](const TuneTrial& other) {
      return is_acceptable(other) && other.settling_s < trial.settling_s - 0.5 * session_.period_s();
    });
  }

  const TuneTrial* lowest_good() const {
    const TuneTrial* lowest = nullptr;
    for (const TuneTrial& trial : trials_)
      if (is_good(trial) && (lowest == nullptr || trial.bandwidth_hz < lowest->bandwidth_hz)) lowest = &trial;
    return lowest;
  }

  // Halves the gap between the lowest good gains and the next lower ones, which are not.
  void try_between() {
    const TuneTrial* good = lowest_good();
    if (good == nullptr) return;
    double below_hz = 0.0;
    for (const TuneTrial& trial : trials_)
      if (trial.bandwidth_hz < good->bandwidth_hz) below_hz = std::max(below_hz, trial.bandwidth_hz);
    if (below_hz > 0.0) try_gains(std::sqrt(below_hz * good->bandwidth_hz));
  }

  const Scene& scene_;
  const TuneOptions& options_;
  std::size_t which_;
  Session session_;
  std::size_t body_;
  double ratio_ = 1.0;  // of the angular bandwidth to the linear one: stays as given
  std::vector<TuneTrial> trials_;
};

std::size_t find_controller(const Scene& scene, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, description] : scene.controllers) names.push_back(known);
  if (names.empty()) throw InputError("the scene has no [controller.NAME] to tune");
  if (name.empty() && names.size() == 1) return 0;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw InputError(fmt::format(
        "{}; choose one with --controller: {}",
        name.empty() ? "the scene has several controllers" : fmt::format("the scene has no controller \"{}\"", name),
        fmt::join(names, ", ")));
  return static_cast<std::size_t>(found - names.begin());
}

}  // namespace

TuneResult tune(const Scene& scene, const TuneOptions& options) {
  const std::size_t which = find_controller(scene, options.controller);
  if (scene.motion) throw InputError("a scene with a [motion] runs as long as the motion: tune without it");
  const auto& [name, pid] = scene.controllers[which];
  if (pid.depth_m == 0.0)
    throw InputError(fmt::format("controller.{}.depth_m = 0: there is no press to tune, allowed: above 0", name));
  return Tuner(scene, which, options).run();
}

}  // namespace distal
