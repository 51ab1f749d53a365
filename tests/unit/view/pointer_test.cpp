#include "distal/view/pointer.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "distal/view/hand.hpp"
#include "unit/view/touch_scene.hpp"

namespace distal {
namespace {

struct PushedFinger {
  PushedFinger() {
    scene.model = test::touchable_finger(Mount::driven, 0.0101);
    scene = with_pointer(scene, name);
    simulation.emplace(scene.model);
    index = simulation->body_index(name);
    pointer.emplace(simulation->model(), simulation->rigid_index(index), simulation->state());
  }
  Vec3 place() const { return simulation->state().rigid[simulation->rigid_index(index)].centre_of_mass; }
  double force_n() const { return simulation->measure()[index].feedback.contact.force.norm(); }
  double force_on_finger_n() const { return simulation->measure()[0].feedback.contact.force.norm(); }
  void advance(int periods) {
    std::vector<BodyCommand> commands(simulation->body_count());
    for (int k = 0; k < periods; ++k) {
      commands[index] = pointer->update(simulation->measure()[index].feedback, simulation->model().control_period_s);
      const StepReport report = simulation->advance(commands);
      ASSERT_EQ(report.status, StepStatus::good) << report.message;
    }
  }

  Scene scene;
  std::string name;
  std::optional<Simulation> simulation;
  std::size_t index = 0;
  std::optional<Pointer> pointer;
};

TEST(Pointer, IsPartOfTheSceneThatIsRecorded) {
  const Scene scene = load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / "press.toml");
  std::string name;
  const Scene with = with_pointer(scene, name);
  EXPECT_EQ(name, "pointer");
  const Scene again = parse_scene(with.resolved_toml, "scene.toml");
  EXPECT_EQ(again.resolved_toml, with.resolved_toml);
  EXPECT_EQ(again.model.bodies.back().first, "pointer");
  std::string second;
  with_pointer(with, second);
  EXPECT_EQ(second, "pointer_");
}

TEST(Pointer, IsParkedWhereItTouchesNothing) {
  PushedFinger finger;
  const Vec3 parked = finger.place();
  EXPECT_TRUE(finger.pointer->parked());
  finger.advance(20);
  EXPECT_EQ(finger.place(), parked);
  EXPECT_EQ(finger.force_n(), 0.0);
  EXPECT_GT(parked.z(), 0.1);
}

TEST(Pointer, PushesTheTipAndFeelsItPushBack) {
  PushedFinger finger;
  const Vec3 parked = finger.place();
  double before = finger.force_on_finger_n();
  // Into the flank of the tip, half a centimetre deep: more than it may.
  finger.pointer->push(Vec3(0.008, 0.0, 0.012), finger.simulation->state());
  EXPECT_FALSE(finger.pointer->parked());
  double before_touch_s = 0.0;
  while (finger.force_n() == 0.0 && before_touch_s < 1.0) {
    EXPECT_EQ(finger.force_on_finger_n(), before) << "nothing is touched on the way";
    finger.advance(1);
    before_touch_s += 0.001;
    if (finger.force_n() == 0.0) before = finger.force_on_finger_n();
  }
  EXPECT_LT(before_touch_s, 0.5);
  finger.advance(100);
  const double pushed = finger.force_n();
  EXPECT_GT(pushed, 0.01);
  EXPECT_LT(pushed, 0.5);
  // It follows no faster than a hand.
  const Vec3 there = finger.place();
  finger.pointer->push(there + Vec3(0.02, 0.0, 0.0), finger.simulation->state());
  finger.advance(10);
  EXPECT_NEAR((finger.place() - there).norm(), 10 * 0.001 * kFastestHand_m_s, 1e-9);
  finger.pointer->leave(finger.simulation->state());
  finger.advance(800);
  EXPECT_TRUE(finger.pointer->parked());
  EXPECT_LT((finger.place() - parked).norm(), 1e-9);
  EXPECT_EQ(finger.force_n(), 0.0);
}

TEST(Pointer, DoesNotGoIntoTheTable) {
  PushedFinger finger;
  finger.pointer->push(Vec3(0.03, 0.0, -0.05), finger.simulation->state());
  finger.advance(600);
  EXPECT_GT(finger.place().z(), 0.0);
  EXPECT_LT(finger.force_n(), 1.0);
}

}  // namespace
}  // namespace distal
