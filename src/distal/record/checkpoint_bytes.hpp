// What of each type is in a checkpoint, in which order. Found by argument-dependent lookup, hence not in a source file.
#pragma once
#include "distal/record/byte_archive.hpp"
#include "distal/record/checkpoint.hpp"

namespace distal {

template <class Archive>
void visit_bytes(Archive& a, Vec3Array& array) {
  const std::size_t size = a.size(array.size());
  if (size != array.size()) array.resize(size);
  for (int axis = 0; axis < 3; ++axis) a.block(array.data(axis), size);
}

template <class Archive>
void visit_bytes(Archive& a, RigidState& s) {
  visit_all(a, s.centre_of_mass, s.q, s.velocity, s.angular_velocity);
}

template <class Archive>
void visit_bytes(Archive& a, PairState& pair) {
  visit_numbers(a, pair.touch);
  visit_each(a, pair.anchor_m);
  visit_numbers(a, pair.stretch_m);
  visit_numbers(a, pair.weakened);
  visit_numbers(a, pair.approach_m_s);
}

template <class Archive>
void visit_bytes(Archive& a, HardContact& c) {
  visit_all(a, c.pair, c.part_a, c.part_b, c.feature, c.point, c.normal, c.first_tangent, c.separation_m, c.load_n,
            c.friction, c.eccentricity_m, c.semi_axes_m[0], c.semi_axes_m[1], c.fit_deviation_m, c.slides);
}

template <class Archive>
void visit_lists(Archive& a, std::vector<std::vector<double>>& lists) {
  lists.resize(a.size(lists.size()));
  for (std::vector<double>& list : lists) visit_numbers(a, list);
}

template <class Archive>
void visit_bytes(Archive& a, State& s) {
  visit_all(a, s.time_s, s.period, s.step, s.x, s.v);
  visit_each(a, s.rigid);
  visit_each(a, s.pairs);
  visit_each(a, s.soft_pairs);
  visit_numbers(a, s.joint_position);
  visit_numbers(a, s.joint_velocity);
  visit_numbers(a, s.joint_effort);
  visit_each(a, s.hard_contacts);
  visit_each(a, s.soft_impulse);
  visit_lists(a, s.fields);
  visit_lists(a, s.spring_rest_m);
  EnergyLedger& energy = s.energy;
  visit_all(a, energy.initial, energy.dissipated, energy.control_work, energy.integrator, energy.last_residual);
  visit_bytes(a, s.velocity_change);
  visit_each(a, s.rigid_velocity_change);
  visit_all(a, s.adaptive_step_s, s.steps_per_period);
}

template <class Archive>
void visit_bytes(Archive& a, BodyFeedback& f) {
  visit_all(a, f.time_s, f.pose, f.twist, f.contact, f.tip, f.sensor);
}

template <class Archive>
void visit_bytes(Archive& a, BodyCommand& command) {
  visit_all(a, command.mode, command.wrench, command.twist, command.pose);
}

template <class Archive>
void visit_bytes(Archive& a, Sample& sample) {
  visit_all(a, sample.mode, sample.linear, sample.angular, sample.q);
}

template <class Archive>
void visit_bytes(Archive& a, ChannelMemory::InFlight& one) {
  visit_all(a, one.sent, one.due, one.sample);
}

template <class Archive>
void visit_bytes(Archive& a, ChannelMemory& m) {
  visit_all(a, m.count, m.first_q);
  for (std::size_t part : {0, 1}) visit_all(a, m.filtered[part], m.acting[part]);
  visit_all(a, m.newest, m.shown);
  visit_each(a, m.in_flight);
}

template <class Archive>
void visit_bytes(Archive& a, ApproachReference& r) {
  visit_all(a, r.phase, r.travel_m, r.speed_m_s, r.first_speed_m_s, r.clock_s, r.stop_travel_m, r.stop_speed_m_s,
            r.stop_acceleration_m_s2, r.stop_time_s, r.end_travel_m);
}

template <class Archive>
void visit_bytes(Archive& a, AdaptivePidMemory& m) {
  visit_all(a, m.started, m.first_pose, m.reference, m.integral_m_s2, m.angular_integral_rad_s2, m.measured);
  for (BoundedRegression* slope : {&m.mobility, &m.contact_stiffness}) visit_all(a, slope->xx, slope->xy);
  visit_all(a, m.command, m.held_period_s, m.rod_force_n, m.rod_acceleration_m_s2, m.tip_force_n, m.centre_velocity_m_s,
            m.travel_m, m.push_n, m.contact_force_n, m.force_saturated, m.torque_saturated, m.feedback_good,
            m.refused_feedbacks);
}

// A row that waits to be taken does not outlast a period.
template <class Archive>
void visit_bytes(Archive& a, PrescribedMotionMemory& m) {
  DISTAL_ASSERT(!m.row);
  visit_all(a, m.started, m.first_pose, m.stage, m.stage_time_s, m.window_time_s, m.window_low, m.window_high,
            m.window_least_m, m.window_most_m, m.recorded_stage, m.last_settled);
}

template <class Archive>
void visit_bytes(Archive& a, SqueezeMemory& m) {
  visit_all(a, m.started, m.touched, m.keeps_place, m.first_pose, m.first_s, m.touched_s, m.travel_m, m.integral_m_s2,
            m.angular_integral_rad_s2, m.command, m.refused_feedbacks);
}

template <class Archive>
void visit_bytes(Archive& a, GuardMemory& m) {
  visit_all(a, m.joined, m.pose, m.raw, m.refused_s, m.buttons, m.not_numbers, m.jumps, m.unplugged);
}

template <class Archive>
void visit_bytes(Archive& a, PassivityMemory& m) {
  visit_all(a, m.started, m.place, m.force, m.energy_j, m.least_j, m.damped_j);
}

template <class Archive>
void visit_bytes(Archive& a, DeviceMemory& m) {
  visit_all(a, m.guard, m.linear, m.angular, m.joins, m.since_join_s, m.offset_m, m.turn, m.shown, m.echo,
            m.echo_from_n, m.echo_to_n, m.since_echo_s, m.between_echoes_s, m.most_force_n, m.most_jump_n);
}

template <class Archive>
void visit_bytes(Archive& a, Carriage& c) {
  visit_all(a, c.pose, c.twist);
}

template <class Archive>
void visit_bytes(Archive& a, HandState& s) {
  visit_all(a, s.connected, s.joins, s.gain, s.wanted, s.hand, s.buttons, s.shown, s.energy_j);
}

template <class Archive>
void visit_bytes(Archive& a, EchoState& s) {
  visit_all(a, s.number, s.body, s.touching, s.on_hand_n);
}

template <class Archive>
void visit_bytes(Archive& a, PortMemory& m) {
  visit_bytes(a, m.device);
  visit_numbers(a, m.own);
  visit_each(a, m.to_simulation);
  visit_each(a, m.to_hand);
  visit_all(a, m.hand, m.exchanges);
}

template <class Archive>
void visit_bytes(Archive& a, HeldBodyMemory& m) {
  visit_all(a, m.port, m.left_alone, m.placed, m.left, m.command);
}

template <class Archive>
void visit_bytes(Archive& a, SkinTouchMemory& m) {
  visit_all(a, m.port, m.joins, m.waits, m.triangle);
}

template <class Archive>
void visit_bytes(Archive& a, ControllerMemory& memory) {
  std::uint64_t kind = memory.index();
  a(kind);
  if (kind != memory.index()) {  // reading
    if (kind == 1)
      memory.emplace<1>();
    else if (kind == 2)
      memory.emplace<2>();
    else if (kind == 3)
      memory.emplace<3>();
    else if (kind == 4)
      memory.emplace<4>();
    else if (kind == 5)
      memory.emplace<5>();
    else
      throw InputError("holds a controller of an unknown kind");
  }
  if (auto* pid = std::get_if<AdaptivePidMemory>(&memory)) visit_bytes(a, *pid);
  if (auto* motion = std::get_if<PrescribedMotionMemory>(&memory)) visit_bytes(a, *motion);
  if (auto* squeeze = std::get_if<SqueezeMemory>(&memory)) visit_bytes(a, *squeeze);
  if (auto* held = std::get_if<HeldBodyMemory>(&memory)) visit_bytes(a, *held);
  if (auto* touch = std::get_if<SkinTouchMemory>(&memory)) visit_bytes(a, *touch);
}

template <class Archive>
void visit_bytes(Archive& a, Checkpoint& c) {
  visit_all(a, c.scene_fingerprint, c.instruction_set, c.state);
  visit_each(a, c.channels.channels);
  visit_each(a, c.channels.seen);
  visit_each(a, c.controllers);
}

}  // namespace distal
