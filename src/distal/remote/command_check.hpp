// Which commands a plant takes: finite, within the limits, and of a mode that the body's mount allows.
#pragma once
#include <cstdint>
#include <string>

#include "distal/remote/served_plant.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

// Plain data: a controller that errs a thousand times a second costs no memory.
struct CommandFault {
  std::uint32_t status = 0;  // bits of the protocol; 0: the command is good
  const char* what = "";     // what was found
  double value = 0.0, limit = 0.0;
  const char* key = "";  // of the scene, for a value over its limit
};

// `feedback` is where the body is now: a pose is as fast as the way to it within one period.
CommandFault find_fault(const BodyCommand& command, const ServedBody& body, const BodyFeedback& feedback,
                        const ServeDescription& limits, double period_s);

// Body, value and what is allowed, for people.
std::string describe(const CommandFault& fault, const ServedBody& body);

}  // namespace distal
