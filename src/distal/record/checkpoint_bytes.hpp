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
  visit_bytes(a, s.centre_of_mass);
  visit_bytes(a, s.q);
  visit_bytes(a, s.velocity);
  visit_bytes(a, s.angular_velocity);
}

template <class Archive>
void visit_bytes(Archive& a, PairState& pair) {
  visit_numbers(a, pair.touch);
  visit_each(a, pair.anchor_m);
  visit_numbers(a, pair.stretch_m);
}

template <class Archive>
void visit_bytes(Archive& a, State& s) {
  a(s.time_s), a(s.period), a(s.step);
  visit_bytes(a, s.x);
  visit_bytes(a, s.v);
  visit_each(a, s.rigid);
  visit_each(a, s.pairs);
  EnergyLedger& energy = s.energy;
  for (double* value :
       {&energy.initial, &energy.dissipated, &energy.control_work, &energy.integrator, &energy.last_residual})
    a(*value);
  visit_bytes(a, s.velocity_change);
  visit_each(a, s.rigid_velocity_change);
  a(s.adaptive_step_s), a(s.steps_per_period);
}

template <class Archive>
void visit_bytes(Archive& a, BodyFeedback& f) {
  a(f.time_s);
  visit_bytes(a, f.pose);
  visit_bytes(a, f.twist);
  for (Wrench* wrench : {&f.contact, &f.tip, &f.sensor}) visit_bytes(a, *wrench);
}

template <class Archive>
void visit_bytes(Archive& a, BodyCommand& command) {
  a(command.mode);
  visit_bytes(a, command.wrench);
  visit_bytes(a, command.twist);
  visit_bytes(a, command.pose);
}

template <class Archive>
void visit_bytes(Archive& a, Sample& sample) {
  a(sample.mode);
  visit_bytes(a, sample.linear);
  visit_bytes(a, sample.angular);
  visit_bytes(a, sample.q);
}

template <class Archive>
void visit_bytes(Archive& a, ChannelMemory::InFlight& one) {
  a(one.sent), a(one.due);
  visit_bytes(a, one.sample);
}

template <class Archive>
void visit_bytes(Archive& a, ChannelMemory& m) {
  a(m.count);
  visit_bytes(a, m.first_q);
  for (std::size_t part : {0, 1}) {
    visit_bytes(a, m.filtered[part]);
    visit_bytes(a, m.acting[part]);
  }
  a(m.newest);
  visit_bytes(a, m.shown);
  visit_each(a, m.in_flight);
}

template <class Archive>
void visit_bytes(Archive& a, ApproachReference& r) {
  a(r.phase);
  for (double* value : {&r.travel_m, &r.speed_m_s, &r.first_speed_m_s, &r.clock_s, &r.stop_travel_m, &r.stop_speed_m_s,
                        &r.stop_acceleration_m_s2, &r.stop_time_s, &r.end_travel_m})
    a(*value);
}

template <class Archive>
void visit_bytes(Archive& a, AdaptivePidMemory& m) {
  a(m.started);
  visit_bytes(a, m.first_pose);
  visit_bytes(a, m.reference);
  visit_bytes(a, m.integral_m_s2);
  visit_bytes(a, m.angular_integral_rad_s2);
  visit_bytes(a, m.measured);
  for (BoundedRegression* slope : {&m.mobility, &m.contact_stiffness}) a(slope->xx), a(slope->xy);
  visit_bytes(a, m.command);
  a(m.held_period_s);
  for (Vec3* v : {&m.rod_force_n, &m.rod_acceleration_m_s2, &m.tip_force_n, &m.centre_velocity_m_s}) visit_bytes(a, *v);
  for (double* value : {&m.travel_m, &m.push_n, &m.contact_force_n}) a(*value);
  for (bool* flag : {&m.force_saturated, &m.torque_saturated, &m.feedback_good}) a(*flag);
  a(m.refused_feedbacks);
}

// A row that waits to be taken does not outlast a period.
template <class Archive>
void visit_bytes(Archive& a, PrescribedMotionMemory& m) {
  DISTAL_ASSERT(!m.row);
  a(m.started);
  visit_bytes(a, m.first_pose);
  a(m.stage), a(m.stage_time_s), a(m.window_time_s);
  visit_bytes(a, m.window_low);
  visit_bytes(a, m.window_high);
  a(m.recorded_stage), a(m.last_settled);
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
    else
      throw InputError("holds a controller of an unknown kind");
  }
  if (auto* pid = std::get_if<AdaptivePidMemory>(&memory)) visit_bytes(a, *pid);
  if (auto* motion = std::get_if<PrescribedMotionMemory>(&memory)) visit_bytes(a, *motion);
}

template <class Archive>
void visit_bytes(Archive& a, Checkpoint& c) {
  a(c.scene_fingerprint);
  visit_bytes(a, c.instruction_set);
  visit_bytes(a, c.state);
  visit_each(a, c.channels.channels);
  visit_each(a, c.channels.seen);
  visit_each(a, c.controllers);
}

}  // namespace distal
