// What a page asks for: the text messages of docs/reference/view_protocol.md, read and checked.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "distal/view/view_data.hpp"

namespace distal {

// `got`: a frame has arrived.
struct FrameArrived {
  std::uint64_t frame = 0;
};

enum class SteerKind { pause, resume, step, speed, reset, grab, drag, release, give_back, push, push_end, seek };

// Something that the loop which runs the scene does between two control periods.
struct SteerRequest {
  SteerKind kind = SteerKind::pause;
  double value = 0.0;           // speed, or time to seek [s]
  int body = 0;                 // of the scene of viewers: grab, drag, release, give_back
  Vec3 place_m = Vec3::Zero();  // grab, drag, push: world
};

using PageMessage = std::variant<FrameArrived, ViewWish, SteerRequest>;

// Throws InputError that says what is wrong.
PageMessage parse_page_message(std::string_view text);

// What viewers may do, and why not.
struct ViewPowers {
  bool pace = true;   // pause, resume, step, speed
  bool touch = true;  // grab, push and what follows
  bool reset = true;
  bool seek = false;
  std::string refusal;  // ends with the reason
};
// Why a request is refused; empty when it is not.
std::string find_refusal(const SteerRequest& request, const ViewScene& scene, const ViewPowers& powers);

}  // namespace distal
