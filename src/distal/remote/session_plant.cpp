#include "distal/remote/session_plant.hpp"

#include "distal/sensor/carried_mass.hpp"

namespace distal {
namespace {

std::vector<ServedBody> describe_bodies(const Simulation& simulation) {
  std::vector<ServedBody> bodies;
  for (std::size_t b = 0; b < simulation.body_count(); ++b) {
    const RigidBody& body = simulation.model().rigid[simulation.rigid_index(b)];
    ServedBody& served = bodies.emplace_back();
    served.name = body.name;
    served.driven = body.mount == Mount::driven;
    served.mass_kg = body.mass_kg;
    served.centre_m = body.centre_of_mass_m - body.end_m;
    served.inertia_kg_m2 = body.inertia_kg_m2;
    const CarriedMass carried = find_carried_mass(simulation.model(), simulation.rigid_index(b));
    served.weight_n = carried.mass_kg * simulation.model().gravity_m_s2;
    served.weight_centre_m = carried.centre_m - body.end_m;
  }
  return bodies;
}

std::vector<ServedJoint> describe_joints(const Simulation& simulation) {
  std::vector<ServedJoint> joints;
  for (std::size_t j = 0; j < simulation.joint_count(); ++j) {
    const Joint& joint = simulation.joint(j);
    const auto name_at = [&](int body) { return simulation.model().rigid[static_cast<std::size_t>(body)].name; };
    ServedJoint& served = joints.emplace_back();
    served.name = joint.name;
    served.turns = joint.kind == JointKind::revolute;
    served.motor = joint.has_motor();
    if (joint.mimic >= 0)
      served.follows = static_cast<int>(
          simulation.joint_index(simulation.model().joints[static_cast<std::size_t>(joint.mimic)].name));
    served.body = simulation.body_index(name_at(joint.child));
    served.lower = joint.drive.lower, served.upper = joint.drive.upper;
    served.most_effort = joint.drive.most_effort;
    served.motor_stiffness = joint.drive.motor_stiffness, served.motor_damping = joint.drive.motor_damping;
  }
  return joints;
}

}  // namespace

SessionPlant::SessionPlant(Session& session, const Scene& scene, std::uint64_t scene_hash, bool ends, bool real_time,
                           Onlooker* onlooker)
    : scene_(scene),
      session_(session),
      bodies_(describe_bodies(session.simulation())),
      joints_(describe_joints(session.simulation())),
      duration_s_(ends ? scene.run.duration_s : 0.0),
      real_time_(real_time),
      scene_hash_(scene_hash),
      onlooker_(onlooker) {
  connect_hands();
}

void SessionPlant::connect_hands() {
  hands_.emplace(scene_, body_names(session_.simulation()));
  hands_->connect(scene_, session_.simulation());
}

// What a hand holds obeys the hand.
std::span<const BodyCommand> SessionPlant::with_hands(std::span<const BodyCommand> commands) {
  if (hands_->ports().empty()) return commands;
  if (real_time_ && !loops_) loops_.emplace(hands_->ports(), hands_->touches(), simulated_s());
  body_commands_.assign(commands.begin(), commands.end());
  const auto held = hands_->update(session_.feedback(), session_.period_s());
  for (std::size_t b = 0; b < body_commands_.size(); ++b)
    if (hands_->commands(b)) body_commands_[b] = held[b];
  return body_commands_;
}

std::vector<LoopReport> SessionPlant::stop_loops() {
  if (!loops_) return {};
  std::vector<LoopReport> reports = loops_->stop();
  loops_.reset();
  for (const LoopReport& report : reports) session_.add_loop(report);
  return reports;
}

bool SessionPlant::advance(std::span<const BodyCommand> commands) {
  const auto all = with_hands(commands);
  const StepReport report = session_.advance(all, joint_commands_, hands_->update_touches(session_.simulation()));
  if (report.status == StepStatus::good && !hands_->ports().empty()) session_.add_hands(hands_->ports());
  if (onlooker_) onlooker_->look(session_);
  if (report.status == StepStatus::good) return true;
  failure_ = report.message;
  return false;
}

void SessionPlant::reset() {
  joint_commands_.clear();
  stop_loops();
  session_.reset();
  hands_.reset();  // first: a device of the network gives its port back
  connect_hands();
  if (onlooker_) onlooker_->look(session_);
}

std::uint64_t hash_scene(const Scene& scene) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : scene.resolved_toml) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace distal
