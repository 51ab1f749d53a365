#include "distal/view/view_messages.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

using nlohmann::json;

// A message taken apart again, as a page does it.
struct Opened {
  std::uint32_t type = 0;
  json head;
  std::string data;

  explicit Opened(const std::string& message) {
    std::uint32_t size = 0;
    std::memcpy(&type, message.data(), 4);
    std::memcpy(&size, message.data() + 4, 4);
    EXPECT_EQ(size % 4, 0u);
    head = json::parse(message.substr(8, size));
    data = message.substr(8 + size);
  }
  template <typename T>
  std::vector<T> array(const json& place) const {
    const std::size_t at = place.at("at"), count = place.at("count");
    EXPECT_EQ(at % 4, 0u);
    EXPECT_LE(at + count * sizeof(T), data.size());
    std::vector<T> values(count);
    std::memcpy(values.data(), data.data() + at, count * sizeof(T));
    return values;
  }
};

ViewScene make_scene(std::size_t vertices) {
  ViewScene scene;
  scene.title = "three \"parts\"";
  scene.bodies = {{"finger", "fingertip", true, true}};
  ViewPart surface;
  surface.vertices = vertices;
  surface.indices = {0, 1, 2};
  surface.has_colours = true;
  ViewPart rod;
  rod.role = ViewRole::rod;
  rod.motion = ViewMotion::rigid;
  rod.vertices = 1;
  rod.rest_m = {Vec3(0.25, -0.5, 1.0)};
  ViewPart ground;
  ground.role = ViewRole::ground;
  ground.motion = ViewMotion::fixed;
  ground.vertices = 1;
  ground.rest_m = {Vec3(1.0, 2.0, 3.0)};
  scene.parts = {surface, rod, ground};
  return scene;
}

ViewMoment make_moment(const ViewScene& scene) {
  ViewMoment moment;
  moment.time_s = 0.1 + 0.2;  // a number whose last bits matter
  moment.bodies.resize(1);
  moment.bodies[0].reading.feedback.contact.force = Vec3(1.0 / 3.0, -1e-300, 0.1);
  moment.parts.resize(scene.parts.size());
  for (std::size_t v = 0; v < scene.parts[0].vertices; ++v) {
    const auto share = [&](std::uint64_t draw) { return random_share(7, v, draw); };
    moment.parts[0].positions_m.emplace_back(0.02 * share(0) - 3.0, 0.001 * share(1), 5.0 * share(2));
    moment.parts[0].pressure_pa.push_back(1e4 * share(3));
    moment.parts[0].displacement_m.push_back(1e-3 * share(4));
  }
  moment.parts[1].pose = Pose{Vec3(0.1, 0.2, 0.3), Quat(0.5, 0.5, 0.5, 0.5)};
  moment.contacts = {{Vec3(1.0, 2.0, 3.0), Vec3(4.0, 5.0, 6.0)}};
  return moment;
}

TEST(ViewMessages, TellTheScene) {
  const ViewScene scene = make_scene(3);
  const Opened opened(scene_message(scene));
  EXPECT_EQ(opened.type, 1u);
  EXPECT_EQ(opened.head["title"], scene.title);
  EXPECT_EQ(opened.head["parts"][0]["role"], "surface");
  EXPECT_FALSE(opened.head["parts"][0].contains("rest_m"));
  EXPECT_EQ(opened.array<std::uint32_t>(opened.head["parts"][0]["indices"]), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(opened.array<float>(opened.head["parts"][1]["rest_m"]), (std::vector<float>{0.25f, -0.5f, 1.0f}));
  EXPECT_FALSE(opened.head.contains("pointer"));
  EXPECT_EQ(opened.head["patches"], false);
}

TEST(ViewMessages, PlacesAndColoursAreWithinHalfAStep) {
  const ViewScene scene = make_scene(1001);
  const ViewMoment moment = make_moment(scene);
  const Opened opened(frame_message(scene, moment, {}, {12, 2}));
  EXPECT_EQ(opened.type, 2u);
  const json& part = opened.head["parts"][0];
  const auto values = opened.array<std::uint16_t>(part["positions"]);
  ASSERT_EQ(values.size(), 3u * 1001u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double low = part["low_m"][i % 3], step = part["step_m"][i % 3];
    const double sent = low + step * values[i], wanted = moment.parts[0].positions_m[i / 3][static_cast<int>(i % 3)];
    EXPECT_LE(std::abs(sent - wanted), 0.5 * step * (1.0 + 1e-9)) << i;
  }
  // 65,535 steps over the extent of the part, and no more.
  EXPECT_LT(part["step_m"][2].get<double>(), 5.0 / 65535.0);
  EXPECT_EQ(part["colour_name"], "pressure_pa");
  const auto colours = opened.array<std::uint16_t>(part["colour"]);
  for (std::size_t v = 0; v < colours.size(); ++v) {
    const double step = part["colour_step"], sent = part["colour_low"].get<double>() + step * colours[v];
    EXPECT_LE(std::abs(sent - moment.parts[0].pressure_pa[v]), 0.5 * step * (1.0 + 1e-9));
  }
}

TEST(ViewMessages, NumbersArriveToTheLastBit) {
  const ViewScene scene = make_scene(2);
  const ViewMoment moment = make_moment(scene);
  const Opened opened(frame_message(scene, moment, {}, {12, 2}));
  EXPECT_EQ(opened.head["time_s"].get<double>(), moment.time_s);
  const Vec3& force = moment.bodies[0].reading.feedback.contact.force;
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_EQ(opened.head["bodies"][0]["contact"][static_cast<std::size_t>(axis)].get<double>(), force[axis]);
  EXPECT_EQ(opened.head["frame"], 12);
  EXPECT_EQ(opened.head["viewers"], 2);
  EXPECT_EQ(opened.array<float>(opened.head["contacts"]), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(ViewMessages, TellThePatches) {
  const ViewScene scene = make_scene(2);
  ViewMoment moment = make_moment(scene);
  EXPECT_EQ(Opened(frame_message(scene, moment, {}, {})).head["patches"], json::array());
  ViewPatch patch;
  patch.bodies = {3, 1};
  patch.centre_m = Vec3(1.0 / 3.0, 0.0, 0.1);
  patch.axes_m = {Vec3(0.003, 0.0, 0.0), Vec3(0.0, 0.001, 0.0)};
  patch.force_n = Vec3(1.5, -2.0, 10.0);
  patch.load_n = 10.0;
  patch.friction = Vec3(1.5, -2.0, 0.003);
  patch.use = {5.0, 0.01, Vec3(0.3, -0.4, 0.3)};
  patch.slides = true;
  moment.patches = {patch};
  const json sent = Opened(frame_message(scene, moment, {}, {})).head["patches"];
  ASSERT_EQ(sent.size(), 1u);
  EXPECT_EQ(sent[0], json({{"bodies", {3, 1}},
                           {"centre_m", {1.0 / 3.0, 0.0, 0.1}},
                           {"normal", {0.0, 0.0, 1.0}},
                           {"axes_m", {{0.003, 0.0, 0.0}, {0.0, 0.001, 0.0}}},
                           {"force_n", {1.5, -2.0, 10.0}},
                           {"load_n", 10.0},
                           {"friction_n", {1.5, -2.0}},
                           {"moment_n_m", 0.003},
                           {"most_friction_n", 5.0},
                           {"most_moment_n_m", 0.01},
                           {"share", {0.3, -0.4, 0.3}},
                           {"use", patch.use.share.norm()},
                           {"slides", true}}));
  ViewWish wish;
  wish.patches = false;
  EXPECT_EQ(Opened(frame_message(scene, moment, wish, {})).head["patches"], json::array());
}

TEST(ViewMessages, SendOnlyWhatIsWished) {
  const ViewScene scene = make_scene(5);
  const ViewMoment moment = make_moment(scene);
  ViewWish wish;
  wish.roles = role_bit(ViewRole::rod) | role_bit(ViewRole::ground);
  wish.contacts = false;
  const Opened rod_only(frame_message(scene, moment, wish, {}));
  ASSERT_EQ(rod_only.head["parts"].size(), 1u);
  EXPECT_EQ(rod_only.head["parts"][0]["part"], 1);
  EXPECT_EQ(rod_only.head["contacts"]["count"], 0);
  wish.roles = role_bit(ViewRole::surface);
  wish.colour = ViewColour::none;
  EXPECT_FALSE(Opened(frame_message(scene, moment, wish, {})).head["parts"][0].contains("colour"));
  wish.colour = ViewColour::displacement_m;
  EXPECT_EQ(Opened(frame_message(scene, moment, wish, {})).head["parts"][0]["colour_name"], "displacement_m");
}

TEST(ViewMessages, APartOfOnePointHasNoExtent) {
  const ViewScene scene = make_scene(1);
  const Opened opened(frame_message(scene, make_moment(scene), {}, {}));
  const json& part = opened.head["parts"][0];
  EXPECT_EQ(part["step_m"], json({0.0, 0.0, 0.0}));
  EXPECT_EQ(opened.array<std::uint16_t>(part["positions"]), (std::vector<std::uint16_t>{0, 0, 0}));
}

TEST(ViewMessages, TextThatIsNoneDoesNotBreakThem) {
  const Opened opened(note_message("\xff\xfe half a letter \xc3", true));
  EXPECT_EQ(opened.type, 3u);
  EXPECT_EQ(opened.head["error"], true);
}

}  // namespace
}  // namespace distal
