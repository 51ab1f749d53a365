#include "distal/remote/plant_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "distal/core/error.hpp"
#include "distal/remote/safe_action.hpp"

namespace distal {
namespace {

void check_names(const char* what, const auto& named, std::size_t most) {
  if (named.size() > most)
    throw InputError(fmt::format("the scene has {} {}, allowed for serving: at most {}", named.size(), what, most));
  for (const auto& one : named)
    if (one.name.size() >= sizeof wire::BodyDescription::name)
      throw InputError(fmt::format("\"{}\" has {} letters, allowed for serving: at most {}", one.name, one.name.size(),
                                   sizeof wire::BodyDescription::name - 1));
}

template <typename Record>
Record named_record(const std::string& name) {
  Record record;
  std::copy(name.begin(), name.end(), record.name);
  return record;
}

}  // namespace

PlantServer::PlantServer(ServedPlant& plant, const ServeDescription& description, PlantClock clock)
    : plant_(plant),
      description_(description),
      clock_(clock),
      commands_(plant.bodies().size()),
      wanted_(plant.bodies().size()),
      joint_commands_(plant.joints().size()),
      joint_wanted_(plant.joints().size()) {
  check_names("bodies that move", plant.bodies(), wire::kMostBodies);
  check_names("joints", plant.joints(), wire::kMostJoints);
  for (auto* buffer : {&answer_, &aside_}) buffer->reserve(wire::kLongestMessage);
}

Bytes PlantServer::handle(Bytes datagram, const Endpoint& from, double now_s) {
  const std::optional<wire::Header> request = read_request(datagram, commands_.size(), joint_commands_.size());
  if (!request) {
    ++counters_.malformed;
    return {};
  }
  ++counters_.received;
  const wire::Type type = plain_type(*request);
  const bool is_same = is_controller(*request, from);
  if (present_ && !is_same && !is_silent(now_s)) {
    if (controller_ == from) ++counters_.refused;
    return answer(aside_, type == wire::kHello ? wire::kDescription : wire::kFeedback, *request, wire::kBusy);
  }
  if (type == wire::kHello) return handle_hello(*request, from, now_s);
  const bool known = is_same && (present_ || request->sequence <= newest_);
  if (!known) return answer(aside_, wire::kFeedback, *request, wire::kSayHello);
  if (request->sequence < newest_) {
    ++counters_.late;
    return {};
  }
  heard_s_ = now_s;
  if (request->sequence == newest_) {
    ++counters_.repeated;
    return unanswered_ ? Bytes{} : Bytes(answer_);
  }
  counters_.lost += request->sequence - newest_ - 1;
  newest_ = request->sequence;
  unanswered_.reset();
  if (type == wire::kStep) return handle_step(*request, datagram, now_s);
  return type == wire::kReset ? handle_reset(*request) : handle_stop(*request);
}

// A number far from the newest is a mistake or of a program that was started anew: taken for the controller's, it would
// make all that this one sends next look old.
bool PlantServer::is_controller(const wire::Header& request, const Endpoint& from) const {
  const std::uint64_t way = std::max(request.sequence, newest_) - std::min(request.sequence, newest_);
  return controller_ == from && way <= wire::kLongestJump;
}

bool PlantServer::is_silent(double now_s) const { return now_s - heard_s_ > description_.watchdog_s; }

// Takes the plant for the sender. A hello of the present controller that was overtaken by its own steps changes
// nothing, so that no old step can follow it; after a silence it is of a controller that begins again.
Bytes PlantServer::handle_hello(const wire::Header& request, const Endpoint& from, double now_s) {
  const bool is_new = !present_ || !is_controller(request, from) || is_silent(now_s);
  if (!is_new && request.sequence <= newest_) return answer(aside_, wire::kDescription, request);
  heard_s_ = now_s;
  controller_ = from;
  present_ = true;
  stopped_ = false;
  newest_ = request.sequence;
  unanswered_.reset();
  return answer(answer_, wire::kDescription, request);
}

Bytes PlantServer::handle_step(const wire::Header& request, Bytes datagram, double now_s) {
  if (failed_ || plant_.ended()) return answer(answer_, wire::kFeedback, request);
  std::uint32_t fault = read_commands(datagram);
  if (fault == 0) fault = read_joint_commands(request, datagram);
  if (fault != 0) {
    ++counters_.refused;
    return answer(answer_, wire::kFeedback, request, fault);
  }
  commands_.swap(wanted_);
  joint_commands_.swap(joint_wanted_);
  commanded_s_ = now_s;
  safe_ = false;
  if (clock_ == PlantClock::lock_step) {
    failed_ = !advance_plant();
    return answer(answer_, wire::kFeedback, request);
  }
  running_ = true;
  unanswered_ = request;
  return {};
}

// Status bits of the first command that is not good; the good ones are in wanted_ when there is none.
std::uint32_t PlantServer::read_commands(Bytes datagram) {
  for (std::size_t b = 0; b < wanted_.size(); ++b) {
    wanted_[b] = read_command(datagram, b);
    const CommandFault fault =
        find_fault(wanted_[b], plant_.bodies()[b], plant_.feedback()[b], description_, plant_.period_s());
    if (fault.status == 0) continue;
    refusal_ = fault;
    refused_ = b;
    return fault.status;
  }
  return 0;
}

// A step without joints leaves them to their own motors.
std::uint32_t PlantServer::read_joint_commands(const wire::Header& request, Bytes datagram) {
  for (std::size_t j = 0; j < joint_wanted_.size(); ++j) {
    joint_wanted_[j] = with_joints(request) ? read_joint_command(datagram, wanted_.size(), j) : JointCommand{};
    const CommandFault fault = find_fault(joint_wanted_[j], plant_.joints()[j], description_);
    if (fault.status == 0) continue;
    refusal_ = fault;
    refused_ = wanted_.size() + j;
    return fault.status;
  }
  return 0;
}

std::string PlantServer::take_refusal() {
  if (refusal_.status == 0) return {};
  const CommandFault fault = std::exchange(refusal_, {});
  const std::size_t bodies = plant_.bodies().size();
  if (refused_ < bodies) return describe(fault, plant_.bodies()[refused_]);
  return describe(fault, plant_.joints()[refused_ - bodies], plant_.joints());
}

Bytes PlantServer::handle_reset(const wire::Header& request) {
  plant_.reset();
  ++episode_;
  std::fill(commands_.begin(), commands_.end(), BodyCommand{});
  std::fill(joint_commands_.begin(), joint_commands_.end(), JointCommand{});
  running_ = failed_ = safe_ = false;
  lag_s_ = 0.0;
  return answer(answer_, wire::kFeedback, request);
}

Bytes PlantServer::handle_stop(const wire::Header& request) {
  present_ = false;
  stopped_ = true;
  return answer(answer_, wire::kFeedback, request, wire::kStopped);
}

void PlantServer::advance(double now_s) {
  DISTAL_ASSERT(clock_ == PlantClock::real_time && running());
  if (!present_ || now_s - commanded_s_ > description_.watchdog_s) make_safe();
  failed_ = !advance_plant();
}

void PlantServer::make_safe() {
  if (!safe_) {
    ++safe_actions_;
    update_safe_joints(description_, plant_, joint_commands_);
  }
  safe_ = true;
  update_safe_commands(description_, plant_, commands_);
}

bool PlantServer::advance_plant() {
  plant_.command_joints(joint_commands_);
  return plant_.advance(commands_);
}

Bytes PlantServer::take_answer(double lag_s) {
  lag_s_ = lag_s;
  if (!unanswered_) return {};
  const wire::Header request = *std::exchange(unanswered_, std::nullopt);
  return answer(answer_, wire::kFeedback, request);
}

Bytes PlantServer::answer(std::vector<std::byte>& buffer, wire::Type type, const wire::Header& request,
                          std::uint32_t status) {
  const std::size_t bodies = commands_.size();
  const bool describes = type == wire::kDescription;
  wire::Header header = request;
  const bool joined = with_joints(request);
  const std::size_t plain = describes ? wire::description_size(bodies) : wire::feedback_size(bodies);
  const std::size_t each = sizeof(wire::Joint) + (describes ? sizeof(wire::JointDescription) : 0);
  header.type = static_cast<std::uint16_t>(type + (joined ? wire::kWithJoints : 0));
  header.body_count = static_cast<std::uint32_t>(bodies);
  header.size = static_cast<std::uint32_t>(plain + (joined ? joint_commands_.size() * each : 0));
  buffer.resize(header.size);
  write_record(buffer, 0, header);
  if (plant_.ended()) status |= wire::kDone;
  if (failed_) status |= wire::kFailed;
  if (safe_) status |= wire::kSafeAction;
  if (lag_s_ >= plant_.period_s()) status |= wire::kLagging;
  write_record(buffer, sizeof header,
               wire::Progress{plant_.period(), plant_.simulated_s(), lag_s_, status, episode_, counters_});
  for (std::size_t b = 0; b < bodies; ++b)
    write_record(buffer, wire::feedback_size(b), to_wire(plant_.feedback()[b], commands_[b].mode));
  if (describes) write_description(buffer, wire::feedback_size(bodies));
  if (joined) write_joints(buffer, plain, describes);
  return buffer;
}

void PlantServer::write_description(std::span<std::byte> buffer, std::size_t at) const {
  const ServeDescription& d = description_;
  write_record(buffer, at,
               wire::Description{plant_.period_s(), d.watchdog_s, d.max_force_n, d.max_torque_n_m, d.max_speed_m_s,
                                 d.max_angular_speed_rad_s, plant_.duration_s(), plant_.scene_hash(),
                                 clock_ == PlantClock::lock_step ? wire::kLockStep : wire::kRealTime,
                                 static_cast<std::uint32_t>(d.safe_action) + wire::kZero});
  at += sizeof(wire::Description);
  for (std::size_t b = 0; b < plant_.bodies().size(); ++b) {
    auto record = named_record<wire::BodyDescription>(plant_.bodies()[b].name);
    record.modes = plant_.bodies()[b].driven ? 0b110u : 0b001u;
    for (std::size_t j = 0; j < plant_.joints().size(); ++j)
      if (plant_.joints()[j].body == b) record.joint = static_cast<std::uint32_t>(j + 1);
    write_record(buffer, at, record);
    at += sizeof record;
  }
}

void PlantServer::write_joints(std::span<std::byte> buffer, std::size_t at, bool describes) const {
  for (std::size_t j = 0; j < joint_commands_.size(); ++j, at += sizeof(wire::Joint))
    write_record(buffer, at, to_wire(plant_.joint_feedback()[j], joint_commands_[j].mode));
  if (!describes) return;
  for (const ServedJoint& joint : plant_.joints()) {
    auto record = named_record<wire::JointDescription>(joint.name);
    record.kind = joint.turns ? 1 : 2;
    record.modes = joint.follows >= 0 ? 0b001u : joint.motor ? 0b111u : 0b011u;
    record.lower = joint.lower, record.upper = joint.upper, record.most_effort = joint.most_effort;
    record.motor_stiffness = joint.motor_stiffness, record.motor_damping = joint.motor_damping;
    record.body = static_cast<std::uint32_t>(joint.body);
    record.follows = static_cast<std::uint32_t>(joint.follows + 1);
    write_record(buffer, at, record);
    at += sizeof record;
  }
}

}  // namespace distal
