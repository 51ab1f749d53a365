// Serves the live page and its WebSocket from a thread of its own. The simulation hands over moments when one is wanted
// and never waits for a viewer.
#pragma once
#include <memory>
#include <string>

#include "distal/view/page_message.hpp"
#include "distal/view/steering.hpp"
#include "distal/view/view_data.hpp"

namespace distal {

struct ViewServerOptions {
  std::string host = "127.0.0.1";
  int port = 17811;           // 0: any free one
  bool allow_remote = false;  // listen where other machines can reach: viewers then need a token
};

class ViewServer {
 public:
  // Listens; answers nobody yet. Throws InputError when the host is unknown, when the port is taken, and when others
  // than this machine could reach it without `allow_remote`.
  explicit ViewServer(const ViewServerOptions& options);
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  // What to open in a browser.
  const std::string& url() const;

  // From now on viewers are served. Source and box must outlive the server or the call of close().
  void open(const ViewScene& scene, const ViewPowers& powers, MomentSource& source, SteeringBox& box);
  void close();

  // Somebody could use a newer moment than the last; at most 60 times a second.
  bool wants_moment() const;
  // The source has a newer moment.
  void announce_moment();
  std::size_t viewers() const;

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace distal
