#include "distal/integrator/linked_motion.hpp"

#include <algorithm>

#include "distal/integrator/rigid_update.hpp"
#include "distal/state/links.hpp"

namespace distal {
namespace {

Mat3 world_inertia(const RigidBody& body, const Quat& q) {
  Mat3 inertia;
  RigidState turning;
  turning.q = q;
  for (int axis = 0; axis < 3; ++axis) {
    turning.angular_velocity = Vec3::Unit(axis);
    inertia.col(axis) = angular_momentum(body, turning);
  }
  return inertia;
}

Twist moved_to(const Twist& t, const Vec3& from_old_to_new) {
  return {t.linear + t.angular.cross(from_old_to_new), t.angular};
}

}  // namespace

bool LinkedMotion::is_free(std::size_t b) const {
  return model_.rigid[b].shape && model_.rigid[b].moves_freely();  // rods move with what is soft
}

LinkedMotion::LinkedMotion(const Model& model)
    : model_(model),
      first_freedom_(model.rigid.size(), -1),
      joint_freedom_(model.joints.size(), -1),
      carries_(model.rigid.size(), false),
      columns_(model.rigid.size()),
      carried_(model.rigid.size()),
      bias_(model.rigid.size()),
      inertia_(model.rigid.size(), Mat3::Zero()) {
  for (const Joint& joint : model.joints)
    if (joint.parent >= 0) carries_[static_cast<std::size_t>(joint.parent)] = true;
  number_freedoms();
  mass_.resize(size_, size_);
  for (auto& columns : columns_) columns.reserve(static_cast<std::size_t>(std::min(size_, 32)));
}

// Block by block: a free body with all that hangs on it, or a chain on something that does not move by itself. Joints
// that mimic tie chains together.
void LinkedMotion::number_freedoms() {
  std::vector<int> block_of_body(model_.rigid.size(), -1), block_of_joint(model_.joints.size(), -1);
  int blocks = 0;
  for (std::size_t b = 0; b < model_.rigid.size(); ++b)
    if (is_free(b)) block_of_body[b] = blocks++;
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    const int carrier = joint.parent < 0 ? -1 : block_of_body[static_cast<std::size_t>(joint.parent)];
    block_of_joint[j] = block_of_body[static_cast<std::size_t>(joint.child)] = carrier >= 0 ? carrier : blocks++;
  }
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    if (model_.joints[j].mimic < 0) continue;
    const int from = block_of_joint[j], to = block_of_joint[static_cast<std::size_t>(model_.joints[j].mimic)];
    std::replace(block_of_joint.begin(), block_of_joint.end(), from, to);
    std::replace(block_of_body.begin(), block_of_body.end(), from, to);
  }
  for (int block = 0; block < blocks; ++block) {
    const int begin = size_;
    for (std::size_t b = 0; b < model_.rigid.size(); ++b)
      if (is_free(b) && block_of_body[b] == block) {
        first_freedom_[b] = size_;
        size_ += model_.rigid[b].mount == Mount::guided ? 1 : 6;
      }
    for (std::size_t j = 0; j < model_.joints.size(); ++j)
      if (model_.joints[j].has_freedom() && block_of_joint[j] == block) joint_freedom_[j] = size_++;
    const int size = size_ - begin;
    if (size > 0) blocks_.push_back({begin, size, Eigen::LLT<Eigen::MatrixXd>(Eigen::MatrixXd::Identity(size, size))});
  }
}

void LinkedMotion::find_columns(const State& state) {
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    columns_[b].clear();
    carried_[b] = {};
    const RigidState& s = state.rigid[b];
    if (model_.rigid[b].mount == Mount::driven) carried_[b] = {s.velocity, s.angular_velocity};
    if (first_freedom_[b] < 0) continue;
    if (model_.rigid[b].mount == Mount::guided) {
      columns_[b].push_back({first_freedom_[b], {model_.rigid[b].guide_axis, Vec3::Zero()}});
      continue;
    }
    for (int axis = 0; axis < 3; ++axis)
      columns_[b].push_back({first_freedom_[b] + axis, {Vec3::Unit(axis), Vec3::Zero()}});
    for (int axis = 0; axis < 3; ++axis)
      columns_[b].push_back({first_freedom_[b] + 3 + axis, {Vec3::Zero(), Vec3::Unit(axis)}});
  }
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    const auto c = static_cast<std::size_t>(joint.child);
    const RigidState& child = state.rigid[c];
    if (joint.parent >= 0) {
      const auto p = static_cast<std::size_t>(joint.parent);
      const Vec3 arm = child.centre_of_mass - state.rigid[p].centre_of_mass;
      carried_[c] = moved_to(carried_[p], arm);
      for (const Column& column : columns_[p]) columns_[c].push_back({column.freedom, moved_to(column.twist, arm)});
    }
    if (joint.kind == JointKind::weld) continue;
    const Vec3 axis = (joint.mimic < 0 ? 1.0 : joint.drive.mimic_factor) * (child.q * joint.axis);
    const Vec3 arm = child.q * (model_.rigid[c].centre_of_mass_m - joint.point_m);
    const Twist own = joint.kind == JointKind::prismatic ? Twist{axis, Vec3::Zero()} : Twist{axis.cross(arm), axis};
    const int freedom = joint_freedom_[joint.mimic < 0 ? j : static_cast<std::size_t>(joint.mimic)];
    const auto same = std::find_if(columns_[c].begin(), columns_[c].end(),
                                   [&](const Column& column) { return column.freedom == freedom; });
    if (same == columns_[c].end())
      columns_[c].push_back({freedom, own});
    else
      same->twist.linear += own.linear, same->twist.angular += own.angular;
  }
}

void LinkedMotion::find_bias(const State& state) {
  std::fill(bias_.begin(), bias_.end(), Twist{});
  for (std::size_t j = 0; j < model_.joints.size(); ++j) {
    const Joint& joint = model_.joints[j];
    const auto c = static_cast<std::size_t>(joint.child);
    const RigidState& child = state.rigid[c];
    const Vec3 rate = state.joint_velocity[j] * (child.q * joint.axis);
    Vec3 parent_rate = Vec3::Zero(), parent_centre = Vec3::Zero();
    Twist bias;
    if (joint.parent >= 0) {
      const auto p = static_cast<std::size_t>(joint.parent);
      parent_rate = state.rigid[p].angular_velocity;
      parent_centre = state.rigid[p].centre_of_mass;
      bias = bias_[p];
    }
    const auto turned = [](const Twist& a, const Vec3& w, const Vec3& arm) {
      return Vec3(a.linear + a.angular.cross(arm) + w.cross(w.cross(arm)));
    };
    if (joint.kind == JointKind::revolute) {
      const Vec3 pivot = child.centre_of_mass - child.q * (model_.rigid[c].centre_of_mass_m - joint.point_m);
      bias.linear = turned(bias, parent_rate, pivot - parent_centre);
      bias.angular += parent_rate.cross(rate);
      bias.linear = turned(bias, child.angular_velocity, child.centre_of_mass - pivot);
    } else {
      bias.linear = turned(bias, parent_rate, child.centre_of_mass - parent_centre);
      if (joint.kind == JointKind::prismatic) bias.linear += 2.0 * parent_rate.cross(rate);
    }
    bias_[c] = bias;
  }
}

void LinkedMotion::update(const State& state, const Eigen::VectorXd& added) {
  find_columns(state);
  find_bias(state);
  mass_.setZero();
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    if (columns_[b].empty()) continue;
    inertia_[b] = world_inertia(model_.rigid[b], state.rigid[b].q);
    for (const Column& one : columns_[b]) {
      const Vec3 momentum = model_.rigid[b].mass_kg * one.twist.linear, spin = inertia_[b] * one.twist.angular;
      for (const Column& other : columns_[b])
        mass_(other.freedom, one.freedom) += other.twist.linear.dot(momentum) + other.twist.angular.dot(spin);
    }
  }
  mass_.diagonal() += added;
  for (Block& block : blocks_) block.factor.compute(mass_.block(block.begin, block.begin, block.size, block.size));
}

void LinkedMotion::gather(const State& state, const std::vector<Wrench>& impulse, double h,
                          Eigen::VectorXd& out) const {
  out.setZero();
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    const RigidState& s = state.rigid[b];
    const Vec3 momentum =
        model_.rigid[b].mass_kg * (s.velocity - carried_[b].linear - h * bias_[b].linear) + impulse[b].force;
    Vec3 spin = inertia_[b] * (s.angular_velocity - carried_[b].angular - h * bias_[b].angular) + impulse[b].torque;
    // A body that turns alone keeps its angular momentum while it drifts, which says the same more exactly.
    if (!turns_alone(b)) spin -= h * s.angular_velocity.cross(inertia_[b] * s.angular_velocity);
    for (const Column& column : columns_[b])
      out[column.freedom] += column.twist.linear.dot(momentum) + column.twist.angular.dot(spin);
  }
}

void LinkedMotion::divide_by_mass(Eigen::Ref<Eigen::MatrixXd> columns) const {
  for (const Block& block : blocks_) {
    auto part = columns.middleRows(block.begin, block.size);
    block.factor.solveInPlace(part);
  }
}

void LinkedMotion::set_velocities(const Eigen::VectorXd& v, State& state) const {
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    if (columns_[b].empty()) continue;
    Twist twist = carried_[b];
    for (const Column& column : columns_[b]) {
      twist.linear += v[column.freedom] * column.twist.linear;
      twist.angular += v[column.freedom] * column.twist.angular;
    }
    state.rigid[b].velocity = twist.linear, state.rigid[b].angular_velocity = twist.angular;
  }
  for (std::size_t j = 0; j < model_.joints.size(); ++j)
    if (joint_freedom_[j] >= 0) state.joint_velocity[j] = v[joint_freedom_[j]];
}

void LinkedMotion::drift(double h, State& state) const {
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    RigidState& s = state.rigid[b];
    if (model_.rigid[b].mount == Mount::driven) drift_driven(model_.rigid[b], h, s);
    if (!is_free(b)) continue;
    s.centre_of_mass += h * s.velocity;
    if (turns_alone(b))
      turn_freely(model_.rigid[b], h, s);
    else
      s.q = (rotation_from_vector(h * s.angular_velocity) * s.q).normalized();
  }
  for (std::size_t j = 0; j < model_.joints.size(); ++j) state.joint_position[j] += h * state.joint_velocity[j];
  place_links(model_, state);
}

void LinkedMotion::add_row(int body, double sign, const Vec3& arm, const Vec3& linear, const Vec3& angular,
                           Eigen::Ref<Eigen::VectorXd> row) const {
  for (const Column& column : columns(body))
    row[column.freedom] +=
        sign * (linear.dot(column.twist.linear + column.twist.angular.cross(arm)) + angular.dot(column.twist.angular));
}

double LinkedMotion::carried(int body, const Vec3& arm, const Vec3& linear, const Vec3& angular) const {
  const Twist& t = carried_[static_cast<std::size_t>(body)];
  return linear.dot(t.linear + t.angular.cross(arm)) + angular.dot(t.angular);
}

}  // namespace distal
