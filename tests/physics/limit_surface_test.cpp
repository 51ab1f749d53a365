// What friction bears on the deformable fingertip, beside the ellipsoid that rigid soft fingers have (paper 3).
#include <gtest/gtest.h>

#include <algorithm>

#include "distal/run/run_scene.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/sensor/limit_surface.hpp"

namespace distal {
namespace {

LimitSurface measure(std::vector<std::string> overrides) {
  const Scene scene = load_scene(std::string(DISTAL_SCENARIO_DIR) + "/limit_surface.toml", overrides);
  const RunResult result = run_scene(scene, RunOptions{});
  EXPECT_EQ(result.status, RunStatus::done) << result.message;
  const auto straight = std::find_if(result.curve.begin(), result.curve.end(),
                                     [](const CurveRow& row) { return row.phase == "slide" && row.twist_rad == 0.0; });
  const LimitSurface surface = find_limit_surface(result.curve);
  if (straight == result.curve.end())
    ADD_FAILURE() << "no straight slide";
  else
    EXPECT_NEAR(surface.most_force_n / (0.3 * straight->force_n), 1.0, 0.002);
  return surface;
}

TEST(LimitSurface, OfTheFingertipIsThatOfHertzAndALittleFlatter) {
  const LimitSurface surface = measure(
      {"body.finger.cell_size_m=0.0015", "motion.slide_m=[0.012,0.0085,0.0]", "motion.slide_twist_rad=[0.0,3.39,4.8]"});
  ASSERT_EQ(surface.points.size(), 3u);
  EXPECT_NEAR(surface.measured_m() / surface.hertz_m(), 1.0, 0.05);
  const double own = surface.deviation(surface.measured_m());
  EXPECT_LT(own, -0.03);
  EXPECT_GT(own, -0.08);
  EXPECT_GT(surface.deviation(surface.winkler_m()), 0.05);
}

}  // namespace
}  // namespace distal
