#include "distal/view/page_message.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "distal/core/error.hpp"
#include "distal/view/view_messages.hpp"

namespace distal {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 12> kSteerNames = {"pause", "resume",  "step",      "speed", "reset",    "grab",
                                                          "drag",  "release", "give_back", "push",  "push_end", "seek"};
constexpr double kSlowest = 0.01, kFastest = 10.0;
constexpr double kFarthest_m = 100.0;  // no scene is that large

const json& field(const json& message, const char* key) {
  const auto found = message.find(key);
  if (found == message.end()) throw InputError(fmt::format("'{}' is missing", key));
  return *found;
}

double number(const json& value, const char* key, double least, double most) {
  if (!value.is_number()) throw InputError(fmt::format("'{}' is no number", key));
  const double x = value.get<double>();
  if (!(x >= least && x <= most)) throw InputError(fmt::format("'{}' is not between {} and {}", key, least, most));
  return x;
}

Vec3 place(const json& message, const char* key) {
  const json& value = field(message, key);
  if (!value.is_array() || value.size() != 3) throw InputError(fmt::format("'{}' is not three numbers", key));
  Vec3 p;
  for (std::size_t axis = 0; axis < 3; ++axis)
    p[static_cast<Eigen::Index>(axis)] = number(value[axis], key, -kFarthest_m, kFarthest_m);
  return p;
}

std::string_view text_of(const json& value, const char* key) {
  if (!value.is_string()) throw InputError(fmt::format("'{}' is no text", key));
  return value.get_ref<const std::string&>();
}

ViewWish read_wish(const json& message) {
  ViewWish wish;
  wish.roles = 0;
  const json& roles = field(message, "roles");
  if (!roles.is_array()) throw InputError("'roles' is no list");
  for (const json& role : roles) {
    RoleSet bit = 0;
    for (const ViewRole known :
         {ViewRole::surface, ViewRole::lattice, ViewRole::rod, ViewRole::ground, ViewRole::rigid})
      if (text_of(role, "roles") == name_of(known)) bit = role_bit(known);
    if (bit == 0) throw InputError("'roles' knows surface, lattice, rod, ground, rigid");
    wish.roles |= bit;
  }
  const std::string_view colour = text_of(field(message, "colour"), "colour");
  bool known = false;
  for (const ViewColour each :
       {ViewColour::none, ViewColour::pressure_pa, ViewColour::displacement_m, ViewColour::field})
    if (colour == name_of(each)) wish.colour = each, known = true;
  if (!known) throw InputError("'colour' is pressure_pa, displacement_m, field or none");
  const json& contacts = field(message, "contacts");
  if (!contacts.is_boolean()) throw InputError("'contacts' is true or false");
  wish.contacts = contacts.get<bool>();
  if (const auto patches = message.find("patches"); patches != message.end()) {
    if (!patches->is_boolean()) throw InputError("'patches' is true or false");
    wish.patches = patches->get<bool>();
  }
  return wish;
}

SteerRequest read_request(const json& message, SteerKind kind) {
  constexpr double kMostBodies = 1e6, kLongest_s = 1e9;
  SteerRequest request;
  request.kind = kind;
  if (kind == SteerKind::speed) {
    request.value = number(field(message, "value"), "value", 0.0, kFastest);
    if (request.value != 0.0 && request.value < kSlowest)
      throw InputError(fmt::format("'value' is 0 or at least {}", kSlowest));
  }
  if (kind == SteerKind::seek) request.value = number(field(message, "time_s"), "time_s", 0.0, kLongest_s);
  if (kind == SteerKind::grab || kind == SteerKind::give_back)
    request.body = static_cast<int>(number(field(message, "body"), "body", 0.0, kMostBodies));
  if (kind == SteerKind::grab) request.place_m = place(message, "point_m");
  if (kind == SteerKind::drag) request.place_m = place(message, "target_m");
  if (kind == SteerKind::push) request.place_m = place(message, "position_m");
  return request;
}

}  // namespace

PageMessage parse_page_message(std::string_view text) {
  const json message = json::parse(text, nullptr, false);
  if (!message.is_object()) throw InputError("a message is one JSON object");
  const std::string_view type = text_of(field(message, "type"), "type");
  if (type == "got") {
    const json& frame = field(message, "frame");
    if (!frame.is_number_unsigned()) throw InputError("'frame' is no number of a frame");
    return FrameArrived{frame.get<std::uint64_t>()};
  }
  if (type == "show") return read_wish(message);
  for (std::size_t i = 0; i < kSteerNames.size(); ++i)
    if (type == kSteerNames[i]) return read_request(message, static_cast<SteerKind>(i));
  throw InputError("unknown 'type'");
}

std::string find_refusal(const SteerRequest& request, const ViewScene& scene, const ViewPowers& powers) {
  const auto refused = [&](bool allowed) {
    if (allowed) return std::string();
    return fmt::format("{} is refused: {}", kSteerNames[static_cast<std::size_t>(request.kind)], powers.refusal);
  };
  const auto graspable = [&] {
    const auto body = static_cast<std::size_t>(request.body);
    return body < scene.bodies.size() && scene.bodies[body].graspable;
  };
  switch (request.kind) {
    case SteerKind::pause:
    case SteerKind::resume:
    case SteerKind::step:
    case SteerKind::speed:
      return refused(powers.pace);
    case SteerKind::reset:
      return refused(powers.reset);
    case SteerKind::seek:
      return refused(powers.seek);
    case SteerKind::grab:
    case SteerKind::give_back:
      if (powers.touch && !graspable()) return fmt::format("body {} cannot be taken in hand", request.body);
      return refused(powers.touch);
    case SteerKind::push:
      if (powers.touch && !scene.pointer) return "there is no pointer in this scene";
      return refused(powers.touch);
    case SteerKind::drag:
    case SteerKind::release:
    case SteerKind::push_end:
      return refused(powers.touch);
  }
  return {};
}

}  // namespace distal
