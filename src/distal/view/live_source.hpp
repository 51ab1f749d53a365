// A simulation as viewers see it: moments go from its thread to that of the server.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "distal/core/newest.hpp"
#include "distal/record/statistics.hpp"
#include "distal/run/session.hpp"
#include "distal/view/live_geometry.hpp"

namespace distal {

// What the loop knows beside the session.
struct LoopStanding {
  ViewStatus status = ViewStatus::running;
  std::string message;
  double speed = 1.0, real_time_factor = 0.0;
  std::vector<char> in_hand;  // one per commanded body; empty: none
  bool pointer_parked = false;

  bool operator==(const LoopStanding&) const = default;
};

class LiveSource : public MomentSource {
 public:
  // `pointer` is the body that viewers push with. Nothing of the session is kept.
  LiveSource(const Scene& scene, const Session& session, ViewMode mode, const std::string& version,
             const std::optional<std::string>& pointer = {});

  const ViewScene& scene() const { return scene_; }
  // Index among the commanded bodies of a body of the scene of viewers, which must be one of them.
  std::size_t commanded_of(std::size_t body) const { return geometry_.commanded_of(body); }

  // The simulation's thread: a copy of what changes. A few hundred microseconds at most.
  void publish(const Session& session, const LoopStanding& standing);

  // The server's thread.
  bool update() override { return newest_.take(); }
  void develop(RoleSet roles, ViewMoment& moment) override { geometry_.develop(newest_.front(), roles, moment); }

 private:
  LiveGeometry geometry_;
  ViewScene scene_;
  EnergyStatistics energy_;
  Newest<RawMoment> newest_;
};

}  // namespace distal
