// Whole tasks of a hand: paper 3, Fig. 4, and a grip on something soft and something rigid at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "distal/scenario/scene.hpp"
#include "support/rigid_scenes.hpp"

namespace distal {
namespace {

ModelDescription scene_model(const char* file) {
  return load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / file).model;
}

class Regrasp {
 public:
  explicit Regrasp(const ModelDescription& model) : simulation_(model) {}
  // Steps to a time, and keeps the deepest overlap on the way.
  void run_to(double time_s) {
    while (simulation_.state().time_s < time_s - 1e-9) {
      const StepReport report = simulation_.advance(none_);
      ASSERT_EQ(report.status, StepStatus::good) << report.message;
      steps_ += report.steps;
      for (const HardContact& contact : simulation_.state().hard_contacts)
        deepest_m_ = std::max(deepest_m_, -contact.separation_m);
    }
  }
  std::set<std::string> touching_glass() const {
    std::set<std::string> names;
    for (const HardContact& contact : simulation_.state().hard_contacts) {
      const ContactPair& pair = simulation_.model().pairs[static_cast<std::size_t>(contact.pair)];
      const auto name = [&](int body) { return simulation_.model().rigid[static_cast<std::size_t>(body)].name; };
      if (contact.load_n <= 0.0) continue;
      if (name(pair.sampled) == "glass") names.insert(name(pair.partner));
      if (name(pair.partner) == "glass") names.insert(name(pair.sampled));
    }
    return names;
  }
  Vec3 glass_axis_in_hand() const {
    return test::rigid(simulation_, "hand/palm").q.conjugate() * (glass().q * Vec3::UnitZ());
  }
  double turned_from(const Vec3& axis) const {
    return std::acos(std::clamp(axis.dot(glass_axis_in_hand()), -1.0, 1.0)) * 180.0 / std::numbers::pi;
  }
  Vec3 palm_normal() const { return test::rigid(simulation_, "hand/palm").q * Vec3::UnitX(); }

  const RigidState& glass() const { return test::rigid(simulation_, "glass"); }
  int steps() const { return steps_; }
  double deepest_m() const { return deepest_m_; }

 private:
  Simulation simulation_;
  std::vector<BodyCommand> none_ = std::vector<BodyCommand>(simulation_.body_count());
  double deepest_m_ = 0.0;
  int steps_ = 0;
};

TEST(Regrasping, AGlassIsTurnedBetweenTwoFingersAndGraspedOnThePalm) {
  Regrasp task(scene_model("regrasp_glass.toml"));
  const std::set<std::string> pinch = {"hand/thumb_tip", "hand/index_tip"};
  EXPECT_LT(task.palm_normal().z(), -0.99);
  task.run_to(0.3);
  EXPECT_EQ(task.touching_glass().count("table"), 1u);

  task.run_to(1.1);
  EXPECT_EQ(task.touching_glass(), pinch) << "lifted";
  EXPECT_NEAR(task.glass().centre_of_mass.z() - 0.0535, 0.1, 0.003);
  const Vec3 as_picked = task.glass_axis_in_hand();

  task.run_to(2.0);
  EXPECT_EQ(task.touching_glass(), pinch) << "turned above the palm";
  EXPECT_GT(task.palm_normal().z(), 0.8);
  EXPECT_LT(task.turned_from(as_picked), 3.0) << "held by the moment of friction";

  task.run_to(2.6);
  EXPECT_EQ(task.touching_glass(), (std::set<std::string>{"hand/thumb_tip", "hand/index_tip", "hand/palm"}))
      << "let down";
  EXPECT_GT(task.turned_from(as_picked), 60.0);
  const Vec3 pinched = task.glass().centre_of_mass;

  task.run_to(3.6);
  EXPECT_EQ(task.touching_glass(), (std::set<std::string>{"hand/thumb_tip", "hand/index_tip", "hand/palm",
                                                          "hand/ring_tip", "hand/little_tip"}))
      << "grasped";
  EXPECT_LT((task.glass().centre_of_mass - pinched).norm(), 0.006);
  EXPECT_LT(task.glass().velocity.norm(), 1e-5);
  EXPECT_LT(task.glass().angular_velocity.norm(), 1e-3);
  EXPECT_EQ(task.steps(), 1800);
  EXPECT_LT(task.deepest_m(), 0.2e-3);
}

// Without the moment of friction the glass hangs from the fingers, and swings down when the hand turns.
TEST(Regrasping, HardFingertipsDoNotHoldTheGlassUp) {
  ModelDescription model = scene_model("regrasp_glass.toml");
  model.contact.normal = NormalLaw::stiff;
  Regrasp task(model);
  task.run_to(1.1);
  const Vec3 as_picked = task.glass_axis_in_hand();
  task.run_to(2.0);
  EXPECT_GT(task.turned_from(as_picked), 45.0);
}

// Nothing lifts what is smooth: the fingers close, and the glass stays on the table or slips out; nothing else happens.
TEST(Regrasping, WithoutFrictionTheGlassIsNotLifted) {
  ModelDescription model = scene_model("regrasp_glass.toml");
  model.contact.static_friction = model.contact.dynamic_friction = 0.0;
  Regrasp task(model);
  task.run_to(1.1);
  EXPECT_LT(task.glass().centre_of_mass.z(), 0.06);
  EXPECT_LT(task.deepest_m(), 0.2e-3);
}

// Pads, a soft block and a rigid box in one grip. What the pads bear is the weight of both.
TEST(MixedGrasp, OneHandLiftsSomethingSoftAndSomethingRigid) {
  Simulation simulation(scene_model("mixed_grasp.toml"));
  test::run(simulation, 1.6);
  EXPECT_NEAR(test::rigid(simulation, "box").centre_of_mass.z(), 0.06, 0.001);
  const std::vector<BodyReading> readings = simulation.measure();
  const auto bears = [&](const char* name) { return readings[simulation.body_index(name)].feedback.contact; };
  const Model& model = simulation.model();
  double rubber_kg = 0.0;
  for (const double mass : model.mass_kg) rubber_kg += mass;
  const Wrench left = bears("hand/left_pad"), right = bears("hand/right_pad");
  // Along the hand's axes: it points down.
  EXPECT_NEAR(left.force.z() + right.force.z(), (0.05 + rubber_kg) * test::kGravity, 5e-3);
  EXPECT_NEAR(left.force.y() + right.force.y(), 0.0, 1e-3);
  EXPECT_NEAR(bears("box").force.z(), 0.05 * test::kGravity, 5e-3);
}

}  // namespace
}  // namespace distal
