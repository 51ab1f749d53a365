#include "distal/remote/plant_loop.hpp"

#include <algorithm>

namespace distal {
namespace {

constexpr double kLongestWait_s = 0.1;     // between looks at the stop flag
constexpr double kFarewell_s = 0.3;        // after the end: for a controller whose last answer was lost
constexpr double kBetweenNotices_s = 1.0;  // a controller that errs a thousand times a second is told of once
constexpr int kMostPerPeriod = 256;        // datagrams: a flood must not stop the clock

}  // namespace

PlantLoop::PlantLoop(UdpSocket& socket, ServedPlant& plant, const ServeDescription& description,
                     const LoopOptions& options)
    : socket_(socket),
      plant_(plant),
      options_(options),
      server_(plant, description, options.clock),
      clock_(plant.period_s()),
      buffer_(wire::step_size(plant.bodies().size()) + plant.joints().size() * sizeof(wire::JointCommand) + 1) {}

void PlantLoop::run() {
  const bool real_time = options_.clock == PlantClock::real_time;
  if (real_time) rights_ = take_real_time_rights();
  if (!rights_.notice.empty() && options_.notice) options_.notice(rights_.notice);
  if (options_.listening) options_.listening(text_of(socket_.local()));
  while (!interrupted() && !over()) real_time&& server_.running() ? run_period() : wait_for_datagram();
  const double end_s = monotonic_s();
  while (!interrupted() && !server_.stopped() && monotonic_s() - end_s < kFarewell_s) take_datagram(kLongestWait_s);
}

bool PlantLoop::take_datagram(double longest_wait_s) {
  Endpoint from;
  const auto size = socket_.receive(buffer_, from, longest_wait_s);
  if (!size) return false;
  // One that does not fit is longer than any good one, and what is left of it is refused for its size.
  const Bytes datagram(buffer_.data(), std::min(*size, buffer_.size()));
  const Bytes answer = server_.handle(datagram, from, monotonic_s());
  if (!answer.empty()) socket_.send(answer, from);
  tell_refusal();
  tell_failure();
  return true;
}

// Lock-step, and real time before the first command: the clock starts with that.
void PlantLoop::wait_for_datagram() {
  const bool came = take_datagram(kLongestWait_s);
  if (came && server_.running()) clock_.start(monotonic_s());
  if (!came && options_.idle) options_.idle();
}

void PlantLoop::run_period() {
  if (!clock_.wait()) return;
  for (int n = 0; n < kMostPerPeriod && take_datagram(0.0); ++n) {}
  if (!server_.running()) return;  // reset, for example
  server_.advance(monotonic_s());
  const Bytes answer = server_.take_answer(clock_.end_period());
  if (!answer.empty()) socket_.send(answer, *server_.controller());
  tell_failure();
}

void PlantLoop::tell_refusal() {
  if (!options_.notice || monotonic_s() < next_notice_s_) return;
  const std::string refusal = server_.take_refusal();
  if (refusal.empty()) return;
  next_notice_s_ = monotonic_s() + kBetweenNotices_s;
  options_.notice("refused: " + refusal);
}

void PlantLoop::tell_failure() {
  if (server_.failed() && !told_failure_ && options_.notice)
    options_.notice(plant_.failure() + "; a controller may go on with reset");
  told_failure_ = server_.failed();
}

LinkReport PlantLoop::report() const {
  const wire::Counters& c = server_.counters();
  LinkReport link;
  link.clock = options_.clock == PlantClock::lock_step ? "lockstep" : "realtime";
  link.received = c.received, link.lost = c.lost, link.late = c.late;
  link.repeated = c.repeated, link.malformed = c.malformed, link.refused = c.refused;
  link.safe_actions = server_.safe_actions();
  link.fixed_priority = rights_.fixed_priority, link.locked_memory = rights_.locked_memory;
  link.periods = clock_.periods(), link.missed_deadlines = clock_.missed();
  const DurationStatistics& delay = clock_.start_delay();
  link.start_delay_p50_s = delay.quantile_s(0.5), link.start_delay_p99_s = delay.quantile_s(0.99);
  link.start_delay_p999_s = delay.quantile_s(0.999), link.start_delay_worst_s = delay.worst_s();
  link.largest_lag_s = clock_.largest_lag_s();
  return link;
}

}  // namespace distal
