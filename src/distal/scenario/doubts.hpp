// Values that are allowed but look like a mistake of units, or are not used as they stand.
#pragma once
#include <string>
#include <vector>

#include "distal/scenario/scene.hpp"

namespace distal {

// In those about units.
inline constexpr const char* kIsThatMeant = "is that meant?";

// One sentence each: key, value, and what may have been meant.
std::vector<std::string> find_doubts(const Scene& scene);

}  // namespace distal
