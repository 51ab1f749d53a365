#include "distal/sensor/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "distal/force/forces.hpp"
#include "distal/sensor/skin.hpp"

namespace distal {
namespace {

// What the tip should pass on to the rod if nothing is lost: contact + weight - inertia, about E; drag and dead loads
// act on it from outside too. And how large the parts are.
struct TipBalance {
  Wrench passed_on;
  double scale_n = 0.0;
};

// Of a piece of the tip: all forces and the drag, about E; and its mass.
struct TipSums {
  Wrench forces, drag;
  double mass_kg = 0.0;
  TipSums operator+(const TipSums& o) const { return {forces + o.forces, drag + o.drag, mass_kg + o.mass_kg}; }
};

TipBalance balance_tip(const Model& model, std::size_t soft_index, const State& state, const Workspace& ws,
                       const Wrench& contact, const Vec3& end) {
  const SoftBody& body = model.soft[soft_index];
  const Vec3 carried = body.rod < 0 ? Vec3::Zero() : state.rigid[static_cast<std::size_t>(body.rod)].velocity;
  const TipSums sums = sum_pieces(*ws.team, body.mass_kg().size(), [&](std::size_t begin, std::size_t finish) {
    TipSums piece;
    for (std::size_t n = begin; n < finish; ++n) {
      const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
      if (model.mass_kg[p] == 0.0) continue;
      const Vec3 arm = state.x.get(p) - end, force = ws.force.get(p);
      piece.forces += Wrench{force, arm.cross(force)};
      piece.mass_kg += model.mass_kg[p];
      if (model.quasi_static_drag_per_s == 0.0) continue;
      const Vec3 drag = -model.quasi_static_drag_per_s * model.mass_kg[p] * (state.v.get(p) - carried);
      piece.drag += Wrench{drag, arm.cross(drag)};
    }
    return piece;
  });
  Wrench outside = moved(contact, -end) + sums.drag;
  for (const auto& [node, force] : body.node_loads_n)
    outside += Wrench{force, (state.x.get(static_cast<std::size_t>(body.first_particle + node)) - end).cross(force)};
  // Weight appears on both sides, in the weight and in the inertia m a = f + m g: only the forces remain.
  return {outside - sums.forces, std::max(contact.force.norm(), sums.mass_kg * model.gravity_m_s2.norm())};
}

Wrench rigid_sensor_part(const Model& model, std::size_t b, const State& state, const Workspace& ws, const Vec3& end) {
  const RigidBody& body = model.rigid[b];
  const RigidState& s = state.rigid[b];
  const Vec3 offset = s.q * (body.beyond_flange_centre_m - body.centre_of_mass_m),
             arm = s.centre_of_mass + offset - end;
  const Twist& a = ws.rigid_acceleration[b];
  const Vec3 acceleration =
      a.linear + a.angular.cross(offset) + s.angular_velocity.cross(s.angular_velocity.cross(offset));
  const Vec3 force = body.beyond_flange_mass_kg * (model.gravity_m_s2 - acceleration);
  const auto turn = [&](const Vec3& v) {
    return Vec3(s.q * (body.beyond_flange_inertia_kg_m2 * (s.q.conjugate() * v)));
  };
  return {force, arm.cross(force) - turn(a.angular) - s.angular_velocity.cross(turn(s.angular_velocity))};
}

}  // namespace

int soft_on_rod(const Model& model, std::size_t rigid_index) {
  for (std::size_t s = 0; s < model.soft.size(); ++s)
    if (model.soft[s].rod == static_cast<int>(rigid_index)) return static_cast<int>(s);
  return -1;
}

BodyReading measure_body(const Model& model, std::size_t b, const State& state, const Workspace& ws,
                         const ContactSums& sums) {
  const RigidBody& body = model.rigid[b];
  BodyReading reading;
  BodyFeedback& feedback = reading.feedback;
  feedback.time_s = state.time_s;
  feedback.pose = end_pose(body, state.rigid[b]);
  feedback.twist = end_twist(body, state.rigid[b]);
  const Vec3 end = feedback.pose.position, from_end = state.rigid[b].centre_of_mass - end;
  const Quat to_end = feedback.pose.q.conjugate();
  const int soft_index = soft_on_rod(model, b);
  Wrench tip, contact = moved(sums.rigid[b].contact, from_end);
  if (soft_index >= 0) {
    const auto s = static_cast<std::size_t>(soft_index);
    contact += moved(sums.soft[s].contact, -end);
    tip = moved(ws.soft[s].tip, from_end);
    const Wrench damping = moved(ws.soft[s].tip_damping, from_end);
    reading.tip_damping = rotated(to_end, damping);
    reading.tip_elastic = rotated(to_end, tip - damping);
    const TipBalance balance = balance_tip(model, s, state, ws, sums.soft[s].contact, end);
    const Wrench gap = balance.passed_on - tip;
    const double scale = std::max({balance.scale_n, tip.force.norm(), 1e-12}), lever = body.end_m.norm() + 1e-12;
    reading.closure_residual = std::max(gap.force.norm(), gap.torque.norm() / lever) / scale;
  } else {
    tip = contact;  // an object without a soft part feels its contacts directly
  }
  const TouchSums& touch = soft_index < 0 ? sums.rigid[b] : sums.soft[static_cast<std::size_t>(soft_index)];
  reading.patch = touch.patch;
  reading.depth_m = touch.depth_m;
  feedback.contact = rotated(to_end, contact);
  feedback.tip = rotated(to_end, tip);
  feedback.sensor = rotated(to_end, tip + rigid_sensor_part(model, b, state, ws, end));
  return reading;
}

EnergyReading measure_energy(const State& state, const Workspace& ws) {
  const StoredEnergy& stored = ws.stored;
  EnergyReading e{stored.kinetic,
                  stored.elastic,
                  stored.gravity,
                  stored.contact,
                  stored.ligament,
                  state.energy.dissipated,
                  state.energy.control_work,
                  state.energy.integrator,
                  0.0};
  e.residual = stored.total() + e.dissipated + e.integrator - e.control_work - state.energy.initial;
  return e;
}

namespace {

// Travel along `direction` of the pair's sampled skin until it first touches its partner; infinite if it never does
// within `most_m`.
double find_pair_gap(const Model& model, const ContactPair& pair, const State& state, const Vec3& direction,
                     double most_m) {
  double gap = std::numeric_limits<double>::infinity();
  SkinView view;
  find_skin_positions(model.soft[static_cast<std::size_t>(pair.sampled)], state, view);
  const auto partner = static_cast<std::size_t>(pair.partner);
  const Pose to_partner = inverse(body_pose(model.rigid[partner], state.rigid[partner]));
  const Vec3 along = to_partner.q * direction;
  for (const Vec3& world : view.positions) {
    // March by the distance itself: it never steps over the surface.
    const Vec3 start = to_partner.to_world(world);
    double travel = 0.0, distance = 1.0;
    while (distance > 1e-10 && travel < std::min(gap, most_m)) {
      distance = signed_distance(*model.rigid[partner].shape, start + travel * along).value;
      travel += distance;
    }
    if (distance <= 1e-10) gap = std::min(gap, std::max(travel, 0.0));
  }
  return gap;
}

constexpr double kFar_m = 10.0;

}  // namespace

double find_gap(const Model& model, std::size_t soft_index, const State& state, const Vec3& direction) {
  double gap = find_soft_gap(model, soft_index, state, direction);
  for (const ContactPair& pair : model.pairs)
    if (pair.sampled_is_soft && pair.sampled == static_cast<int>(soft_index))
      gap = std::min(gap, find_pair_gap(model, pair, state, direction, kFar_m));
  return gap;
}

double find_rigid_gap(const Model& model, std::size_t rigid_index, const State& state, const Vec3& direction) {
  double gap = std::numeric_limits<double>::infinity();
  for (const ContactPair& pair : model.pairs)
    if (pair.sampled_is_soft && pair.partner == static_cast<int>(rigid_index))
      gap = std::min(gap, find_pair_gap(model, pair, state, -direction, kFar_m));
  return gap;
}

JointFeedback measure_joint(const Model& model, std::size_t joint, const State& state) {
  const double effort = state.joint_effort[joint], nearly = (1.0 - 1e-9) * model.joints[joint].drive.most_effort;
  return {state.joint_position[joint], state.joint_velocity[joint], effort, std::abs(effort) >= nearly};
}

std::vector<double> measure_pressure(const Model& model, std::size_t soft_index, const State& state,
                                     const Workspace& ws) {
  const SoftBody& body = model.soft[soft_index];
  SkinView view;
  find_skin_contacts(model, soft_index, ws, view);
  find_skin_positions(body, state, view);
  find_skin_areas(body, view);
  std::vector<double> pressure(body.skin.size(), 0.0);
  for (const VertexContact& contact : view.contacts)
    if (const double area = view.areas[contact.vertex]; area > 0.0)
      pressure[contact.vertex] = contact.normal_force_n / area;
  return pressure;
}

std::vector<double> measure_taxels(const Model& model, std::size_t soft_index, const State& state, const Workspace& ws,
                                   int rows, int columns, double pitch_m) {
  const SoftBody& body = model.soft[soft_index];
  const Pose carrying = carrying_pose(model, body, state);
  std::vector<double> pressure(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 0.0);
  SkinView view;
  find_skin_contacts(model, soft_index, ws, view);
  find_skin_positions(body, state, view);
  for (const VertexContact& contact : view.contacts) {
    const Vec3 local = carrying.to_local(view.positions[contact.vertex]);
    const int column = static_cast<int>(std::floor(local.x() / pitch_m + 0.5 * columns));
    const int row = static_cast<int>(std::floor(local.y() / pitch_m + 0.5 * rows));
    if (row < 0 || column < 0 || row >= rows || column >= columns) continue;
    pressure[static_cast<std::size_t>(row * columns + column)] += contact.normal_force_n / (pitch_m * pitch_m);
  }
  return pressure;
}

}  // namespace distal
