#include "distal/remote/plant_server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "distal/core/error.hpp"
#include "distal/remote/safe_action.hpp"

namespace distal {

PlantServer::PlantServer(ServedPlant& plant, const ServeDescription& description, PlantClock clock)
    : plant_(plant),
      description_(description),
      clock_(clock),
      commands_(plant.bodies().size()),
      wanted_(plant.bodies().size()) {
  if (commands_.size() > wire::kMostBodies)
    throw InputError(fmt::format("the scene has {} bodies that move, allowed for serving: at most {}", commands_.size(),
                                 wire::kMostBodies));
  for (auto* buffer : {&answer_, &aside_}) buffer->reserve(wire::description_size(commands_.size()));
}

Bytes PlantServer::handle(Bytes datagram, const Endpoint& from, double now_s) {
  const std::optional<wire::Header> request = read_request(datagram, commands_.size());
  if (!request) {
    ++counters_.malformed;
    return {};
  }
  ++counters_.received;
  if (is_taken(from, now_s))
    return answer(aside_, request->type == wire::kHello ? wire::kDescription : wire::kFeedback, *request, wire::kBusy);
  if (request->type == wire::kHello) return handle_hello(*request, from, now_s);
  const bool known = controller_ == from && (present_ || request->sequence <= newest_);
  if (!known) return answer(aside_, wire::kFeedback, *request, wire::kSayHello);
  heard_s_ = now_s;
  if (request->sequence < newest_) {
    ++counters_.late;
    return {};
  }
  if (request->sequence == newest_) {
    ++counters_.repeated;
    return unanswered_ ? Bytes{} : Bytes(answer_);
  }
  counters_.lost += request->sequence - newest_ - 1;
  newest_ = request->sequence;
  unanswered_.reset();
  if (request->type == wire::kStep) return handle_step(*request, datagram, now_s);
  return request->type == wire::kReset ? handle_reset(*request) : handle_stop(*request);
}

bool PlantServer::is_taken(const Endpoint& from, double now_s) const {
  return present_ && controller_ != from && now_s - heard_s_ <= description_.watchdog_s;
}

// Takes the plant for the sender. A hello of the present controller that was overtaken by its own steps changes
// nothing, so that no old step can follow it.
Bytes PlantServer::handle_hello(const wire::Header& request, const Endpoint& from, double now_s) {
  heard_s_ = now_s;
  const bool is_new = !present_ || controller_ != from;
  if (!is_new && request.sequence <= newest_) return answer(aside_, wire::kDescription, request);
  controller_ = from;
  present_ = true;
  stopped_ = false;
  newest_ = request.sequence;
  unanswered_.reset();
  return answer(answer_, wire::kDescription, request);
}

Bytes PlantServer::handle_step(const wire::Header& request, Bytes datagram, double now_s) {
  if (failed_ || plant_.ended()) return answer(answer_, wire::kFeedback, request);
  if (const std::uint32_t fault = read_commands(datagram)) {
    ++counters_.refused;
    return answer(answer_, wire::kFeedback, request, fault);
  }
  commands_.swap(wanted_);
  commanded_s_ = now_s;
  safe_ = false;
  if (clock_ == PlantClock::lock_step) {
    failed_ = !plant_.advance(commands_);
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
    refused_body_ = b;
    return fault.status;
  }
  return 0;
}

std::string PlantServer::take_refusal() {
  if (refusal_.status == 0) return {};
  return describe(std::exchange(refusal_, {}), plant_.bodies()[refused_body_]);
}

Bytes PlantServer::handle_reset(const wire::Header& request) {
  plant_.reset();
  ++episode_;
  std::fill(commands_.begin(), commands_.end(), BodyCommand{});
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
  if (!present_ || now_s - commanded_s_ > description_.watchdog_s) {
    safe_actions_ += !safe_;
    safe_ = true;
    update_safe_commands(description_, plant_, commands_);
  }
  failed_ = !plant_.advance(commands_);
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
  header.type = type;
  header.body_count = static_cast<std::uint32_t>(bodies);
  header.size = static_cast<std::uint32_t>(describes ? wire::description_size(bodies) : wire::feedback_size(bodies));
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
  for (const ServedBody& body : plant_.bodies()) {
    wire::BodyDescription description;
    DISTAL_ASSERT(body.name.size() < sizeof description.name);
    std::copy(body.name.begin(), body.name.end(), description.name);
    description.modes = body.driven ? 0b110u : 0b001u;
    write_record(buffer, at, description);
    at += sizeof description;
  }
}

}  // namespace distal
