// Somebody who watches a run between its control periods and may hold it up. Never changes a result.
#pragma once
#include "distal/run/session.hpp"

namespace distal {

class Onlooker {
 public:
  virtual ~Onlooker() = default;

  // Before the first period. What it wants to keep of the session it copies.
  virtual void begin(const Scene& scene, const Session& session) = 0;
  // Between periods. Returns how long it held the run up [s].
  virtual double look(const Session& session) = 0;
  // After the last period; `message` says why a run failed.
  virtual void end(const Session& session, RunStatus status, const std::string& message) = 0;
  // How its own loop went, where it has one.
  virtual std::optional<LoopReport> loop() const { return std::nullopt; }
};

}  // namespace distal
