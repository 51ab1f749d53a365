// Exchanges a second over loopback in lock-step, with a plant that does nothing, beside a bare echo of the same bytes
// in the same run. usage: lockstep_rate [SECONDS]
#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <distal_client.hpp>
#include <thread>
#include <vector>

#include "distal/remote/plant_loop.hpp"

namespace {

using namespace distal;

class EmptyPlant : public ServedPlant {
 public:
  EmptyPlant() : bodies_(1), feedback_(1) { bodies_[0].name = "finger"; }
  const std::vector<ServedBody>& bodies() const override { return bodies_; }
  double period_s() const override { return 0.001; }
  double duration_s() const override { return 0.0; }
  std::uint64_t scene_hash() const override { return 0; }
  std::span<const BodyFeedback> feedback() const override { return feedback_; }
  std::uint64_t period() const override { return period_; }
  double simulated_s() const override { return 0.001 * static_cast<double>(period_); }
  bool ended() const override { return false; }
  bool advance(std::span<const BodyCommand>) override { return ++period_ > 0; }
  void reset() override { period_ = 0; }

 private:
  std::vector<ServedBody> bodies_;
  std::vector<BodyFeedback> feedback_;
  std::uint64_t period_ = 0;
};

// Calls `exchange` for the time given, and returns how often in a second.
template <typename Exchange>
double measure_rate(double seconds, Exchange exchange) {
  constexpr int kBetweenLooks = 100;
  const double start_s = monotonic_s();
  double spent_s = 0.0;
  std::uint64_t count = 0;
  for (; spent_s < seconds; spent_s = monotonic_s() - start_s) {
    for (int i = 0; i < kBetweenLooks; ++i) exchange();
    count += kBetweenLooks;
  }
  return static_cast<double>(count) / spent_s;
}

double measure_lock_step(double seconds) {
  UdpSocket socket("127.0.0.1", 0, false);
  const std::string address = text_of(socket.local());
  EmptyPlant plant;
  LoopOptions options;
  options.once = true;
  PlantLoop loop(socket, plant, ServeDescription{}, options);
  std::jthread server([&] { loop.run(); });
  distal_client::Client client("127.0.0.1", std::atoi(address.c_str() + address.rfind(':') + 1));
  const distal_client::Command command = distal_client::wrench(0.0, 0.0, 0.1);
  const double rate = measure_rate(seconds, [&] { client.step(command); });
  client.stop();
  return rate;
}

double measure_echo(double seconds) {
  UdpSocket near("127.0.0.1", 0, false), far("127.0.0.1", 0, false);
  const std::size_t there = distal_client::step_size(1), back = distal_client::feedback_size(1);
  std::atomic<bool> end{false};
  std::jthread server([&] {
    std::vector<std::byte> buffer(back);
    Endpoint from;
    while (!end.load(std::memory_order_relaxed))
      if (far.receive(buffer, from, 0.1)) far.send(buffer, from);
  });
  std::vector<std::byte> message(there), answer(back);
  Endpoint from;
  const double rate = measure_rate(seconds, [&] {
    near.send(message, far.local());
    near.receive(answer, from, 0.1);
  });
  end = true;
  return rate;
}

}  // namespace

int main(int argc, char** argv) {
  const double seconds = argc > 1 ? std::atof(argv[1]) : 2.0;
  // The best of three rounds, in turn: others use this machine too.
  double echo = 0.0, lock_step = 0.0;
  for (int round = 0; round < 3; ++round) {
    echo = std::max(echo, measure_echo(seconds / 3.0));
    lock_step = std::max(lock_step, measure_lock_step(seconds / 3.0));
  }
  fmt::print("bare echo           {:8.0f} exchanges a second\n", echo);
  fmt::print("lock-step, empty    {:8.0f} exchanges a second, {:.0f} % of the echo\n", lock_step,
             100.0 * lock_step / echo);
}
