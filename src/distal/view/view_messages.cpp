#include "distal/view/view_messages.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "distal/core/error.hpp"

namespace distal {
namespace {

using nlohmann::json;
static_assert(std::endian::native == std::endian::little, "arrays are sent as they stand in memory");

constexpr std::uint32_t kScene = 1, kFrame = 2, kNote = 3;
constexpr double kMostSteps = 65535.0;  // of a 16-bit value
constexpr std::array<std::string_view, 5> kRoleNames = {"surface", "lattice", "rod", "ground", "rigid"};
constexpr std::array<std::string_view, 4> kColourNames = {"none", "pressure_pa", "displacement_m", "field"};

// Data behind the JSON; each array begins at a multiple of four bytes.
class DataBlock {
 public:
  template <typename T>
  json add(const std::vector<T>& values) {
    const std::size_t at = bytes_.size(), size = values.size() * sizeof(T);
    bytes_.resize((at + size + 3) / 4 * 4);
    if (size > 0) std::memcpy(bytes_.data() + at, values.data(), size);
    return {{"at", at}, {"count", values.size()}};
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

std::string to_message(std::uint32_t type, const json& head, const DataBlock& data) {
  std::string text = head.dump(-1, ' ', false, json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const auto size = static_cast<std::uint32_t>(text.size());
  std::string message(8, '\0');
  message.reserve(8 + text.size() + data.bytes().size());
  std::memcpy(message.data(), &type, 4);
  std::memcpy(message.data() + 4, &size, 4);
  message += text;
  message += data.bytes();
  return message;
}

json list(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
json list(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }
json list(const Wrench& w) { return {w.force.x(), w.force.y(), w.force.z(), w.torque.x(), w.torque.y(), w.torque.z()}; }

std::vector<float> to_floats(const std::vector<Vec3>& points) {
  std::vector<float> floats;
  floats.reserve(3 * points.size());
  for (const Vec3& point : points)
    for (const double x : point) floats.push_back(static_cast<float>(x));
  return floats;
}

std::uint16_t quantised(double value, double low, double per_step) {
  return static_cast<std::uint16_t>(std::clamp(std::round((value - low) * per_step), 0.0, kMostSteps));
}

double inverse_or_zero(double step) { return step > 0.0 ? 1.0 / step : 0.0; }

void add_positions(const std::vector<Vec3>& positions, json& part, DataBlock& data) {
  if (positions.empty()) return;
  Aabb bounds;
  for (const Vec3& p : positions) bounds.add(p);
  const Vec3 step = (bounds.max - bounds.min) / kMostSteps;
  const Vec3 per_step = step.unaryExpr(&inverse_or_zero);
  std::vector<std::uint16_t> values;
  values.reserve(3 * positions.size());
  for (const Vec3& p : positions)
    for (Eigen::Index axis = 0; axis < 3; ++axis)
      values.push_back(quantised(p[axis], bounds.min[axis], per_step[axis]));
  part["positions"] = data.add(values);
  part["low_m"] = list(bounds.min);
  part["step_m"] = list(step);
}

void add_colour(const ViewPartMoment& moment, ViewColour colour, json& part, DataBlock& data) {
  const std::vector<double>& source = colour == ViewColour::pressure_pa ? moment.pressure_pa
                                      : colour == ViewColour::field     ? moment.field
                                                                        : moment.displacement_m;
  if (colour == ViewColour::none || source.empty()) return;
  const auto [low, high] = std::minmax_element(source.begin(), source.end());
  const double step = (*high - *low) / kMostSteps, per_step = inverse_or_zero(step);
  std::vector<std::uint16_t> values;
  values.reserve(source.size());
  for (const double value : source) values.push_back(quantised(value, *low, per_step));
  part["colour"] = data.add(values);
  part["colour_name"] = name_of(colour);
  part["colour_low"] = *low;
  part["colour_step"] = step;
}

json to_json(const ViewBodyMoment& body) {
  const BodyFeedback& feedback = body.reading.feedback;
  return {{"position_m", list(feedback.pose.position)},
          {"q_xyzw", list(feedback.pose.q)},
          {"velocity_m_s", list(feedback.twist.linear)},
          {"angular_velocity_rad_s", list(feedback.twist.angular)},
          {"contact", list(feedback.contact)},
          {"tip", list(feedback.tip)},
          {"sensor", list(feedback.sensor)},
          {"command", list(body.command)},
          {"depth_m", body.reading.depth_m},
          {"contact_area_m2", body.reading.patch.area_m2},
          {"contact_count", body.reading.patch.count},
          {"in_hand", body.in_hand}};
}

json to_json(const ViewPart& part, DataBlock& data) {
  constexpr std::array shapes = {"triangles", "points_and_lines"};
  constexpr std::array motions = {"deforms", "rigid", "fixed"};
  json text = {{"body", part.body},
               {"role", name_of(part.role)},
               {"shape", shapes[static_cast<std::size_t>(part.shape)]},
               {"motion", motions[static_cast<std::size_t>(part.motion)]},
               {"vertices", part.vertices},
               {"indices", data.add(part.indices)},
               {"colours", part.has_colours ? json{"pressure_pa", "displacement_m"} : json::array()}};
  if (!part.field.empty()) {
    text["colours"].push_back("field");
    text["field"] = part.field;
  }
  if (part.motion != ViewMotion::deforms) text["rest_m"] = data.add(to_floats(part.rest_m));
  return text;
}

// Empty where the frame has nothing of it.
json to_json(const ViewPart& part, const ViewPartMoment& moment, const ViewWish& wish, DataBlock& data) {
  json text = json::object();
  if ((wish.roles & role_bit(part.role)) == 0 || part.motion == ViewMotion::fixed) return text;
  if (part.motion == ViewMotion::deforms) {
    if (moment.positions_m.empty()) return text;
    DISTAL_ASSERT(moment.positions_m.size() == part.vertices);
    add_positions(moment.positions_m, text, data);
    if (part.has_colours) add_colour(moment, wish.colour, text, data);
  } else if (moment.pose) {
    text["pose"] = {{"position_m", list(moment.pose->position)}, {"q_xyzw", list(moment.pose->q)}};
  }
  return text;
}

json contacts_json(const std::vector<ViewContact>& contacts, DataBlock& data) {
  std::vector<Vec3> values;
  for (const ViewContact& contact : contacts) values.insert(values.end(), {contact.place_m, contact.force_n});
  return data.add(to_floats(values));
}

json to_json(const ViewPatch& patch) {
  return {{"bodies", {patch.bodies[0], patch.bodies[1]}},
          {"centre_m", list(patch.centre_m)},
          {"normal", list(patch.normal)},
          {"axes_m", {list(patch.axes_m[0]), list(patch.axes_m[1])}},
          {"force_n", list(patch.force_n)},
          {"load_n", patch.load_n},
          {"friction_n", {patch.friction.x(), patch.friction.y()}},
          {"moment_n_m", patch.friction.z()},
          {"most_friction_n", patch.use.most_force_n},
          {"most_moment_n_m", patch.use.most_moment_n_m},
          {"share", list(patch.use.share)},
          {"use", patch.use.use()},
          {"slides", patch.slides}};
}

}  // namespace

std::string_view name_of(ViewRole role) { return kRoleNames[static_cast<std::size_t>(role)]; }
std::string_view name_of(ViewColour colour) { return kColourNames[static_cast<std::size_t>(colour)]; }

std::string scene_message(const ViewScene& scene) {
  constexpr std::array modes = {"live", "watch", "recorded"};
  DataBlock data;
  json head = {{"protocol", 1},
               {"program", scene.program},
               {"title", scene.title},
               {"mode", modes[static_cast<std::size_t>(scene.mode)]},
               {"period_s", scene.period_s},
               {"duration_s", scene.duration_s},
               {"gravity_m_s2", list(scene.gravity_m_s2)},
               {"times_s", scene.times_s},
               {"patches", scene.has_patches},
               {"bodies", json::array()},
               {"parts", json::array()}};
  for (const ViewBody& body : scene.bodies)
    head["bodies"].push_back(
        {{"name", body.name}, {"kind", body.kind}, {"commanded", body.commanded}, {"graspable", body.graspable}});
  for (const ViewPart& part : scene.parts) head["parts"].push_back(to_json(part, data));
  if (scene.pointer) head["pointer"] = {{"body", scene.pointer->body}, {"radius_m", scene.pointer->radius_m}};
  return to_message(kScene, head, data);
}

std::string frame_message(const ViewScene& scene, const ViewMoment& moment, const ViewWish& wish,
                          const FrameNumbers& numbers) {
  constexpr std::array states = {"running", "paused", "ended", "failed"};
  DISTAL_ASSERT(moment.parts.size() == scene.parts.size() && moment.bodies.size() == scene.bodies.size());
  const ViewStanding& standing = moment.standing;
  DataBlock data;
  json head = {{"frame", numbers.frame},
               {"time_s", moment.time_s},
               {"status", states[static_cast<std::size_t>(standing.status)]},
               {"message", standing.message},
               {"speed", standing.speed},
               {"real_time_factor", standing.real_time_factor},
               {"viewers", numbers.viewers},
               {"energy_residual", standing.energy_residual},
               {"bodies", json::array()},
               {"parts", json::array()}};
  for (const ViewBodyMoment& body : moment.bodies) head["bodies"].push_back(to_json(body));
  for (std::size_t p = 0; p < scene.parts.size(); ++p) {
    json part = to_json(scene.parts[p], moment.parts[p], wish, data);
    if (part.empty()) continue;
    part["part"] = p;
    head["parts"].push_back(std::move(part));
  }
  head["contacts"] = contacts_json(wish.contacts ? moment.contacts : std::vector<ViewContact>{}, data);
  head["patches"] = json::array();
  if (wish.patches)
    for (const ViewPatch& patch : moment.patches) head["patches"].push_back(to_json(patch));
  return to_message(kFrame, head, data);
}

std::string note_message(std::string_view text, bool error) {
  return to_message(kNote, {{"text", text}, {"error", error}}, {});
}

}  // namespace distal
