#include "distal/record/measured_points.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "distal/core/error.hpp"

namespace distal {
namespace {

using testing::HasSubstr;

class MeasuredFile : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    // One file for each test: they run beside each other.
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    const std::filesystem::path file = testing::TempDir() + "distal_measured_points_" + test->name() + ".csv";
    std::ofstream(file) << text;
    return file;
  }
  std::string refusal(const std::string& text) {
    try {
      load_measured_points(write(text), 2);
      return "";
    } catch (const InputError& error) { return error.what(); }
  }
};

TEST_F(MeasuredFile, IsReadByForceOrByState) {
  const MeasuredPoints by_force = load_measured_points(
      write("# a comment\npoint, force_n, ux_m, uz_m\n0,5.0,0.001,0\n1,5.0,0.002,-0.003\n1,9.0,0,0\n"), 2);
  EXPECT_TRUE(by_force.by_force);
  EXPECT_TRUE(by_force.are_displacements);
  const auto rows = by_force.of_state(7, 5.05);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].point, 1u);
  EXPECT_EQ(rows[1].value_m.z(), -0.003);
  EXPECT_TRUE(std::isnan(rows[1].value_m.y()));
  EXPECT_TRUE(by_force.of_state(1, 5.2).empty());

  const MeasuredPoints with_depth = load_measured_points(write("point,force_n,depth_m,uz_m\n1,5.0,0.5,0.25\n"), 2);
  EXPECT_EQ(with_depth.rows.at(0).value_m.z(), 0.25);

  const MeasuredPoints by_state = load_measured_points(write("state,point,x_m,y_m,z_m\n2,0,1,2,3\n"), 2);
  EXPECT_FALSE(by_state.are_displacements);
  EXPECT_EQ(by_state.of_state(2, 0.0).size(), 1u);
  EXPECT_TRUE(by_state.of_state(1, 2.0).empty());
}

TEST_F(MeasuredFile, IsRefusedWithItsLine) {
  EXPECT_THAT(refusal("point,force,x_m\n"), HasSubstr(":1: unknown column \"force\""));
  EXPECT_THAT(refusal("force_n,x_m\n"), HasSubstr("no column point"));
  EXPECT_THAT(refusal("point,x_m\n"), HasSubstr("one of the columns state and force_n"));
  EXPECT_THAT(refusal("point,state,x_m,ux_m\n"), HasSubstr("must be places"));
  EXPECT_THAT(refusal("point,state,x_m\n0,1\n"), HasSubstr(":2: has 2 values, the heading has 3"));
  EXPECT_THAT(refusal("point,state,x_m\n2,1,0\n"), HasSubstr("point 2, allowed: 0 to 1"));
  EXPECT_THAT(refusal("point,state,x_m\n0,1,nan\n"), HasSubstr("found \"nan\", expected a finite number"));
  EXPECT_THAT(refusal("point,state,x_m\n"), HasSubstr("holds no measured point"));
}

TEST_F(MeasuredFile, ErrorsFollowEquations45And46) {
  // Turned by a quarter about z: the body's x is the world's y.
  const Pose pose{Vec3(1.0, 0.0, 0.0), rotation_from_vector(Vec3(0.0, 0.0, 0.5 * 3.14159265358979323846))};
  const std::vector<Vec3> rest = {Vec3::Zero(), Vec3(0.0, 0.0, 0.1)};
  PointsAtState state;
  // Simulated displacements in the body's frame: 3 mm and 5 mm along x; a y that was not measured does not count.
  for (std::size_t i = 0; i < 2; ++i)
    state.positions_m.push_back(pose.to_world(rest[i] + Vec3(i == 0 ? 0.003 : 0.005, 0.7, 0.0)));
  const MeasuredPoints measured = load_measured_points(write("point,state,ux_m,uz_m\n0,1,0.004,0\n1,1,0.008,0\n"), 2);
  compare_points(measured.of_state(1, 0.0), true, rest, pose, 0.1, state);
  ASSERT_TRUE(state.error);
  const double rmse = std::sqrt((1e-6 + 9e-6) / 2.0);
  EXPECT_NEAR(state.error->rmse_m, rmse, 1e-12);
  EXPECT_NEAR(state.error->over_length, rmse / 0.1, 1e-12);
  EXPECT_NEAR(state.error->over_displacement, rmse / std::sqrt((16e-6 + 64e-6) / 2.0), 1e-9);
  EXPECT_NEAR((state.measured_m[1] - Vec3(1.0, 0.008, 0.1)).norm(), 0.0, 1e-12);
}

}  // namespace
}  // namespace distal
