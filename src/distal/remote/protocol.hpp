// Requests of the plant protocol, checked byte by byte, and what they mean here. The layout itself stands in the header
// that users copy, distal_client.hpp; docs/reference/plant_protocol.md describes it.
#pragma once
#include <cstddef>
#include <distal_client.hpp>
#include <optional>
#include <span>

#include "distal/state/exchange.hpp"

namespace distal {

namespace wire = distal_client;
using Bytes = std::span<const std::byte>;

// The header of a well-formed request to a plant with `body_count` bodies and `joint_count` joints: magic, version,
// type, sizes, modes and reserved fields are right. Numbers are not looked at.
std::optional<wire::Header> read_request(Bytes datagram, std::size_t body_count, std::size_t joint_count = 0);

// What a request asks for, with joints or without.
inline wire::Type plain_type(const wire::Header& header) {
  return static_cast<wire::Type>(header.type & ~wire::kWithJoints);
}
inline bool with_joints(const wire::Header& header) { return (header.type & wire::kWithJoints) != 0; }

// Of a well-formed step.
BodyCommand read_command(Bytes step, std::size_t body);
// Of a well-formed step with joints.
JointCommand read_joint_command(Bytes step, std::size_t body_count, std::size_t joint);

wire::Joint to_wire(const JointFeedback& feedback, JointMode mode);

wire::Command to_wire(const BodyCommand& command);
wire::Body to_wire(const BodyFeedback& feedback, CommandMode mode);
BodyFeedback from_wire(const wire::Body& body, double time_s);

template <typename Record>
Record read_record(Bytes bytes, std::size_t at) {
  Record record;
  std::memcpy(&record, bytes.data() + at, sizeof record);
  return record;
}
template <typename Record>
void write_record(std::span<std::byte> bytes, std::size_t at, const Record& record) {
  std::memcpy(bytes.data() + at, &record, sizeof record);
}

}  // namespace distal
