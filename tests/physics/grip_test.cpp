// Two fingers lift an object: with little more than the least force it hangs still, with little less it slips.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "distal/core/error.hpp"
#include "distal/run/grip.hpp"

namespace distal {
namespace {

Scene grip_scene(const std::string& name, double duration_s) {
  const std::vector<std::string> overrides = {fmt::format("run.duration_s={}", duration_s), "record.frames_per_s=0",
                                              "run.threads=1"};
  return load_scene(std::string(DISTAL_SCENARIO_DIR) + "/" + name + ".toml", overrides);
}

GripOptions two_fingers() {
  GripOptions options;
  options.controllers = {"left", "right"};
  return options;
}

// The search looks at a short hold; `hold_s` is how long the found force is then asked to hold.
void expect_least_force(const std::string& name, double hold_s) {
  const Scene brief = grip_scene(name, 1.4);
  GripOptions options = two_fingers();
  const SqueezeDescription& squeeze = brief.squeezes.front().second;
  const GripResult found = find_grip(brief, options);
  ASSERT_TRUE(found.problem.empty()) << found.problem;
  // Friction cannot do better than Coulomb's bound with the static friction, 0.9; a skin whose samples give way one
  // after the other over the slip distance does no worse than with the dynamic one, 0.7.
  EXPECT_GT(found.minimum_n, 0.99 * found.theory_n);
  EXPECT_LT(found.minimum_n, 0.9 / 0.7 * found.theory_n);

  const Scene scene = grip_scene(name, squeeze.lift_start_s + squeeze.lift_time_s + hold_s);
  const GripTrial more = try_grip(scene, options, 1.05 * found.minimum_n);
  EXPECT_TRUE(more.holds) << more.problem;
  EXPECT_LT(std::abs(more.drift_m), 10e-6);
  const GripTrial less = try_grip(scene, options, 0.95 * found.minimum_n);
  EXPECT_FALSE(less.holds) << less.drift_m;
  testing::Test::RecordProperty("minimum_n", fmt::format("{} of bound {}", found.minimum_n, found.theory_n));
  testing::Test::RecordProperty("drift_m", fmt::format("{}", more.drift_m));
}

TEST(Grip, LeastForceLiftsARigidBoxBetweenFingertips) { expect_least_force("pinch_rigid", 2.0); }
TEST(Grip, LeastForceLiftsASoftCuboidBetweenPlates) { expect_least_force("lift", 2.0); }
TEST(LongGrip, LeastForceHoldsARigidBoxForAMinute) { expect_least_force("pinch_rigid", 60.0); }
TEST(LongGrip, LeastForceHoldsASoftCuboidForAMinute) { expect_least_force("lift", 60.0); }

void expect_refused(const Scene& scene, const GripOptions& options, const std::string& words) {
  try {
    find_grip(scene, options);
    FAIL() << "accepted; expected: " << words;
  } catch (const InputError& problem) {
    EXPECT_NE(std::string(problem.what()).find(words), std::string::npos) << problem.what();
  }
}

TEST(Grip, RefusesWhatCannotBeSearched) {
  const Scene scene = grip_scene("lift", 2.0);
  GripOptions options = two_fingers();
  options.controllers = {"left", "rigth"};
  expect_refused(scene, options, "no controller \"rigth\"");
  options.controllers = {"left"};
  expect_refused(scene, options, "none pushes");
  options = two_fingers();
  options.object = "table";
  expect_refused(scene, options, "no free body \"table\"");
  options = two_fingers();
  options.low_n = 1.0, options.high_n = 0.5;
  expect_refused(scene, options, "high above low");
  expect_refused(grip_scene("lift", 1.0), two_fingers(), "run.duration_s");
}

TEST(Grip, SaysThatEvenTheHighestForceSlips) {
  GripOptions options = two_fingers();
  options.high_n = 0.05;
  const GripResult result = find_grip(grip_scene("lift", 1.4), options);
  EXPECT_NE(result.problem.find("not held even with 0.05 N"), std::string::npos) << result.problem;
  EXPECT_EQ(result.trials.size(), 1u);
}

}  // namespace
}  // namespace distal
