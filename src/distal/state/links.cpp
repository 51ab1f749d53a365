#include "distal/state/links.hpp"

namespace distal {

void place_links(const Model& model, State& state) {
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    if (joint.mimic < 0) continue;
    const auto master = static_cast<std::size_t>(joint.mimic);
    state.joint_position[j] = joint.drive.mimic_factor * state.joint_position[master] + joint.drive.mimic_offset;
    state.joint_velocity[j] = joint.drive.mimic_factor * state.joint_velocity[master];
  }
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    const Joint& joint = model.joints[j];
    const auto c = static_cast<std::size_t>(joint.child);
    Pose parent;
    RigidState carrier;  // the world at rest
    if (joint.parent >= 0) {
      carrier = state.rigid[static_cast<std::size_t>(joint.parent)];
      parent = body_pose(model.rigid[static_cast<std::size_t>(joint.parent)], carrier);
    }
    const Pose pose = parent * joint.child_in_parent * joint.motion(state.joint_position[j]);
    RigidState& child = state.rigid[c];
    child.q = pose.q.normalized();
    child.centre_of_mass = pose.to_world(model.rigid[c].centre_of_mass_m);
    child.angular_velocity = carrier.angular_velocity;
    child.velocity = carrier.velocity + carrier.angular_velocity.cross(child.centre_of_mass - carrier.centre_of_mass);
    const Vec3 rate = state.joint_velocity[j] * (child.q * joint.axis);
    if (joint.kind == JointKind::prismatic) child.velocity += rate;
    if (joint.kind == JointKind::revolute) {
      child.angular_velocity += rate;
      child.velocity += rate.cross(child.centre_of_mass - pose.to_world(joint.point_m));
    }
  }
}

}  // namespace distal
