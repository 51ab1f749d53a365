#include "distal/run/grip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "distal/core/error.hpp"
#include "distal/run/control_room.hpp"
#include "distal/run/session.hpp"

namespace distal {
namespace {

constexpr double kLostShare = 0.5;     // of the lift: an object that stays behind so far is lost
constexpr double kPeakStep = 5.77350;  // largest second derivative of the lift's path: 10 / sqrt(3)

// Of all that the object is made of.
struct Whole {
  double mass_kg = 0.0;
  Vec3 centre_m = Vec3::Zero();
};

Whole measure_object(const Simulation& simulation, const std::string& name) {
  const Model& model = simulation.model();
  const State& state = simulation.state();
  for (std::size_t b = 0; b < model.rigid.size(); ++b)
    if (model.rigid[b].name == name) return {model.rigid[b].mass_kg, state.rigid[b].centre_of_mass};
  Whole whole;
  for (const SoftBody& body : model.soft) {
    if (body.name != name) continue;
    for (std::size_t n = 0; n < body.mass_kg().size(); ++n) {
      const double mass = body.mass_kg()[n];
      if (mass == 0.0) continue;
      whole.mass_kg += mass;
      whole.centre_m += mass * state.x.get(static_cast<std::size_t>(body.first_particle) + n);
    }
  }
  if (whole.mass_kg > 0.0) whole.centre_m /= whole.mass_kg;
  return whole;
}

bool is_free_object(const BodyDescription& body) {
  const auto* rigid = std::get_if<RigidDescription>(&body);
  return rigid != nullptr
             ? rigid->mount == Mount::free
             : std::holds_alternative<TetDescription>(body) || std::holds_alternative<BlockDescription>(body) ||
                   std::holds_alternative<StrandDescription>(body);
}

// The fingers of one grip and what they hold.
struct Grip {
  std::vector<std::size_t> squeezes;  // of Scene::squeezes
  std::vector<std::string> fingers;
  std::string object;
  double lift_start_s = 0.0, lift_time_s = 0.0, lift_m = 0.0;
  Vec3 up = Vec3::Zero();
};

std::string find_object(const Scene& scene, const std::vector<std::string>& fingers, const std::string& wanted) {
  std::vector<std::string> names;
  for (const auto& [name, body] : scene.model.bodies)
    if (is_free_object(body) && std::find(fingers.begin(), fingers.end(), name) == fingers.end()) names.push_back(name);
  if (names.empty()) throw InputError("the scene has no free body between the fingers");
  if (wanted.empty() && names.size() == 1) return names.front();
  if (std::find(names.begin(), names.end(), wanted) != names.end()) return wanted;
  throw InputError(fmt::format(
      "{}; choose one with --object: {}",
      wanted.empty() ? "the scene has several free bodies" : fmt::format("the scene has no free body \"{}\"", wanted),
      fmt::join(names, ", ")));
}

std::size_t find_squeeze(const Scene& scene, const std::string& name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scene.squeezes.size(); ++i) {
    names.push_back(scene.squeezes[i].first);
    if (names.back() == name) return i;
  }
  throw InputError(fmt::format("the scene has no controller \"{}\" of type squeeze; {}", name,
                               names.empty() ? "there is none" : fmt::format("there are: {}", fmt::join(names, ", "))));
}

Grip find_fingers(const Scene& scene, const GripOptions& options) {
  if (options.controllers.empty()) throw InputError("--controllers: name the fingers of the grip, like left,right");
  Grip grip;
  bool pushes = false;
  for (const std::string& name : options.controllers) {
    const std::size_t which = find_squeeze(scene, name);
    const SqueezeDescription& squeeze = scene.squeezes[which].second;
    grip.squeezes.push_back(which);
    grip.fingers.push_back(squeeze.body);
    pushes |= !squeeze.holds_place;
    grip.lift_start_s = squeeze.lift_start_s;
    grip.lift_time_s = squeeze.lift_time_s;
    grip.lift_m = squeeze.lift_m;
    grip.up = squeeze.lift_direction.normalized();
  }
  if (!pushes) throw InputError("every finger has holds_place = true, so none pushes with a force to search for");
  if (!(grip.lift_m > 0.0)) throw InputError("lift_m must be above 0: without a lift nothing can slip");
  grip.object = find_object(scene, grip.fingers, options.object);
  const double least_s = grip.lift_start_s + grip.lift_time_s + kGripSettling_s;
  if (!(scene.run.duration_s > least_s))
    throw InputError(fmt::format(
        "run.duration_s = {}: the lift ends and settles at {} s; give a longer duration to see whether it holds",
        scene.run.duration_s, least_s));
  return grip;
}

double least_friction(const Scene& scene, const Grip& grip) {
  double least = std::numeric_limits<double>::infinity();
  for (const std::string& finger : grip.fingers) {
    double friction = scene.model.contact.static_friction;
    for (const auto& [name, pair] : scene.model.pairs)
      if ((pair.body_a == finger && pair.body_b == grip.object) ||
          (pair.body_b == finger && pair.body_a == grip.object))
        friction = pair.contact.static_friction;
    least = std::min(least, friction);
  }
  return least;
}

class Lifter {
 public:
  Lifter(const Scene& scene, const GripOptions& options)
      : scene_(scene), options_(options), grip_(find_fingers(scene, options)), session_(scene, {}) {
    for (const std::string& finger : grip_.fingers) bodies_.push_back(session_.simulation().body_index(finger));
  }

  const Grip& grip() const { return grip_; }
  double mass_kg() const { return measure_object(session_.simulation(), grip_.object).mass_kg; }

  GripTrial lift(double force_n) {
    GripTrial trial;
    trial.force_n = force_n;
    NamedSqueezes squeezes = scene_.squeezes;
    for (const std::size_t which : grip_.squeezes) squeezes[which].second.force_n = force_n;
    session_.reset();
    ControlRoom room(scene_.controllers, squeezes, body_names(session_.simulation()));
    double first_m = height_m(), settled_m = 0.0;
    bool settled = false;
    while (!session_.reached_duration() && trial.problem.empty()) {
      if (options_.stop && options_.stop->load(std::memory_order_relaxed))
        throw InputError("the search was interrupted");
      const StepReport report = session_.advance(room.update(session_.feedback(), session_.period_s()));
      trial.end_s = session_.simulation().state().time_s;
      if (report.status == StepStatus::failed) {
        trial.problem = "fails: " + report.message;
        break;
      }
      const double height = height_m();
      if (trial.end_s <= grip_.lift_start_s) first_m = height;
      trial.fall_m = std::max(trial.fall_m, first_m - height);
      if (trial.fall_m > kLostShare * grip_.lift_m) trial.problem = "the object stays behind";
      if (trial.end_s < grip_.lift_start_s + grip_.lift_time_s + kGripSettling_s) continue;
      if (!std::exchange(settled, true)) settled_m = height;
      if (std::abs(settled_m - height) > std::abs(trial.drift_m)) trial.drift_m = settled_m - height;
      if (trial.drift_m > options_.drop_m) trial.problem = "slips";
    }
    trial.holds = trial.problem.empty();
    return trial;
  }

 private:
  // Of the object above the middle of the fingers.
  double height_m() const {
    Vec3 middle = Vec3::Zero();
    for (const std::size_t body : bodies_)
      middle += session_.readings()[body].feedback.pose.position / static_cast<double>(bodies_.size());
    return (measure_object(session_.simulation(), grip_.object).centre_m - middle).dot(grip_.up);
  }

  const Scene& scene_;
  const GripOptions& options_;
  Grip grip_;
  Session session_;
  std::vector<std::size_t> bodies_;
};

GripResult describe(const Scene& scene, const Lifter& lifter) {
  const Grip& grip = lifter.grip();
  GripResult result;
  result.object = grip.object;
  result.mass_kg = lifter.mass_kg();
  result.static_friction = least_friction(scene, grip);
  const double held = static_cast<double>(grip.fingers.size()) * result.static_friction;
  const double weight = -scene.model.gravity_m_s2.dot(grip.up);
  result.theory_n = result.mass_kg * weight / held;
  result.lifting_n = result.mass_kg * (weight + kPeakStep * grip.lift_m / (grip.lift_time_s * grip.lift_time_s)) / held;
  return result;
}

double highest_force(const Scene& scene, const Grip& grip, const GripOptions& options) {
  double high = options.high_n;
  if (high == 0.0)
    for (const std::size_t which : grip.squeezes) high = std::max(high, 2.0 * scene.squeezes[which].second.force_n);
  if (options.low_n >= 0.0 && high > options.low_n && std::isfinite(high)) return high;
  throw InputError(fmt::format("--low {} --high {}: allowed: 0 or above, and high above low", options.low_n, high));
}

}  // namespace

GripResult find_grip(const Scene& scene, const GripOptions& options) {
  if (!(options.drop_m > 0.0)) throw InputError(fmt::format("--drop {}: allowed: above 0", options.drop_m));
  Lifter lifter(scene, options);
  GripResult result = describe(scene, lifter);
  const auto holds = [&](double force_n) {
    result.trials.push_back(lifter.lift(force_n));
    if (options.after_trial) options.after_trial(result.trials.back());
    return result.trials.back().holds;
  };
  double low = options.low_n, high = highest_force(scene, lifter.grip(), options);
  if (!holds(high)) {
    result.problem = fmt::format("the object is not held even with {} N: {}; try a higher --high", high,
                                 result.trials.back().problem);
    return result;
  }
  // Without a force there is no grip, which needs no trial.
  if (low > 0.0 && holds(low)) {
    result.minimum_n = low;
    return result;
  }
  while (high - low > options.precision * high) {
    const double middle = 0.5 * (low + high);
    (holds(middle) ? high : low) = middle;
  }
  result.minimum_n = high;
  result.slips_n = low;
  return result;
}

GripTrial try_grip(const Scene& scene, const GripOptions& options, double force_n) {
  return Lifter(scene, options).lift(force_n);
}

}  // namespace distal
