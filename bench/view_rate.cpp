// What viewers cost: a soft body with 20,000 surface vertices in real time, without a viewer, with one on a real
// socket, with one that is slow and with one that is stalled. usage: view_rate [SECONDS]
#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "distal/record/statistics.hpp"
#include "distal/remote/real_time.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/view/watcher.hpp"
#include "view_page.hpp"

namespace {

using namespace distal;
using bench::Manner;
using bench::Page;

// Much skin and few particles. Held in the pad, the ball is computed in a third of its period of a millisecond, so that
// a period is late only where something is in its way; the time before, when it comes down, is not counted.
constexpr double kDown_s = 1.0;
constexpr const char* kScene = R"(
[scene]
title = "A ball is pressed into a soft pad"
[material.gel]
density_kg_m3 = 500.0
youngs_modulus_pa = 3922.66
poissons_ratio = 0.4286
[body.pad]
type = "block"
material = "gel"
size_m = [0.038, 0.0385, 0.002]
cell_size_m = 0.002
surface_spacing_cells = 0.2
[body.ball]
type = "rigid"
shape = "sphere"
radius_m = 0.010
mass_kg = 0.020
position_m = [0.0, 0.0, 0.0115]
mount = "free"
[fix.bottom]
body = "pad"
max_m = [inf, inf, -0.0009]
[controller.press]
type = "adaptive_pid"
body = "ball"
direction = [0.0, 0.0, -1.0]
speed_m_s = 0.005
depth_m = 0.0008
[run]
control_period_s = 0.001
)";

// Measures what looking costs and how late periods end; the watcher inside is optional.
class Meter : public Onlooker {
 public:
  Meter(Watcher* watcher, ViewServer* server) : watcher_(watcher), server_(server) {}

  void begin(const Scene& scene, const Session& session) override {
    vertices = session.simulation().model().soft[0].skin.size();
    if (watcher_) watcher_->begin(scene, session);
    // A viewer is there before the first period.
    while (watcher_ && server_->viewers() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    start_s_ = ended_s_ = due_s_ = monotonic_s();
  }
  // A period begins when the one before is over and its time has come.
  double look(const Session& session) override {
    const double before_s = monotonic_s();
    const bool wanted = watcher_ && server_->wants_moment();
    if (watcher_) watcher_->look(session);
    const double now_s = monotonic_s();
    const double time_s = session.simulation().state().time_s, lag_s = now_s - start_s_ - time_s;
    if (time_s > kDown_s) {
      if (wanted) frame_cost.update(now_s - before_s);
      period.update(before_s - std::max(ended_s_, due_s_));
      lag.update(std::max(lag_s, 0.0));
      if (lag_s > 0.0) ++late;
      worst_lag_s = std::max(worst_lag_s, lag_s);
    }
    ended_s_ = now_s;
    due_s_ = start_s_ + time_s;
    return 0.0;
  }
  void end(const Session& session, RunStatus status, const std::string& message) override {
    if (watcher_) watcher_->end(session, status, message);
  }

  DurationStatistics period, frame_cost, lag;
  std::size_t vertices = 0;
  std::uint64_t late = 0;
  double worst_lag_s = 0.0;

 private:
  Watcher* watcher_;
  ViewServer* server_;
  double start_s_ = 0.0, ended_s_ = 0.0, due_s_ = 0.0;
};

// One kind of viewer, over all rounds.
struct Tally {
  std::uint64_t periods = 0, late = 0, frames = 0, bytes = 0;
  double seen_s = 0.0, worst_lag_s = 0.0, busy_s = 0.0;
  std::vector<double> lags_s, busy_99_s;  // 99 % of each round
  std::vector<std::uint64_t> late_of_round;
  std::size_t vertices = 0, particles = 0;
  DurationStatistics frame_cost;
  std::set<std::string> hashes;

  void add(const Meter& meter, const RunResult& result) {
    periods += meter.period.count(), late += meter.late;
    worst_lag_s = std::max(worst_lag_s, meter.worst_lag_s);
    busy_s = std::max(busy_s, meter.period.quantile_s(0.5));
    lags_s.push_back(meter.lag.quantile_s(0.99)), busy_99_s.push_back(meter.period.quantile_s(0.99));
    if (meter.frame_cost.count() > frame_cost.count()) frame_cost = meter.frame_cost;
    late_of_round.push_back(meter.late);
    vertices = meter.vertices, particles = result.particles;
    hashes.insert(result.final_state_hash);
  }
};

void measure(const Scene& scene, const std::optional<Manner>& manner, Tally& tally) {
  ViewServer server({"127.0.0.1", 0, false});
  Watcher watcher(server, {"bench", false, 0.0, nullptr});
  Meter meter(manner ? &watcher : nullptr, &server);
  RunOptions options;
  options.realtime = true;
  options.onlooker = &meter;
  std::atomic<bool> over{false};
  std::jthread looker;
  if (manner)
    looker = std::jthread([&] {
      Page page(std::atoi(server.url().c_str() + std::strlen("http://127.0.0.1:")), *manner);
      page.look_on(over);
      tally.frames += page.frames, tally.bytes += page.bytes, tally.seen_s += page.seconds;
    });
  const RunResult result = run_scene(scene, options);
  over = true;
  if (looker.joinable()) looker.join();
  tally.add(meter, result);
}

// What the machine does to a thread that only sleeps: as many periods, late where no time would be left to compute.
void print_machine(const Tally& alone, double period_s) {
  PeriodClock clock(period_s);
  clock.start(monotonic_s());
  std::uint64_t late = 0;
  double worst_s = 0.0;
  for (std::uint64_t k = 0; k < alone.periods; ++k) {
    const double due_s = monotonic_s() + period_s;
    clock.wait();
    clock.end_period();
    const double delay_s = monotonic_s() - due_s;
    if (delay_s > period_s - alone.busy_s) ++late;
    worst_s = std::max(worst_s, delay_s);
  }
  fmt::print("{:<9}{:>5} of {} sleeps end too late, worst {:.2f} ms\n", "machine", late, alone.periods, 1e3 * worst_s);
}

// Of the rounds, the one in the middle: what else the machine does comes and goes.
double middle(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void print_line(const std::string& name, const Tally& tally) {
  fmt::print(
      "{:<9}{:>5} of {} periods late (by rounds {}), lag {:.2f} ms 99 %, {:.2f} ms worst; {:.2f} ms to compute, "
      "{:.2f} ms 99 %; state {}",
      name, tally.late, tally.periods, fmt::join(tally.late_of_round, " "), 1e3 * middle(tally.lags_s),
      1e3 * tally.worst_lag_s, 1e3 * tally.busy_s, 1e3 * middle(tally.busy_99_s), fmt::join(tally.hashes, " "));
  if (tally.frame_cost.count() > 0)
    fmt::print("; {:.1f} frames/s of {:.0f} kB, {:.2f} MB/s; a frame takes {:.0f} us of its period, {:.0f} us 99 %",
               static_cast<double>(tally.frames) / tally.seen_s,
               1e-3 * static_cast<double>(tally.bytes) / static_cast<double>(tally.frames),
               1e-6 * static_cast<double>(tally.bytes) / tally.seen_s, 1e6 * tally.frame_cost.quantile_s(0.5),
               1e6 * tally.frame_cost.quantile_s(0.99));
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kRounds = 4;
  const RealTimeRights rights = take_real_time_rights();
  if (!rights.notice.empty()) fmt::print(stderr, "note: {}\n", rights.notice);
  const double seconds = argc > 1 ? std::atof(argv[1]) : 20.0;
  const std::vector<std::pair<std::string, std::optional<Manner>>> audiences = {
      {"nobody", {}}, {"one", Manner::prompt}, {"slow", Manner::slow}, {"stalled", Manner::stalled}};
  const double each_s = seconds / static_cast<double>(kRounds * audiences.size());
  const std::vector<std::string> overrides = {fmt::format("run.duration_s={}", kDown_s + each_s)};
  const Scene scene = parse_scene(kScene, "pad.toml", overrides);
  std::map<std::string, Tally> tallies;
  for (int round = 0; round < kRounds; ++round)
    for (const auto& [name, manner] : audiences) measure(scene, manner, tallies[name]);
  const Tally& alone = tallies.at("nobody");
  fmt::print("{} surface vertices, {} particles, control period {:.0f} ms\n", alone.vertices, alone.particles,
             1e3 * scene.run.control_period_s);
  for (const auto& [name, manner] : audiences) print_line(name, tallies.at(name));
  print_machine(alone, scene.run.control_period_s);
}
