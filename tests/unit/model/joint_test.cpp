#include "distal/model/joint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "distal/core/error.hpp"
#include "support/rigid_scenes.hpp"

namespace distal {
namespace {

using testing::HasSubstr;

// Two links on a base, and what is said when something about their joints is changed.
std::string refusal(const std::function<void(ModelDescription&)>& change) {
  ModelDescription scene = test::rigid_scene();
  for (const char* name : {"base", "upper", "lower"})
    scene.bodies.emplace_back(
        name, test::box(Vec3::Constant(0.02), Vec3(0.1 * static_cast<double>(scene.bodies.size()), 0.0, 0.0), 0.1));
  std::get<RigidDescription>(scene.bodies[0].second).mount = Mount::fixed;
  RevoluteDescription shoulder, elbow;
  shoulder.place.parent = "base", shoulder.place.child = "upper";
  elbow.place.parent = "upper", elbow.place.child = "lower";
  scene.joints.emplace_back("shoulder", shoulder);
  scene.joints.emplace_back("elbow", elbow);
  change(scene);
  try {
    Simulation simulation(scene);
    return "";
  } catch (const InputError& error) { return error.what(); }
}

RevoluteDescription& turning(ModelDescription& scene, std::size_t joint) {
  return std::get<RevoluteDescription>(scene.joints[joint].second);
}

TEST(Joints, GoodOnesAreTaken) {
  EXPECT_EQ(refusal([](ModelDescription&) {}), "");
}

TEST(Joints, ContradictionsAreRefusedByName) {
  const auto expect = [](const char* said, const std::function<void(ModelDescription&)>& change) {
    EXPECT_THAT(refusal(change), HasSubstr(said));
  };
  expect("joint.elbow.child: 'upper' has a joint already", [](auto& s) { turning(s, 1).place.child = "upper"; });
  expect("joint.shoulder.child: 'base' is not free", [](auto& s) { turning(s, 0).place.child = "base"; });
  expect("there is no rigid body 'palm'", [](auto& s) { turning(s, 1).place.parent = "palm"; });
  expect("form a ring", [](auto& s) { turning(s, 0).place.parent = "lower"; });
  expect("joint.elbow: the start 0 is not within its limits [1, 2]",
         [](auto& s) { turning(s, 1).drive.lower = 1.0, turning(s, 1).drive.upper = 2.0; });
  expect("joint.elbow: the start 0 is not within its limits [1, -1]",
         [](auto& s) { turning(s, 1).drive.lower = 1.0, turning(s, 1).drive.upper = -1.0; });
  expect("joint.elbow: 2 times for 1 targets", [](auto& s) {
    turning(s, 1).drive.times_s = {0.0, 1.0}, turning(s, 1).drive.targets = {0.0};
  });
  expect("joint.elbow.times_s: must rise", [](auto& s) {
    turning(s, 1).drive.times_s = {1.0, 1.0}, turning(s, 1).drive.targets = {0.0, 0.1};
  });
  expect("no motor that follows it", [](auto& s) {
    turning(s, 1).drive.times_s = {0.0, 1.0}, turning(s, 1).drive.targets = {0.0, 0.1};
  });
  expect("there is no joint 'wrist'", [](auto& s) { turning(s, 1).drive.mimic = "wrist"; });
  expect("has no freedom of its own",
         [](auto& s) { turning(s, 0).drive.mimic = "elbow", turning(s, 1).drive.mimic = "shoulder"; });
  expect("joint.elbow: its start is 0, but following 'shoulder' it is 0.5",
         [](auto& s) { turning(s, 1).drive.mimic = "shoulder", turning(s, 1).drive.mimic_offset = 0.5; });
}

}  // namespace
}  // namespace distal
