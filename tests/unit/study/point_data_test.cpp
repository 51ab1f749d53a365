#include "distal/study/point_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distal/core/error.hpp"

namespace distal {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr const char* kBlock = R"([material.rubber]
youngs_modulus_pa = 30000.0
poissons_ratio = 0.49
[body.block]
type = "tet"
material = "rubber"
shape = "cuboid"
size_m = [0.04, 0.04, 0.02]
edge_m = 0.01
[body.finger]
type = "rigid"
shape = "sphere"
radius_m = 0.01
mass_kg = 0.01
position_m = [0.0, 0.0, 0.02]
[motion]
body = "finger"
forces_n = [1.0, 3.0]
)";
constexpr const char* kSide = R"([sensor.side]
type = "points"
body = "block"
points_m = [[0.02, 0.0, 0.0], [0.02, 0.0, 0.01]]
)";
constexpr const char* kOther = R"([sensor.top]
type = "points"
body = "block"
points_m = [[0.0, 0.015, 0.01]]
)";

std::vector<Observation> observed(const std::string& sensors, const std::string& text,
                                  MeasurementOptions options = {}) {
  const Scene scene = parse_scene(kBlock + sensors, "scene.toml");
  const LabTable table(text, "data.csv");
  return make_measurement(scene, LabData(table, {}), options)->observations();
}

TEST(PointData, states_are_told_apart_by_force_and_share_one_depth) {
  const auto all = observed(kSide, "point,force_n,depth_m,ux_mm\n0,1,0.002,0.5\n1,1,0.002,-2\n0,3,0.004,1\n");
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0].name, "depth_m");
  EXPECT_EQ(all[1].abscissa, 3.0);
  EXPECT_EQ(all[3].name, "ux_m");
  EXPECT_EQ(all[3].point, 1);
  EXPECT_DOUBLE_EQ(all[3].value, -0.002);
  for (std::size_t i = 2; i < 5; ++i) EXPECT_DOUBLE_EQ(all[i].scale, 0.002);
  // Two depths and three displacements count alike, five in all.
  for (std::size_t i = 0; i < 5; ++i) EXPECT_DOUBLE_EQ(all[i].weight, i < 2 ? 5.0 / 4.0 : 5.0 / 6.0);
}

TEST(PointData, places_become_displacements_and_the_last_state_is_meant_where_none_is_named) {
  const auto all = observed(kSide, "point,x (mm),z (mm)\n1,21,8\n0,20,1\n");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].abscissa, 3.0);
  EXPECT_NEAR(all[0].value, 0.001, 1e-15);
  EXPECT_EQ(all[1].name, "uz_m");
  EXPECT_NEAR(all[1].value, -0.002, 1e-15);
}

TEST(PointData, a_sensor_with_one_point_needs_no_number) {
  MeasurementOptions top;
  top.sensor = "top";
  const auto all = observed(std::string(kSide) + kOther, "force (N),uz (mm)\n1,-1\n3,-2\n", top);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[1].point, 0);
}

TEST(PointData, a_range_leaves_states_out) {
  MeasurementOptions part;
  part.low = 2.0;
  const auto all = observed(kSide, "point,force_n,ux_mm\n0,1,-5\n1,3,2\n", part);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].point, 1);
  EXPECT_DOUBLE_EQ(all[0].scale, 0.002);
}

TEST(PointData, bad_input_is_refused) {
  const auto refuses = [](const std::string& sensors, const std::string& text, const std::string& words,
                          MeasurementOptions options = {}) {
    EXPECT_THAT([&] { observed(sensors, text, options); }, ThrowsMessage<InputError>(HasSubstr(words))) << words;
  };
  refuses(kSide, "point,force_n,ux_m\n0,1,0\n2,1,0\n",
          "data.csv:3: point 2, allowed: 0 to 1, as in points_m of sensor.side; nearest: 1");
  refuses(kSide, "point,force_n,ux_m\n0.5,1,0\n", "data.csv:2: point 0.5");
  refuses(kSide, "point,force_n,ux_m\n0,1,\n", "data.csv:2: column \"ux_m\" is empty");
  refuses(kSide, "force_n,ux_m\n1,0\n", "no column that says of which");
  refuses(kSide, "point,force_n\n1,0\n", "points without places");
  refuses(kSide, "point,force_n,x_m,ux_m\n1,0,0,0\n", "places (x, y, z) and displacements (ux, uy, uz)");
  refuses(kSide, "point,depth_m,ux_m\n1,0.001,0.1\n", "the scene goes to given forces (motion.forces_n)");
  refuses(kSide, "point,force_n,ux_m\n1,-1,0.1\n", "no measured force is above 0");
  refuses("", "point,force_n,ux_m\n1,1,0.1\n", "the scene no [sensor.NAME] with type = \"points\"");
  refuses(std::string(kSide) + kOther, "point,force_n,ux_m\n1,1,0.1\n", "Choose with --sensor NAME: side, top");
  MeasurementOptions wrong;
  wrong.sensor = "sid";
  refuses(kSide, "point,force_n,ux_m\n1,1,0.1\n", "did you mean \"side\"?", wrong);
}

}  // namespace
}  // namespace distal
