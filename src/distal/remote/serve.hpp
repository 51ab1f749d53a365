// A scene served to a controller outside: sockets and clocks around a PlantServer.
#pragma once
#include <atomic>
#include <functional>
#include <string>

#include "distal/record/link_report.hpp"
#include "distal/remote/plant_server.hpp"
#include "distal/run/session.hpp"

namespace distal {

struct ServeOptions {
  PlantClock clock = PlantClock::lock_step;
  std::string host = "127.0.0.1";
  int port = 17810;           // 0: any free one
  bool allow_remote = false;  // listen where other machines can reach
  bool once = false;          // end with run.duration_s, or when a controller says stop
  SessionOptions session;
  const std::atomic<bool>* stop = nullptr;                    // set it to end cleanly, with a complete record
  std::function<void(const std::string& address)> listening;  // called once
  std::function<void(const std::string& message)> notice;     // what a person should know, now and then
};

struct ServeResult {
  RunResult run;
  LinkReport link;
};

// Controllers and the motion of the scene are left out: commands come over the network. Throws like Session and
// UdpSocket.
ServeResult serve(Scene scene, const ServeOptions& options);

}  // namespace distal
