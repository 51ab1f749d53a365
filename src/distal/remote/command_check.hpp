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
  const char* key = "";  // what sets the limit that a value is over
};

// `feedback` is where the body is now: a pose is as fast as the way to it within one period.
CommandFault find_fault(const BodyCommand& command, const ServedBody& body, const BodyFeedback& feedback,
                        const ServeDescription& limits, double period_s);

CommandFault find_fault(const JointCommand& command, const ServedJoint& joint, const ServeDescription& limits);

// Body or joint, value and what is allowed, for people.
std::string describe(const CommandFault& fault, const ServedBody& body);
std::string describe(const CommandFault& fault, const ServedJoint& joint, std::span<const ServedJoint> all);

}  // namespace distal
