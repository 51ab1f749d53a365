#include "distal/model/joint.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/model/rigid_body.hpp"

namespace distal {
namespace {

int find_object(const std::vector<RigidBody>& bodies, const std::string& key, const std::string& name) {
  for (std::size_t b = 0; b < bodies.size(); ++b)
    if (bodies[b].name == name && bodies[b].shape) return static_cast<int>(b);
  throw InputError(fmt::format("{}: there is no rigid body '{}'", key, name));
}

void check_drive(const std::string& where, const Joint& joint) {
  const JointDrive& d = joint.drive;
  if (!(d.lower <= d.upper) || d.initial < d.lower || d.initial > d.upper)
    throw InputError(fmt::format("{}: the start {:.6g} is not within its limits [{:.6g}, {:.6g}]", where, d.initial,
                                 d.lower, d.upper));
  if (d.times_s.size() != d.targets.size())
    throw InputError(fmt::format("{}: {} times for {} targets", where, d.times_s.size(), d.targets.size()));
  if (!std::is_sorted(d.times_s.begin(), d.times_s.end(), std::less_equal<>{}))
    throw InputError(fmt::format("{}.times_s: must rise from one to the next", where));
  if (!d.targets.empty() && !joint.has_motor())
    throw InputError(
        fmt::format("{}: a path of targets, and no motor that follows it; give it a motor_stiffness", where));
}

void place_joint(const JointPlace& place, const std::vector<Pose>& poses, Joint& joint) {
  const Pose parent = joint.parent < 0 ? Pose{} : poses[static_cast<std::size_t>(joint.parent)];
  joint.point_m = place.position_m;
  joint.axis = place.axis.normalized();
  joint.child_in_parent =
      inverse(parent) * poses[static_cast<std::size_t>(joint.child)] * inverse(joint.motion(joint.drive.initial));
}

// A joint follows those that carry its parent; a ring has no first one.
std::vector<Joint> sorted(std::vector<Joint> joints) {
  std::vector<Joint> in_order;
  while (!joints.empty()) {
    const auto waits = [&](const Joint& joint) {
      return std::any_of(joints.begin(), joints.end(), [&](const Joint& other) { return other.child == joint.parent; });
    };
    const auto next = std::find_if_not(joints.begin(), joints.end(), waits);
    if (next == joints.end())
      throw InputError(fmt::format("joint.{}: its bodies and joints form a ring", joints.front().name));
    in_order.push_back(*next);
    joints.erase(next);
  }
  return in_order;
}

void connect_mimics(std::vector<Joint>& joints) {
  for (Joint& joint : joints) {
    if (joint.drive.mimic.empty()) continue;
    const auto same = [&](const Joint& other) { return other.name == joint.drive.mimic; };
    const auto master = std::find_if(joints.begin(), joints.end(), same);
    const std::string key = fmt::format("joint.{}.mimic", joint.name);
    if (master == joints.end()) throw InputError(fmt::format("{}: there is no joint '{}'", key, joint.drive.mimic));
    if (!master->drive.mimic.empty() || master->kind == JointKind::weld)
      throw InputError(fmt::format("{}: '{}' has no freedom of its own", key, master->name));
    joint.mimic = static_cast<int>(master - joints.begin());
    const double follows = joint.drive.mimic_factor * master->drive.initial + joint.drive.mimic_offset;
    if (std::abs(follows - joint.drive.initial) > 1e-9)
      throw InputError(fmt::format("joint.{}: its start is {:.9g}, but following '{}' it is {:.9g}", joint.name,
                                   joint.drive.initial, master->name, follows));
  }
}

}  // namespace

Pose Joint::motion(double position) const {
  if (kind == JointKind::weld) return {};
  if (kind == JointKind::prismatic) return {position * axis, Quat::Identity()};
  const Quat turn = rotation_from_vector(position * axis);
  return {point_m - turn * point_m, turn};
}

Joint::Target Joint::target_at(double time_s) const {
  if (drive.targets.empty()) return {drive.initial, 0.0};
  const auto next = std::upper_bound(drive.times_s.begin(), drive.times_s.end(), time_s);
  if (next == drive.times_s.begin()) return {drive.targets.front(), 0.0};
  if (next == drive.times_s.end()) return {drive.targets.back(), 0.0};
  const auto n = static_cast<std::size_t>(next - drive.times_s.begin());
  const double speed = (drive.targets[n] - drive.targets[n - 1]) / (drive.times_s[n] - drive.times_s[n - 1]);
  return {drive.targets[n - 1] + speed * (time_s - drive.times_s[n - 1]), speed};
}

std::vector<Joint> make_joints(const ModelDescription& d, std::vector<RigidBody>& bodies,
                               const std::vector<Pose>& poses) {
  std::vector<Joint> joints;
  for (const auto& [name, description] : d.joints) {
    const std::string where = "joint." + name;
    Joint joint;
    joint.name = name;
    const JointPlace* placed = nullptr;
    if (const auto* revolute = std::get_if<RevoluteDescription>(&description)) {
      placed = &revolute->place, joint.drive = revolute->drive;
    } else if (const auto* prismatic = std::get_if<PrismaticDescription>(&description)) {
      placed = &prismatic->place, joint.drive = prismatic->drive, joint.kind = JointKind::prismatic;
    } else {
      placed = &std::get<WeldDescription>(description).place, joint.kind = JointKind::weld;
    }
    joint.child = find_object(bodies, where + ".child", placed->child);
    if (!placed->parent.empty()) joint.parent = find_object(bodies, where + ".parent", placed->parent);
    RigidBody& child = bodies[static_cast<std::size_t>(joint.child)];
    if (child.mount == Mount::jointed)
      throw InputError(fmt::format("{}.child: '{}' has a joint already", where, placed->child));
    if (child.mount != Mount::free)
      throw InputError(fmt::format("{}.child: '{}' is not free, so no joint can move it", where, placed->child));
    child.mount = Mount::jointed;
    check_drive(where, joint);
    place_joint(*placed, poses, joint);
    joints.push_back(joint);
  }
  joints = sorted(std::move(joints));
  connect_mimics(joints);
  return joints;
}

}  // namespace distal
