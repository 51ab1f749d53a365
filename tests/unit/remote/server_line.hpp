// A controller that speaks to a PlantServer without a network.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "distal/remote/plant_server.hpp"

namespace distal {

inline Endpoint endpoint(int port) {
  Endpoint e;
  e.address[0] = static_cast<std::byte>(port);
  e.size = 16;
  return e;
}

struct Reply {
  bool any = false;
  wire::Header header;
  wire::Progress progress;
  std::vector<std::byte> bytes;
  bool has(std::uint32_t status) const { return any && (progress.status & status) != 0; }
};

class Line {
 public:
  Line(PlantServer& server, int port) : server_(server), from_(endpoint(port)) {}

  Reply send(wire::Type type, std::uint64_t sequence, const std::vector<wire::Command>& commands = {},
             double now_s = 0.0) {
    wire::Header header;
    header.type = type;
    header.sequence = sequence;
    header.time_sent_s = 12.5;
    header.body_count = static_cast<std::uint32_t>(commands.size());
    header.size = static_cast<std::uint32_t>(wire::step_size(commands.size()));
    std::vector<std::byte> message(header.size);
    write_record(message, 0, header);
    for (std::size_t b = 0; b < commands.size(); ++b) write_record(message, wire::step_size(b), commands[b]);
    return parse(server_.handle(message, from_, now_s));
  }
  // The same with joints: the type grows by 16, their commands stand behind.
  Reply send_joints(wire::Type type, std::uint64_t sequence, const std::vector<wire::JointCommand>& joints = {},
                    double now_s = 0.0, std::size_t bodies = 3) {
    wire::Header header;
    header.type = static_cast<std::uint16_t>(type + 16);
    header.sequence = sequence;
    header.body_count = static_cast<std::uint32_t>(type == wire::kStep ? bodies : 0);
    header.size = static_cast<std::uint32_t>(wire::step_size(header.body_count) + 24 * joints.size());
    std::vector<std::byte> message(header.size);
    write_record(message, 0, header);
    for (std::size_t b = 0; b < header.body_count; ++b) write_record(message, wire::step_size(b), wire::Command{});
    for (std::size_t j = 0; j < joints.size(); ++j)
      write_record(message, wire::step_size(header.body_count) + 24 * j, joints[j]);
    return parse(server_.handle(message, from_, now_s));
  }
  Reply hello(std::uint64_t sequence, double now_s = 0.0) { return send(wire::kHello, sequence, {}, now_s); }
  Reply push(std::uint64_t sequence, double force_n, double now_s = 0.0) {
    return send(wire::kStep, sequence, {wire::wrench(0.0, 0.0, force_n)}, now_s);
  }

  static Reply parse(Bytes answer) {
    Reply reply;
    reply.any = !answer.empty();
    if (!reply.any) return reply;
    reply.bytes.assign(answer.begin(), answer.end());
    reply.header = read_record<wire::Header>(answer, 0);
    reply.progress = read_record<wire::Progress>(answer, sizeof(wire::Header));
    EXPECT_EQ(reply.header.size, answer.size());
    return reply;
  }

 private:
  PlantServer& server_;
  Endpoint from_;
};

}  // namespace distal
