// An infinite plane as a finite square under what stands on it.
#pragma once
#include <optional>
#include <string>

#include "distal/record/history.hpp"
#include "distal/record/painter.hpp"

namespace distal {

// Outward unit normal of the first plane of a frame, if there is one.
std::optional<Vec3> plane_normal(const Frame& frame);

// All planes of a frame; drawn first, as the bodies stand on the side that the viewer sees.
std::string planes_svg(const Frame& frame, const View& view);

}  // namespace distal
