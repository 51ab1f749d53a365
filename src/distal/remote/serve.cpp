#include "distal/remote/serve.hpp"

#include "distal/remote/real_time.hpp"
#include "distal/remote/session_plant.hpp"
#include "distal/remote/udp_socket.hpp"

namespace distal {
namespace {

constexpr double kLongestWait_s = 0.1;     // between looks at the stop flag
constexpr double kFarewell_s = 0.3;        // after the end: for a controller whose last answer was lost
constexpr double kBetweenNotices_s = 1.0;  // a controller that errs a thousand times a second is told of once
constexpr int kMostPerPeriod = 256;        // datagrams: a flood must not stop the clock

Scene without_movers(Scene scene) {
  scene.controllers.clear();
  scene.motion.reset();
  return scene;
}

class Service {
 public:
  Service(Scene scene, const ServeOptions& options)
      : scene_hash_(hash_scene(scene)),
        scene_(without_movers(std::move(scene))),
        options_(options),
        socket_(options.host, options.port, options.allow_remote),
        session_(scene_, options.session),
        plant_(session_, scene_, scene_hash_, options.once),
        server_(plant_, scene_.serve, options.clock),
        clock_(plant_.period_s()),
        buffer_(wire::step_size(plant_.bodies().size()) + 1) {}

  ServeResult run() {
    const bool real_time = options_.clock == PlantClock::real_time;
    if (real_time) prepare_real_time();
    if (options_.listening) options_.listening(text_of(socket_.local()));
    while (!interrupted() && !over()) real_time&& server_.running() ? run_period() : wait_for_datagram();
    const double end_s = monotonic_s();
    while (!interrupted() && !server_.stopped() && monotonic_s() - end_s < kFarewell_s) wait_for_datagram();
    return finish();
  }

 private:
  bool interrupted() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }
  bool over() const { return options_.once && (server_.stopped() || server_.failed() || plant_.ended()); }

  void prepare_real_time() {
    rights_ = take_real_time_rights();
    if (!options_.notice) return;
    if (!rights_.notice.empty()) options_.notice(rights_.notice);
    if (!options_.session.out.empty() && scene_.record.frames_per_s > 0.0)
      options_.notice("frames are written between periods and make them late; record.frames_per_s = 0 writes none");
  }

  bool take_datagram(double longest_wait_s) {
    Endpoint from;
    const auto size = socket_.receive(buffer_, from, longest_wait_s);
    if (!size) return false;
    // One that does not fit is too long for any good one: what is left of it is refused for its size.
    const Bytes datagram(buffer_.data(), std::min(*size, buffer_.size()));
    const Bytes answer = server_.handle(datagram, from, monotonic_s());
    if (!answer.empty()) socket_.send(answer, from);
    tell_refusal();
    return true;
  }

  // Lock-step, and real time before the first command. The clock starts with that.
  void wait_for_datagram() {
    if (take_datagram(kLongestWait_s) && server_.running()) clock_.start(monotonic_s());
  }

  void run_period() {
    if (!clock_.wait()) return;
    for (int n = 0; n < kMostPerPeriod && take_datagram(0.0); ++n) {}
    if (!server_.running()) return;  // reset, for example
    server_.advance(monotonic_s());
    const Bytes answer = server_.take_answer(clock_.end_period());
    if (!answer.empty()) socket_.send(answer, *server_.controller());
  }

  void tell_refusal() {
    std::string refusal = server_.take_refusal();
    if (refusal.empty() || !options_.notice || monotonic_s() < next_notice_s_) return;
    next_notice_s_ = monotonic_s() + kBetweenNotices_s;
    options_.notice("refused: " + refusal);
  }

  ServeResult finish() {
    ServeResult result;
    result.link = link_report();
    session_.set_link(result.link);
    if (server_.failed())
      result.run = session_.finish(RunStatus::failed, plant_.failure());
    else
      result.run = session_.finish(options_.once && !over() ? RunStatus::interrupted : RunStatus::done);
    return result;
  }

  LinkReport link_report() const {
    const wire::Counters& c = server_.counters();
    LinkReport link{options_.clock == PlantClock::lock_step ? "lockstep" : "realtime",
                    c.received,
                    c.lost,
                    c.late,
                    c.repeated,
                    c.malformed,
                    c.refused,
                    server_.safe_actions()};
    link.fixed_priority = rights_.fixed_priority, link.locked_memory = rights_.locked_memory;
    link.periods = clock_.periods(), link.missed_deadlines = clock_.missed();
    const DurationStatistics& delay = clock_.start_delay();
    link.start_delay_p50_s = delay.quantile_s(0.5), link.start_delay_p99_s = delay.quantile_s(0.99);
    link.start_delay_p999_s = delay.quantile_s(0.999), link.start_delay_worst_s = delay.worst_s();
    link.largest_lag_s = clock_.largest_lag_s();
    return link;
  }

  std::uint64_t scene_hash_;  // of the scene as its user knows it
  Scene scene_;
  const ServeOptions& options_;
  UdpSocket socket_;
  Session session_;
  SessionPlant plant_;
  PlantServer server_;
  PeriodClock clock_;
  RealTimeRights rights_;
  std::vector<std::byte> buffer_;
  double next_notice_s_ = 0.0;
};

}  // namespace

ServeResult serve(Scene scene, const ServeOptions& options) { return Service(std::move(scene), options).run(); }

}  // namespace distal
