// The controller's side of virtual control: feedback in, command out. It neither knows nor cares whether the finger
// behind a Plant is simulated.
#pragma once
#include <span>
#include <vector>

#include "distal/state/exchange.hpp"

namespace distal {

class Controller {
 public:
  virtual ~Controller() = default;
  // Called once per control period with the newest feedback; the command is held for `period_s`.
  virtual BodyCommand update(const BodyFeedback& feedback, double period_s) = 0;
};

// False for feedback with a number that is none, or a rotation that is none: a controller does not act on it.
bool is_usable(const BodyFeedback& feedback);

// A finger, simulated or real. `exchange` sends one command per commanded body, lets one control period pass, and
// returns what was measured at its end.
class Plant {
 public:
  virtual ~Plant() = default;
  virtual double period_s() const = 0;
  virtual std::span<const BodyFeedback> feedback() const = 0;
  virtual std::span<const BodyFeedback> exchange(std::span<const BodyCommand> commands) = 0;
};

}  // namespace distal
