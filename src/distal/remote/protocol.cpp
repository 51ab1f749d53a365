#include "distal/remote/protocol.hpp"

#include <algorithm>

#include "distal/core/error.hpp"

namespace distal {
namespace {

Vec3 vector_at(const double* values) { return {values[0], values[1], values[2]}; }
Wrench wrench_at(const double* values) { return {vector_at(values), vector_at(values + 3)}; }

void put(const Vec3& vector, double* values) { std::copy_n(vector.data(), 3, values); }
void put(const Wrench& wrench, double* values) {
  put(wrench.force, values);
  put(wrench.torque, values + 3);
}

std::uint32_t mode_number(CommandMode mode) { return static_cast<std::uint32_t>(mode) + wire::kWrench; }

std::size_t joint_command_at(std::size_t bodies, std::size_t joint) {
  return wire::step_size(bodies) + joint * sizeof(wire::JointCommand);
}

bool has_good_commands(Bytes step, std::size_t count) {
  for (std::size_t b = 0; b < count; ++b) {
    const auto command = read_record<wire::Command>(step, wire::step_size(b));
    if (command.mode < wire::kWrench || command.mode > wire::kPose || command.reserved != 0) return false;
  }
  return true;
}

bool has_good_joint_commands(Bytes step, std::size_t bodies, std::size_t count) {
  for (std::size_t j = 0; j < count; ++j) {
    const auto command = read_record<wire::JointCommand>(step, joint_command_at(bodies, j));
    if (command.mode < wire::kOwn || command.mode > wire::kJointPosition || command.reserved != 0) return false;
  }
  return true;
}

}  // namespace

std::optional<wire::Header> read_request(Bytes datagram, std::size_t body_count, std::size_t joint_count) {
  const wire::Header expected;
  if (datagram.size() < sizeof(wire::Header)) return std::nullopt;
  const auto header = read_record<wire::Header>(datagram, 0);
  if (!std::equal(std::begin(header.magic), std::end(header.magic), expected.magic)) return std::nullopt;
  const wire::Type type = plain_type(header);
  if (header.version != wire::kVersion || type < wire::kHello || type > wire::kStop) return std::nullopt;
  const std::size_t commands = type == wire::kStep ? body_count : 0;
  const std::size_t joints = type == wire::kStep && with_joints(header) ? joint_count : 0;
  if (header.body_count != commands || header.size != datagram.size()) return std::nullopt;
  if (datagram.size() != joint_command_at(commands, joints)) return std::nullopt;
  if (!has_good_commands(datagram, commands) || !has_good_joint_commands(datagram, commands, joints))
    return std::nullopt;
  return header;
}

BodyCommand read_command(Bytes step, std::size_t body) {
  const auto record = read_record<wire::Command>(step, wire::step_size(body));
  BodyCommand command;
  const double* v = record.values;
  command.mode = static_cast<CommandMode>(record.mode - wire::kWrench);
  switch (command.mode) {
    case CommandMode::wrench:
      command.wrench = wrench_at(v);
      break;
    case CommandMode::twist:
      command.twist = {vector_at(v), vector_at(v + 3)};
      break;
    case CommandMode::pose:
      command.pose = {vector_at(v), Quat(v[6], v[3], v[4], v[5])};
      break;
  }
  return command;
}

JointCommand read_joint_command(Bytes step, std::size_t body_count, std::size_t joint) {
  const auto record = read_record<wire::JointCommand>(step, joint_command_at(body_count, joint));
  return {static_cast<JointMode>(record.mode - wire::kOwn), record.value, record.rate};
}

wire::Joint to_wire(const JointFeedback& feedback, JointMode mode) {
  return {static_cast<std::uint32_t>(mode) + wire::kOwn, feedback.limited ? 1u : 0u, feedback.position,
          feedback.velocity, feedback.effort};
}

wire::Command to_wire(const BodyCommand& command) {
  wire::Command record;
  record.mode = mode_number(command.mode);
  switch (command.mode) {
    case CommandMode::wrench:
      put(command.wrench, record.values);
      break;
    case CommandMode::twist:
      put(command.twist.linear, record.values);
      put(command.twist.angular, record.values + 3);
      break;
    case CommandMode::pose:
      put(command.pose.position, record.values);
      std::copy_n(command.pose.q.coeffs().data(), 4, record.values + 3);
      break;
  }
  return record;
}

wire::Body to_wire(const BodyFeedback& feedback, CommandMode mode) {
  wire::Body body;
  body.mode = mode_number(mode);
  put(feedback.pose.position, body.position_m);
  std::copy_n(feedback.pose.q.coeffs().data(), 4, body.q_xyzw);
  put(feedback.twist.linear, body.linear_m_s);
  put(feedback.twist.angular, body.angular_rad_s);
  put(feedback.contact, body.contact);
  put(feedback.tip, body.tip);
  put(feedback.sensor, body.sensor);
  return body;
}

BodyFeedback from_wire(const wire::Body& body, double time_s) {
  BodyFeedback feedback;
  feedback.time_s = time_s;
  feedback.pose = {vector_at(body.position_m), Quat(body.q_xyzw)};
  feedback.twist = {vector_at(body.linear_m_s), vector_at(body.angular_rad_s)};
  feedback.contact = wrench_at(body.contact);
  feedback.tip = wrench_at(body.tip);
  feedback.sensor = wrench_at(body.sensor);
  return feedback;
}

}  // namespace distal
