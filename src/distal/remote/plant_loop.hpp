// Sockets and clocks around a PlantServer: serves any plant until it is told to end.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "distal/core/udp_socket.hpp"
#include "distal/record/link_report.hpp"
#include "distal/remote/plant_server.hpp"
#include "distal/remote/real_time.hpp"

namespace distal {

struct LoopOptions {
  PlantClock clock = PlantClock::lock_step;
  bool once = false;                                          // end with the plant, or when a controller says stop
  const std::atomic<bool>* stop = nullptr;                    // set it to end
  std::function<void(const std::string& address)> listening;  // called once
  std::function<void(const std::string& message)> notice;     // what a person should know, now and then
  std::function<void()> idle;                                 // called now and then while no controller says anything
};

class PlantLoop {
 public:
  // All must outlive the loop.
  PlantLoop(UdpSocket& socket, ServedPlant& plant, const ServeDescription& description, const LoopOptions& options);

  void run();

  bool over() const { return options_.once && (server_.stopped() || server_.failed() || plant_.ended()); }
  bool failed() const { return server_.failed(); }
  LinkReport report() const;

 private:
  bool interrupted() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }
  bool take_datagram(double longest_wait_s);
  void wait_for_datagram();
  void run_period();
  void tell_refusal();
  void tell_failure();

  UdpSocket& socket_;
  ServedPlant& plant_;
  const LoopOptions& options_;
  PlantServer server_;
  PeriodClock clock_;
  RealTimeRights rights_;
  std::vector<std::byte> buffer_;
  double next_notice_s_ = 0.0;
  bool told_failure_ = false;
};

}  // namespace distal
