// One field table serves reading, the resolved scene, the explanation and the schema: they cannot disagree.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "distal/scenario/field_printer.hpp"
#include "distal/scenario/fields.hpp"
#include "unit/scenario/scene_text_support.hpp"

namespace distal {
namespace {

using test::kGoodScene;
using test::load_good;
using ::testing::AnyOf;
using ::testing::HasSubstr;

const std::string kFullScene = kGoodScene + R"(
[pair.one]
bodies = ["finger", "table"]
static_friction = inf
[part.second_tip]
body = "pusher"
shape = "capsule"
radius_m = 0.004
size_m = [0.01, 0.02, 0.03]
length_m = 0.006
mass_kg = 0.02
position_m = [0.02, 0.0, 0.0]
q_xyzw = [0.0, 1.0, 0.0, 0.0]
[joint.turn]
type = "revolute"
child = "ball"
axis = [0.0, 1.0, 0.0]
times_s = [0.0, 1.0]
targets_rad = [0.0, 0.5]
[joint.slide]
type = "prismatic"
parent = "ball"
child = "pusher"
lower_m = -0.1
[joint.stay]
type = "fixed"
child = "ball"
[fix.back]
body = "block"
max_m = [0.0, inf, 1.0]
[load.front]
body = "block"
min_m = [0.009, -1.0, -1.0]
force_n = [0.1, 0.0, 1e-7]
[motion]
body = "ball"
direction = [0.3, 0.1, -1.0]
depths_m = [0.001, 0.0025]
twist_rad = [0.1]
[integrator]
time_step_s = 1e-5
[sensor.skin]
type = "taxels"
body = "finger"
[channel.where]
type = "pose"
body = "finger"
bias_m = [1e-5, 0.0, 0.0]
[channel.how_fast]
type = "twist"
body = "finger"
[channel.touch]
type = "contact"
body = "finger"
[channel.ligaments]
type = "tip"
body = "finger"
[channel.wrist]
type = "sensor"
body = "finger"
latency_s = 0.002
[channel.motor]
type = "command"
body = "finger"
max_force_n = 2.0
[body.jelly]
type = "tet"
material = "rubber"
stretch_limit = inf
[body.noodle]
type = "strand"
material = "rubber"
[field.heat]
body = "noodle"
[field_value.left]
field = "heat"
max_m = [0.0, 1.0, 1.0]
value = 350.0
[body.script_tool]
type = "rigid"
[device.script]
type = "scripted"
points_m = [[0.0, 0.0, 0.01]]
body = "script_tool"
[body.line_tool]
type = "rigid"
[device.line]
type = "network"
body = "line_tool"
[body.pointer_tool]
type = "rigid"
[device.pointer]
type = "mouse"
body = "pointer_tool"
[body.elbow_tool]
type = "rigid"
[device.elbow]
type = "arm"
body = "elbow_tool"
[body.recorded_tool]
type = "rigid"
[device.recorded]
type = "replay"
body = "recorded_tool"
file = ")" DISTAL_SCENARIO_DIR R"(/indent_cuboid_no_slip.csv"
[part.lid]
body = "jaw"
shape = "cylinder"
density_kg_m3 = 900.0
[body.pusher]
type = "rigid"
mount = "fixed"
density_kg_m3 = 1200.0
[body.jaw]
type = "rigid"
[body.hand]
type = "hand"
length_m = 0.18
most_torque_n_m = 0.5
[joint_path.bend]
joint = "hand/index_1"
times_s = [0.0, 0.5]
targets_rad = [0.1, 1.0]
[pair.finger_pad]
bodies = ["hand/index_tip", "jaw"]
[joint.lid]
type = "revolute"
parent = "hand/palm"
child = "lid"
[joint.drawer]
type = "prismatic"
child = "drawer"
[joint.handle]
type = "fixed"
parent = "drawer"
child = "handle"
[body.lid]
type = "rigid"
[body.drawer]
type = "rigid"
[body.handle]
type = "rigid"
[controller.grip]
type = "squeeze"
body = "jaw"
[sensor.marks]
type = "points"
body = "block"
points_m = [[0.0, 0.0, 0.005]]
[sensor.cut]
type = "contour"
body = "block"
[sensor.modulus]
type = "compression"
body = "block"
)";

class KeyList final : public FieldPrinter {
 public:
  std::set<std::string> keys;

 private:
  void print(const Field& field, const std::string&, const std::string&) override { keys.emplace(field.key); }
};

std::set<std::string> keys_of(const SectionKind& kind) {
  KeyList list;
  kind.visit_defaults(list);
  return list.keys;
}

TEST(SceneKeys, the_resolved_scene_loads_to_itself) {
  const std::vector<std::string> overrides = {"body.finger.q_xyzw=[0.1, 0.2, 0.3, 0.9273618]",
                                              "scene.title='a \"b\" \\ c'"};
  const Scene scene = parse_scene(kFullScene, "full.toml", overrides);
  const Scene again = parse_scene(scene.resolved_toml, "resolved.toml");
  EXPECT_EQ(again.resolved_toml, scene.resolved_toml);
  EXPECT_EQ(again.model.title, "a \"b\" \\ c");
  EXPECT_EQ(again.model.bodies.at(3).first, "ball");
  EXPECT_EQ(again.motion->direction, scene.motion->direction);
  EXPECT_TRUE(std::isinf(again.model.pairs.at(0).second.contact.dynamic_friction));
}

TEST(SceneKeys, the_resolved_scene_writes_every_key_out) {
  const std::string text = parse_scene(kFullScene, "full.toml").resolved_toml;
  EXPECT_THAT(text, HasSubstr("\ndensity_kg_m3 = 500.0\n"));
  for (const Section& section : scene_sections()) {
    for (const SectionKind& kind : section.kinds) {
      for (const std::string& key : keys_of(kind)) {
        EXPECT_THAT(text, AnyOf(HasSubstr("\n" + key + " = "), HasSubstr("\n# " + key + ": not given, ")));
      }
      if (kind.type.empty()) continue;
      EXPECT_THAT(text, HasSubstr(fmt::format("\ntype = \"{}\"\n", kind.type)));
    }
  }
}

TEST(SceneKeys, explain_has_every_key_with_default_unit_and_range) {
  const std::string text = explain_scene_keys();
  for (const Section& section : scene_sections()) {
    EXPECT_THAT(text, HasSubstr(fmt::format("\n[{}{}]", section.name, section.named ? ".NAME" : "")));
    for (const SectionKind& kind : section.kinds) {
      for (const std::string& key : keys_of(kind)) EXPECT_THAT(text, HasSubstr("\n  " + key + " "));
    }
  }
  EXPECT_THAT(text, ::testing::ContainsRegex("tip_radius_m +0.01 +m +\\[1e-09, 1e.06\\] +radius of the soft tip"));
  EXPECT_THAT(text, HasSubstr(fmt::format("({} without relaxation_time_s)", kDefaultDampingRatio)));
}

TEST(SceneKeys, the_schema_has_every_key_and_no_other) {
  const nlohmann::json schema = scene_schema();
  EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema.at("properties").size(), scene_sections().size());
  for (const Section& section : scene_sections()) {
    nlohmann::json table = schema.at("properties").at(std::string(section.name));
    if (section.named) table = table.at("additionalProperties");
    for (std::size_t i = 0; i < section.kinds.size(); ++i) {
      const nlohmann::json& one = section.kinds.size() > 1 ? table.at("oneOf").at(i) : table;
      std::set<std::string> keys = keys_of(section.kinds[i]);
      if (!section.kinds[i].type.empty()) keys.insert("type");
      std::set<std::string> in_schema;
      for (const auto& [key, value] : one.at("properties").items()) in_schema.insert(key);
      EXPECT_EQ(in_schema, keys) << section.name;
      EXPECT_EQ(one.at("additionalProperties"), false);
    }
  }
}

TEST(SceneKeys, the_schema_carries_ranges_and_choices) {
  const nlohmann::json tables = scene_schema().at("properties");
  const nlohmann::json& material = tables.at("material").at("additionalProperties").at("properties");
  EXPECT_EQ(material.at("density_kg_m3").at("exclusiveMinimum"), 0.0);
  EXPECT_EQ(material.at("density_kg_m3").at("maximum"), 25000.0);
  EXPECT_EQ(material.at("damping_ratio").at("anyOf").at(1).at("const"), "critical");
  EXPECT_FALSE(tables.at("contact").at("properties").at("static_friction").contains("maximum"));
  const nlohmann::json& rigid = tables.at("body").at("additionalProperties").at("oneOf").at(3).at("properties");
  EXPECT_EQ(rigid.at("mount").at("enum"), nlohmann::json({"free", "driven", "fixed", "guided"}));
}

TEST(SceneKeys, the_starter_scene_is_good_and_short) {
  const std::string text = starter_scene();
  EXPECT_NO_THROW(parse_scene(text, "starter.toml"));
  int lines = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) lines += text[at] != '\n';
  EXPECT_LE(lines, 18);
}

TEST(SceneKeys, scenes_of_a_folder_are_listed_by_name_with_title) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "distal_scene_keys_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "b.toml") << "[scene]\ntitle = \"second\"\n";
  std::ofstream(folder / "a.toml") << kGoodScene;
  std::ofstream(folder / "c.toml") << "[scene\n";
  std::ofstream(folder / "readme.md") << "no scene";
  const std::vector<SceneListing> scenes = list_scenes(folder);
  ASSERT_EQ(scenes.size(), 3u);
  EXPECT_EQ(scenes[0].file, folder / "a.toml");
  EXPECT_EQ(scenes[0].title, "press");
  EXPECT_EQ(scenes[1].title, "second");
  EXPECT_THAT(scenes[2].problem, HasSubstr("not valid TOML"));
  std::filesystem::remove_all(folder);
  EXPECT_THROW(list_scenes(folder), InputError);
}

}  // namespace
}  // namespace distal
