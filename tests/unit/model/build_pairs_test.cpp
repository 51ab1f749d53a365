// Laws of soft fingers choose the integrator only where rigid bodies can touch by them.
#include "distal/model/build_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scenes.hpp"

namespace distal::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ModelDescription hertz_press() {
  ModelDescription scene = finger_over_table(reference_finger(0.0025), 0.43);
  scene.contact.normal = NormalLaw::hertz;
  return scene;
}

TEST(UnusedPatches, LeaveTheIntegratorAlone) {
  ModelDescription scene = hertz_press();
  EXPECT_THAT(find_unused_patches(scene), ElementsAre("contact.normal"));
  EXPECT_EQ(build_model(scene).integrator.kind, IntegratorKind::automatic);
  scene.integrator.kind = IntegratorKind::semi_implicit_euler;
  EXPECT_EQ(build_model(scene).integrator.kind, IntegratorKind::semi_implicit_euler);
  // A second thing that does not move makes no pair.
  RigidDescription ball;
  ball.mount = Mount::driven;
  scene.bodies.push_back({"ball", ball});
  EXPECT_THAT(find_unused_patches(scene), ElementsAre("contact.normal"));
}

TEST(UnusedPatches, ABallThatMovesUsesThem) {
  ModelDescription scene = hertz_press();
  scene.bodies.push_back({"ball", RigidDescription{}});
  EXPECT_THAT(find_unused_patches(scene), IsEmpty());
  EXPECT_EQ(build_model(scene).integrator.kind, IntegratorKind::complementarity);
  // The one pair has a law of its own.
  PairDescription pair;
  pair.body_a = "table", pair.body_b = "ball";
  scene.pairs = {{"rests", pair}};
  EXPECT_THAT(find_unused_patches(scene), ElementsAre("contact.normal"));
  EXPECT_EQ(build_model(scene).integrator.kind, IntegratorKind::automatic);
  scene.contact.normal = NormalLaw::stiff;
  scene.pairs[0].second.contact.normal = NormalLaw::winkler;
  EXPECT_THAT(find_unused_patches(scene), IsEmpty());
  scene.pairs[0].second.body_b = "finger";
  EXPECT_THAT(find_unused_patches(scene), ElementsAre("pair.rests.normal"));
}

}  // namespace
}  // namespace distal::test
