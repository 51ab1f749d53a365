#include "distal/state/state.hpp"

#include <algorithm>

#include "distal/state/hasher.hpp"
#include "distal/state/links.hpp"

namespace distal {

namespace {

PairState make_pair_state(std::size_t samples) {
  PairState pair;
  pair.touch.assign(samples, Touch::none);
  pair.anchor_m.assign(samples, Vec3::Zero());
  pair.stretch_m.assign(samples, 0.0F);
  pair.weakened.assign(samples, 0.0F);
  return pair;
}

void add_pair(const PairState& pair, Hasher& hasher) {
  for (std::size_t s = 0; s < pair.touch.size(); ++s)
    if (pair.touch[s] != Touch::none) {
      hasher.add(static_cast<std::uint64_t>(s) * 4 + static_cast<std::uint64_t>(pair.touch[s]));
      hasher.add(pair.anchor_m[s]);
      hasher.add(static_cast<double>(pair.stretch_m[s]));
      hasher.add(static_cast<double>(pair.weakened[s]));
      if (!pair.approach_m_s.empty()) hasher.add(static_cast<double>(pair.approach_m_s[s]));
    }
}

}  // namespace

State make_initial_state(const Model& model) {
  State state;
  state.x.resize(model.particle_slots);
  state.v.resize(model.particle_slots);
  if (is_implicit(model.integrator.kind)) {
    state.velocity_change.resize(model.particle_slots);
    state.rigid_velocity_change.resize(model.rigid.size());
  }
  for (const SoftBody& body : model.soft)
    for (int n = 0; n < body.node_count(); ++n) {
      const auto p = static_cast<std::size_t>(body.first_particle + n);
      const Vec3 arm = body.initial_pose.q * body.rest_position(n);
      state.x.set(p, body.initial_pose.position + arm);
      if (model.inverse_mass_per_kg[p] > 0.0)
        state.v.set(p, body.initial_twist.linear + body.initial_twist.angular.cross(arm));
    }
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const Pose& pose = model.rigid_initial_pose[b];
    const Twist& twist = model.rigid_initial_twist[b];
    const Vec3 arm = pose.q * model.rigid[b].centre_of_mass_m;
    state.rigid.push_back({pose.position + arm, pose.q, twist.linear + twist.angular.cross(arm), twist.angular});
  }
  for (const Joint& joint : model.joints) state.joint_position.push_back(joint.drive.initial);
  state.joint_velocity.assign(model.joints.size(), 0.0);
  state.joint_effort.assign(model.joints.size(), 0.0);
  place_links(model, state);
  if (model.integrator.kind == IntegratorKind::complementarity) state.soft_impulse.resize(model.rigid.size());
  for (const ContactPair& pair : model.pairs) {
    const auto sampled = static_cast<std::size_t>(pair.sampled);
    const std::size_t samples = pair.hard               ? 0
                                : !pair.sampled_is_soft ? model.rigid[sampled].samples_m.size()
                                : pair.by_facets()      ? model.soft[sampled].tet->facets.size()
                                                        : model.soft[sampled].skin.size();
    state.pairs.push_back(make_pair_state(samples));
    if (pair.by_facets()) state.pairs.back().approach_m_s.assign(samples, 0.0F);
  }
  for (const BodyField& field : model.fields) state.fields.push_back(field.initial);
  const auto sets = [](const SoftBody& body) { return body.tet && body.tet->sets(); };
  if (std::any_of(model.soft.begin(), model.soft.end(), sets))
    for (const SoftBody& body : model.soft) {
      std::vector<double>& rest = state.spring_rest_m.emplace_back();
      if (sets(body)) rest.assign(body.tet->strand.rest_m.begin(), body.tet->strand.rest_m.end());
    }
  for (const SoftPair& pair : model.soft_pairs)
    state.soft_pairs.push_back(make_pair_state(model.soft[static_cast<std::size_t>(pair.sampled)].skin.size()));
  return state;
}

Pose body_pose(const RigidBody& body, const RigidState& state) {
  return {state.centre_of_mass - state.q * body.centre_of_mass_m, state.q};
}

Pose end_pose(const RigidBody& body, const RigidState& state) {
  return {state.centre_of_mass + state.q * (body.end_m - body.centre_of_mass_m), state.q};
}

Twist end_twist(const RigidBody& body, const RigidState& state) {
  const Vec3 arm = state.q * (body.end_m - body.centre_of_mass_m);
  return {state.velocity + state.angular_velocity.cross(arm), state.angular_velocity};
}

void set_end(const RigidBody& body, const Pose& end, const Twist& twist, RigidState& state) {
  const Vec3 arm = end.q * (body.centre_of_mass_m - body.end_m);
  state.q = end.q;
  state.centre_of_mass = end.position + arm;
  state.velocity = twist.linear + twist.angular.cross(arm);
  state.angular_velocity = twist.angular;
}

Vec3 angular_momentum(const RigidBody& body, const RigidState& state) {
  return state.q * (body.inertia_kg_m2 * (state.q.conjugate() * state.angular_velocity));
}

Vec3 angular_velocity_from(const RigidBody& body, const Quat& q, const Vec3& momentum) {
  return q * (body.inverse_inertia * (q.conjugate() * momentum));
}

std::uint64_t hash_state(const State& state) {
  Hasher hasher;
  hasher.add(state.time_s);
  hasher.add(static_cast<std::uint64_t>(state.step));
  for (const Vec3Array* array : {&state.x, &state.v})
    for (int axis = 0; axis < 3; ++axis)
      for (std::size_t i = 0; i < array->size(); ++i) hasher.add(array->data(axis)[i]);
  for (const RigidState& body : state.rigid) {
    hasher.add(body.centre_of_mass);
    hasher.add(body.q);
    hasher.add(body.velocity);
    hasher.add(body.angular_velocity);
  }
  for (const PairState& pair : state.pairs) add_pair(pair, hasher);
  for (const PairState& pair : state.soft_pairs) add_pair(pair, hasher);
  for (const double position : state.joint_position) hasher.add(position);
  for (const double velocity : state.joint_velocity) hasher.add(velocity);
  for (const HardContact& contact : state.hard_contacts) {
    hasher.add(contact.point);
    hasher.add(contact.load_n);
    hasher.add(contact.friction);
    for (const double axis : contact.semi_axes_m) hasher.add(axis);
  }
  for (const auto* numbers : {&state.fields, &state.spring_rest_m})
    for (const std::vector<double>& list : *numbers)
      for (const double number : list) hasher.add(number);
  for (const Wrench& impulse : state.soft_impulse) {
    hasher.add(impulse.force);
    hasher.add(impulse.torque);
  }
  return hasher.value();
}

}  // namespace distal
