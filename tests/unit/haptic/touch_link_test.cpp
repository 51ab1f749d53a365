// The halves of a touch in loops of their own, called in turn: the same as in lock-step but for what lies between them.
#include <gtest/gtest.h>

#include "distal/haptic/skin_touch.hpp"
#include "distal/simulation/simulation.hpp"
#include "support/tet_scenes.hpp"

namespace distal {
namespace {

constexpr double kTouchPeriod_s = 1e-3;

ModelDescription cube_to_touch() {
  MaterialDescription material;
  material.youngs_modulus_pa = 20000.0;
  material.poissons_ratio = 0.4;
  material.damping_ratio = 0.3;
  ModelDescription scene = test::held_tet_cuboid(Vec3(0.03, 0.02, 0.02), 0.005, material);
  scene.integrator.kind = IntegratorKind::semi_implicit_euler;
  return scene;
}

DeviceDescription hand_on_cube() {
  DeviceDescription device;
  device.touches = "block";
  device.path.points_m = {Vec3(-0.004, 0.001, 0.0103), Vec3(-0.004, 0.001, 0.0095), Vec3(0.0, 0.001, 0.0095)};
  device.path.times_s = {0.0, 0.3, 0.8};
  return device;
}

// A hand on a cube whose loops take turns within each period.
class TurnsOfLoops {
 public:
  explicit TurnsOfLoops(bool linked)
      : simulation_(cube_to_touch()),
        hand_("hand", hand_on_cube(), simulation_.model(), kTouchPeriod_s),
        linked_(linked) {
    if (!linked) return;
    hand_.port().set_link(&force_link_);
    hand_.set_link(&touch_link_);
  }

  // `finds`: the touch loop has its turn.
  TouchCommand advance(bool finds = true) {
    const double time_s = simulation_.state().time_s;
    const TouchCommand command =
        hand_.update(simulation_.state(), simulation_.workspace().travelled_m, last_, kTouchPeriod_s);
    EXPECT_EQ(simulation_.advance({}, {}, {&command, 1}).status, StepStatus::good);
    last_ = simulation_.measure_touches()[0];
    if (!linked_) return command;
    force_link_.to_hand.take();
    force_link_.to_simulation.back() = hand_.port().side().advance(time_s, kTouchPeriod_s, force_link_.to_hand.front());
    force_link_.to_simulation.publish();
    if (finds) hand_.serve_link();
    return command;
  }

  std::vector<Vec3> forces(int periods) {
    std::vector<Vec3> all;
    for (int n = 0; n < periods; ++n) {
      advance();
      all.push_back(hand_.port().side().memory().shown.force);
    }
    return all;
  }

  SkinTouch& hand() { return hand_; }

 private:
  Simulation simulation_;
  SkinTouch hand_;
  bool linked_;
  ForceLink force_link_;
  TouchLink touch_link_;
  TouchFeedback last_;
};

// States are a period old when they arrive; the hand at 8 mm/s goes 8 um in it, of the 500 that it is inside.
TEST(TouchLink, FeelsWhatLockStepFeels) {
  const std::vector<Vec3> expected = TurnsOfLoops(false).forces(800), got = TurnsOfLoops(true).forces(800);
  double most = 0.0, off = 0.0, jump = 0.0;
  for (std::size_t n = 1; n < expected.size(); ++n) {
    most = std::max(most, expected[n].norm());
    off = std::max(off, (got[n] - expected[n]).norm());
    jump = std::max(jump, (got[n] - got[n - 1]).norm());
  }
  EXPECT_GT(most, 0.01);
  EXPECT_LT(off, 0.05 * most);
  EXPECT_LT(jump, 0.05 * most);
}

class PluggedDevice : public Device {
 public:
  explicit PluggedDevice(const bool& connected) : connected_(connected) {}
  HandSample read(double) override {
    HandSample sample;
    sample.connected = connected_;
    sample.pose.position = Vec3(-0.004, 0.001, connected_ && came_ ? 0.0098 : 0.0103);
    came_ = came_ || connected_;
    return sample;
  }
  void write(const Wrench&) override {}

 private:
  const bool& connected_;
  bool came_ = false;
};

// The touch loop is late: what it found for a hand that left is not what a hand that came back touches.
TEST(TouchLink, AHandThatCameBackDoesNotTouchWhatItTouchedBefore) {
  TurnsOfLoops loops(true);
  bool connected = true;
  loops.hand().port().plug_in(std::make_unique<PluggedDevice>(connected));
  for (int n = 0; n < 20; ++n) loops.advance();
  ASSERT_TRUE(loops.hand().touching());
  connected = false;
  for (int n = 0; n < 3; ++n) loops.advance(false);
  EXPECT_FALSE(loops.hand().touching());
  connected = true;
  for (int n = 0; n < 20; ++n) EXPECT_LT(loops.advance(n > 10).soft, 0) << n;
}

}  // namespace
}  // namespace distal
