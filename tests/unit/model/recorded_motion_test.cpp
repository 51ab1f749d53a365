// [joint_path.NAME] file: motions from tables.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "distal/core/error.hpp"
#include "distal/model/expand_hands.hpp"
#include "support/rigid_scenes.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using test::rigid_scene;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RecordedMotion : public ::testing::Test {
 protected:
  // Our own hand and a table.
  ModelDescription scene_with(const std::string& table, const std::string& joint = {}) {
    std::ofstream(folder_ / "motion.csv") << table;
    ModelDescription scene = rigid_scene();
    scene.bodies.emplace_back("hand", HandDescription{});
    JointPathDescription path;
    path.joint = joint, path.file = (folder_ / "motion.csv").string();
    scene.joint_paths.emplace_back("p", path);
    return scene;
  }
  static std::string refusal(const ModelDescription& scene) {
    try {
      expand_hands(scene);
      return "";
    } catch (const InputError& error) { return error.what(); }
  }
  std::string refusal(const std::string& table, const std::string& joint = {}) {
    return refusal(scene_with(table, joint));
  }
  static const JointDrive& drive(const ModelDescription& d, const std::string& name) {
    for (const auto& [known, description] : d.joints)
      if (known == name) return std::get<RevoluteDescription>(description).drive;
    throw std::runtime_error("no joint " + name);
  }
  test::ScratchFolder folder_;
};

// As joints.csv has them: with velocities and efforts, and what follows.
const char* const kTable =
    "time_s,hand/index_1_rad,hand/index_1_rad_s,hand/index_1_n_m,hand/index_2_rad,hand/index_3_rad\r\n"
    "0.001,0.2,0,0.1,0.5,0.33\r\n"
    "0.501, 0.4 ,0,0.1,0.6,0.4\r\n";

TEST_F(RecordedMotion, gives_every_joint_its_column) {
  const ModelDescription all = expand_hands(scene_with(kTable));
  EXPECT_THAT(drive(all, "hand/index_1").times_s, ElementsAre(0.001, 0.501));
  EXPECT_THAT(drive(all, "hand/index_1").targets, ElementsAre(0.2, 0.4));
  EXPECT_THAT(drive(all, "hand/index_2").targets, ElementsAre(0.5, 0.6));
  EXPECT_EQ(drive(all, "hand/index_2").initial, 0.5) << "it starts there";
  EXPECT_TRUE(drive(all, "hand/index_3").targets.empty()) << "what follows has no path";
  EXPECT_TRUE(drive(all, "hand/thumb_1").targets.empty());
  const ModelDescription one = expand_hands(scene_with(kTable, "hand/index_2"));
  EXPECT_TRUE(drive(one, "hand/index_1").targets.empty());
  EXPECT_THAT(drive(one, "hand/index_2").targets, ElementsAre(0.5, 0.6));
}

TEST_F(RecordedMotion, may_press_a_little_into_the_end_of_a_joint) {
  const ModelDescription scene = expand_hands(scene_with("time_s,hand/index_2_rad\n0,-0.001\n1,1.81\n"));
  EXPECT_THAT(drive(scene, "hand/index_2").targets, ElementsAre(0.0, 1.8));
}

TEST_F(RecordedMotion, bad_tables_are_refused_with_file_and_line) {
  EXPECT_EQ(refusal(kTable), "");
  EXPECT_THAT(refusal("time,hand/index_1_rad\n0,0\n"), HasSubstr("motion.csv:1: there is no column time_s"));
  EXPECT_THAT(refusal("time_s,hand/index_1_rad,hand/index_1_rad\n0,0,0\n"), HasSubstr("stands there twice"));
  EXPECT_THAT(refusal("time_s,hand/index_1_rad\n0,0\n1\n"), HasSubstr("motion.csv:3: 1 columns, the heading has 2"));
  EXPECT_THAT(refusal("time_s,hand/index_1_rad\n0,0\n1,nan\n"),
              HasSubstr("motion.csv:3: hand/index_1_rad is \"nan\", allowed: a finite number"));
  EXPECT_THAT(refusal("time_s,hand/index_1_rad\n0,\n"), HasSubstr("motion.csv:2: hand/index_1_rad is \"\""));
  EXPECT_THAT(refusal("time_s,hand/index_1_rad\n1,0\n1,0\n"), HasSubstr("motion.csv:3: time_s must rise"));
  EXPECT_THAT(refusal("time_s,hand/index_1_rad\n"), HasSubstr("has a heading and no row"));
  EXPECT_THAT(refusal(""), HasSubstr("cannot be read, or is empty"));
  EXPECT_THAT(refusal("time_s,hand/indx_1_rad\n0,0\n"),
              HasSubstr("\"hand/indx_1_rad\", which is no joint of a hand; did you mean \"hand/index_1_rad\"?"));
  EXPECT_THAT(refusal("time_s,hand/index_1_m\n0,0\n"), HasSubstr("did you mean \"hand/index_1_rad\"?")) << "it turns";
  EXPECT_THAT(refusal("time_s,hand/index_3_rad\n0,0\n"), HasSubstr("has no column of a joint that can have a path"));
  EXPECT_THAT(refusal("time_s,hand/index_2_rad\n0,0\n0.5,2.5\n"),
              HasSubstr("joint_path.p.file: at 0.5 s \"hand/index_2\" is 2.5, beyond the joint, allowed: [0, 1.8]"));
  EXPECT_THAT(refusal(kTable, "hand/thumb_1"), HasSubstr("has no column hand/thumb_1_rad"));
  EXPECT_THAT(refusal(kTable, "hand/index_3"), HasSubstr("\"hand/index_3\" follows \"hand/index_2\""));
  EXPECT_THAT(refusal(kTable, "hand/indx_1"), HasSubstr("did you mean \"hand/index_1\"?"));
}

TEST_F(RecordedMotion, contradictions_are_refused) {
  ModelDescription scene = scene_with(kTable);
  scene.joint_paths[0].second.times_s = {0.0};
  EXPECT_THAT(refusal(scene), HasSubstr("joint_path.p.file: times and targets are given too"));
  scene = scene_with(kTable);
  scene.joint_paths.emplace_back("q", JointPathDescription{"hand/index_1", {0.0}, {0.1}, {}, {}});
  EXPECT_THAT(refusal(scene), HasSubstr("joint_path.q.joint: joint_path.p sets the path of \"hand/index_1\""));
  scene = scene_with(kTable);
  scene.joint_paths[0].second.file += ".not";
  EXPECT_THAT(refusal(scene), HasSubstr("cannot be read"));
  scene.joint_paths[0].second = {};
  EXPECT_EQ(refusal(scene), "joint_path.p.joint: is missing; without a file a path is of one joint");
  scene.joint_paths[0].second.joint = "hand/index_1";
  EXPECT_EQ(refusal(scene), "joint_path.p.times_s: is missing; a path has times and targets, or a file");
  scene = scene_with(kTable);
  std::get<HandDescription>(scene.bodies[0].second).motor_stiffness_n_m_rad = 0.0;
  std::get<HandDescription>(scene.bodies[0].second).motor_damping_n_m_s_rad = 0.0;
  EXPECT_THAT(refusal(scene), HasSubstr("joint_path.p.file: the hand's motors are off"));
}

}  // namespace
}  // namespace distal
