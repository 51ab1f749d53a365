// A scene served to a controller outside.
#pragma once
#include <string>

#include "distal/remote/plant_loop.hpp"
#include "distal/run/onlooker.hpp"
#include "distal/run/session.hpp"

namespace distal {

struct ServeOptions {
  std::string host = "127.0.0.1";
  int port = 17810;           // 0: any free one
  bool allow_remote = false;  // listen where other machines can reach
  LoopOptions loop;           // `once` ends with run.duration_s
  SessionOptions session;
  Onlooker* onlooker = nullptr;
};

struct ServeResult {
  RunResult run;
  LinkReport link;
  std::vector<LoopReport> loops;  // of hands on devices, in real time
};

// Controllers and the motion of the scene are left out: commands come over the network. Hands on devices act beside
// them, and have the bodies that they hold. Throws like Session and
// UdpSocket.
ServeResult serve(const Scene& scene, const ServeOptions& options);

}  // namespace distal
