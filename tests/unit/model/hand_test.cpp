// Hands: what expand_hands() makes of them, and how what it makes moves.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "distal/core/error.hpp"
#include "distal/model/expand_hands.hpp"
#include "support/rigid_scenes.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using test::rigid;
using test::rigid_scene;
using test::ScratchFolder;
using ::testing::HasSubstr;

// Two links of 0.3 m and 0.2 m that turn about y, the second as far again as the first, and a frame at the end with a
// ball on it.
const char* const kArm = R"(<robot name="arm">
<link name="base"/>
<link name="upper">
<collision><origin xyz="0.15 0 0"/><geometry><box size="0.3 0.02 0.04"/></geometry></collision>
<collision><origin xyz="0.3 0 0" rpy="1.5707963267948966 0 0"/><geometry><cylinder radius="0.03" length="0.05"/></geometry></collision>
</link>
<link name="lower"><inertial><origin xyz="0.1 0 0.01"/><mass value="0.4"/>
<inertia ixx="1e-4" ixy="1e-5" ixz="2e-5" iyy="2e-3" iyz="3e-5" izz="2e-3"/></inertial></link>
<link name="flange"/>
<link name="ball"><collision><geometry><sphere radius="0.01"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.5"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="5" velocity="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="0.3 0 0"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="4" effort="5" velocity="1"/><mimic joint="shoulder" multiplier="2" offset="0.1"/></joint>
<joint name="to_flange" type="fixed"><parent link="lower"/><child link="flange"/><origin xyz="0.2 0 0" rpy="0 0 1"/></joint>
<joint name="to_ball" type="fixed"><parent link="flange"/><child link="ball"/><origin xyz="0 0 0.03"/></joint>
</robot>)";

class HandBody : public ::testing::Test {
 protected:
  ModelDescription scene_with(const std::string& urdf, HandDescription hand = {}) {
    std::ofstream(folder_ / "hand.urdf") << urdf;
    hand.file = (folder_ / "hand.urdf").string();
    ModelDescription scene = rigid_scene();
    scene.bodies.emplace_back("arm", hand);
    return scene;
  }
  static std::string refusal(const ModelDescription& scene) {
    try {
      expand_hands(scene);
      return "";
    } catch (const InputError& error) { return error.what(); }
  }
  ScratchFolder folder_;
};

JointPathDescription turning(const std::string& joint, std::vector<double> times_s, std::vector<double> targets_rad) {
  return {joint, std::move(times_s), std::move(targets_rad), {}, {}};
}

const RigidDescription& body(const ModelDescription& d, const std::string& name) {
  for (const auto& [known, description] : d.bodies)
    if (known == name) return std::get<RigidDescription>(description);
  throw std::runtime_error("no body " + name);
}

const JointDrive& drive(const ModelDescription& d, const std::string& name) {
  for (const auto& [known, description] : d.joints)
    if (known == name) {
      if (const auto* turn = std::get_if<RevoluteDescription>(&description)) return turn->drive;
      return std::get<PrismaticDescription>(description).drive;
    }
  throw std::runtime_error("no joint " + name);
}

Vec3 ball_at(double shoulder, double elbow) {
  const auto along = [](double angle) { return Vec3(std::cos(angle), 0.0, -std::sin(angle)); };
  const auto up = [](double angle) { return Vec3(std::sin(angle), 0.0, std::cos(angle)); };
  return Vec3(0.0, 0.0, 0.5) + 0.3 * along(shoulder) + 0.2 * along(shoulder + elbow) + 0.03 * up(shoulder + elbow);
}

TEST_F(HandBody, its_links_stand_where_its_joints_put_them) {
  HandDescription hand;
  hand.placement.position_m = Vec3(1.0, 2.0, 3.0);
  hand.placement.q_xyzw = rotation_from_vector(Vec3(0.0, 0.0, 0.5 * std::numbers::pi));
  ModelDescription scene = scene_with(kArm, hand);
  const auto expected = [&](double shoulder) {
    return Vec3(hand.placement.position_m + hand.placement.q_xyzw * ball_at(shoulder, 2.0 * shoulder + 0.1));
  };
  EXPECT_LT((body(expand_hands(scene), "arm/ball").placement.position_m - expected(0.0)).norm(), 1e-12);
  scene.joint_paths.emplace_back("p", turning("arm/shoulder", {0.0, 0.5}, {0.4, 0.7}));
  const ModelDescription expanded = expand_hands(scene);
  EXPECT_LT((body(expanded, "arm/ball").placement.position_m - expected(0.4)).norm(), 1e-12);
  EXPECT_EQ(drive(expanded, "arm/shoulder").initial, 0.4);
  EXPECT_DOUBLE_EQ(drive(expanded, "arm/elbow").initial, 0.9);
  EXPECT_EQ(drive(expanded, "arm/elbow").mimic, "arm/shoulder");
  EXPECT_EQ(drive(expanded, "arm/elbow").motor_stiffness, 0.0) << "what follows has no motor";
  EXPECT_TRUE(std::none_of(expanded.bodies.begin(), expanded.bodies.end(), [](const auto& b) {
    return b.first == "arm/flange";
  })) << "a frame is no body";
}

TEST_F(HandBody, it_follows_its_path_and_its_mimic) {
  HandDescription hand;
  hand.motor_stiffness_n_m_rad = 200.0, hand.motor_damping_n_m_s_rad = 20.0;
  ModelDescription scene = scene_with(kArm, hand);
  scene.gravity_m_s2.setZero();
  scene.joint_paths.emplace_back("p", turning("arm/shoulder", {0.0, 0.5}, {0.0, 0.6}));
  Simulation simulation(scene);
  test::run(simulation, 2.0);
  EXPECT_NEAR(simulation.state().joint_position[0], 0.6, 1e-4);
  const RigidState& ball = rigid(simulation, "arm/ball");
  EXPECT_LT((ball.centre_of_mass - ball_at(0.6, 1.3)).norm(), 1e-4);
}

TEST_F(HandBody, mass_comes_from_the_file_or_from_its_shapes) {
  HandDescription hand;
  hand.density_kg_m3 = 2000.0;
  const Model model = build_model(scene_with(kArm, hand));
  const auto named = [&](const std::string& name) {
    return *std::find_if(model.rigid.begin(), model.rigid.end(), [&](const RigidBody& b) { return b.name == name; });
  };
  const RigidBody lower = named("arm/lower");
  EXPECT_EQ(lower.mass_kg, 0.4);
  EXPECT_EQ(lower.centre_of_mass_m, Vec3(0.1, 0.0, 0.01));
  EXPECT_EQ(lower.inertia_kg_m2(0, 1), 1e-5);
  EXPECT_EQ(lower.inertia_kg_m2(1, 2), 3e-5);
  // A box, and a cylinder across its end.
  const double box = 2000.0 * 0.3 * 0.02 * 0.04, r = 0.03, l = 0.05;
  const double cylinder = 2000.0 * std::numbers::pi * r * r * l;
  const RigidBody upper = named("arm/upper");
  EXPECT_NEAR(upper.mass_kg, box + cylinder, 1e-12);
  const double centre = (box * 0.15 + cylinder * 0.3) / (box + cylinder);
  EXPECT_LT((upper.centre_of_mass_m - Vec3(centre, 0.0, 0.0)).norm(), 1e-12);
  const double apart = box * std::pow(0.15 - centre, 2) + cylinder * std::pow(0.3 - centre, 2);
  const double across = cylinder * (3.0 * r * r + l * l) / 12.0;
  EXPECT_NEAR(upper.inertia_kg_m2(0, 0), box * (0.02 * 0.02 + 0.04 * 0.04) / 12.0 + across, 1e-12);
  EXPECT_NEAR(upper.inertia_kg_m2(1, 1), box * (0.3 * 0.3 + 0.04 * 0.04) / 12.0 + 0.5 * cylinder * r * r + apart,
              1e-12);
  EXPECT_NEAR(upper.inertia_kg_m2(2, 2), box * (0.3 * 0.3 + 0.02 * 0.02) / 12.0 + across + apart, 1e-12);
  EXPECT_NEAR(upper.inertia_kg_m2(0, 1), 0.0, 1e-12);
}

TEST_F(HandBody, motors_have_the_hands_values_and_the_lesser_limit) {
  HandDescription hand;
  hand.motor_stiffness_n_m_rad = 3.0, hand.motor_damping_n_m_s_rad = 0.3;
  EXPECT_EQ(drive(expand_hands(scene_with(kArm, hand)), "arm/shoulder").most_effort, 5.0);
  hand.most_torque_n_m = 2.0;
  const JointDrive shoulder = drive(expand_hands(scene_with(kArm, hand)), "arm/shoulder");
  EXPECT_EQ(shoulder.most_effort, 2.0);
  EXPECT_EQ(shoulder.motor_stiffness, 3.0);
  EXPECT_EQ(shoulder.motor_damping, 0.3);
  EXPECT_EQ(shoulder.lower, -1.0);
}

TEST_F(HandBody, links_touch_each_other_only_where_a_pair_says_so) {
  ModelDescription scene = scene_with(kArm);
  EXPECT_TRUE(build_model(scene).pairs.empty());
  scene.pairs.push_back({"own", {"arm/upper", "arm/ball", {}}});
  EXPECT_EQ(build_model(scene).pairs.size(), 1u);
  scene.pairs.clear();
  scene.bodies.emplace_back("thing", test::sphere(0.01, Vec3(5.0, 0.0, 0.0), 0.1));
  EXPECT_EQ(build_model(scene).pairs.size(), 2u) << "the upper arm and the ball have a surface, the others have none";
}

TEST_F(HandBody, a_free_hand_falls_and_a_driven_one_carries_its_links) {
  const std::string urdf =
      R"(<robot name="r"><link name="base"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="tip"><collision><geometry><sphere radius="0.02"/></geometry></collision></link>
<joint name="j" type="continuous"><parent link="base"/><child link="tip"/><origin xyz="0 0 0.2"/></joint></robot>)";
  HandDescription hand;
  hand.mount = Mount::free;
  Simulation falling(scene_with(urdf, hand));
  test::run(falling, 0.2);
  EXPECT_NEAR(rigid(falling, "arm/tip").centre_of_mass.z(), 0.2 - 0.5 * test::kGravity * 0.04, 2e-3);
  hand.mount = Mount::driven;
  Simulation driven(scene_with(urdf, hand));
  std::vector<BodyCommand> commands(driven.body_count());
  BodyCommand& command = commands[driven.body_index("arm/base")];
  command.mode = CommandMode::twist;
  command.twist.linear = Vec3(0.1, 0.0, 0.0);
  test::run(driven, 0.5, &commands);
  EXPECT_NEAR(rigid(driven, "arm/tip").centre_of_mass.x(), 0.05, 1e-6);
}

std::string urdf_with(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST_F(HandBody, a_moving_link_without_mass_or_inertia_is_refused) {
  EXPECT_THAT(refusal(scene_with(urdf_with(kArm, "<mass value=\"0.4\"/>", "<mass value=\"0\"/>"))),
              HasSubstr("hand.urdf:7: link \"lower\": moves and has the mass 0, allowed: above 0; give it"));
  EXPECT_THAT(refusal(scene_with(urdf_with(kArm, "ixx=\"1e-4\"", "ixx=\"0\""))),
              HasSubstr("link \"lower\": moves and has the principal moments of inertia"));
  EXPECT_THAT(refusal(scene_with(urdf_with(kArm, "ixx=\"1e-4\"", "ixx=\"9\""))),
              HasSubstr("9 kg m^2, allowed: none larger than the sum of the other two"));
  HandDescription hand;
  hand.mount = Mount::free;
  EXPECT_THAT(refusal(scene_with(kArm, hand)), HasSubstr("body.arm.file: "));
  EXPECT_THAT(refusal(scene_with(kArm, hand)), HasSubstr("link \"base\": moves and has the mass 0"));
}

TEST_F(HandBody, bad_paths_are_refused) {
  const auto with = [&](const JointPathDescription& path) {
    ModelDescription scene = scene_with(kArm);
    scene.joint_paths.emplace_back("p", path);
    return refusal(scene);
  };
  EXPECT_EQ(with(turning("arm/shoulder", {0.0}, {0.5})), "");
  EXPECT_EQ(with(turning("arm/knee", {0.0}, {0.5})),
            "joint_path.p.joint: there is no joint \"arm/knee\" of a hand; there are: arm/shoulder");
  EXPECT_EQ(with(turning("arm/elbow", {0.0}, {0.5})),
            "joint_path.p.joint: \"arm/elbow\" follows \"arm/shoulder\", which can have a path");
  EXPECT_EQ(with(turning("arm/to_ball", {0.0}, {0.5})), "joint_path.p.joint: \"arm/to_ball\" is fixed");
  EXPECT_EQ(with({"arm/shoulder", {0.0}, {}, {0.5}, {}}),
            "joint_path.p.targets_m: \"arm/shoulder\" turns, allowed: targets_rad");
  EXPECT_EQ(with({"arm/shoulder", {0.0}, {}, {}, {}}),
            "joint_path.p.targets_rad: \"arm/shoulder\" turns, allowed: targets_rad");
  EXPECT_EQ(with(turning("arm/shoulder", {0.0, 1.0}, {0.5})), "joint_path.p.times_s: 2 times for 1 targets");
  EXPECT_EQ(with(turning("arm/shoulder", {1.0, 1.0}, {0.5, 0.6})),
            "joint_path.p.times_s: must rise from one to the next");
  EXPECT_EQ(with(turning("arm/shoulder", {0.0}, {2.5})),
            "joint_path.p.targets_rad: 2.5 is beyond the joint, allowed: [-1, 2]");
  ModelDescription twice = scene_with(kArm);
  twice.joint_paths.emplace_back("p", turning("arm/shoulder", {0.0}, {0.5}));
  twice.joint_paths.emplace_back("q", turning("arm/shoulder", {0.0}, {0.5}));
  EXPECT_EQ(refusal(twice), "joint_path.q.joint: joint_path.p sets the path of \"arm/shoulder\"");
  HandDescription limp;
  limp.motor_stiffness_n_m_rad = limp.motor_damping_n_m_s_rad = 0.0;
  ModelDescription without_motors = scene_with(kArm, limp);
  without_motors.joint_paths.emplace_back("p", turning("arm/shoulder", {0.0}, {0.5}));
  EXPECT_THAT(refusal(without_motors), HasSubstr("the hand's motors are off"));
}

// Our own hand.
ModelDescription five_fingers(double length_m) {
  ModelDescription scene = rigid_scene();
  HandDescription hand;
  hand.length_m = length_m;
  scene.bodies.emplace_back("hand", hand);
  return scene;
}

TEST(FiveFingers, the_middle_finger_ends_at_the_hands_length) {
  for (const double length : {0.19, 0.10}) {
    const Model model = build_model(five_fingers(length));
    double highest = 0.0;
    std::string who;
    for (std::size_t b = 0; b < model.rigid.size(); ++b) {
      const TriangleMesh mesh = make_shape_mesh(*model.rigid[b].shape, 0.0);
      for (const Vec3& v : mesh.vertices)
        if (const double z = model.rigid_initial_pose[b].to_world(v).z(); z > highest)
          highest = z, who = model.rigid[b].name;
    }
    EXPECT_NEAR(highest, length, 1e-6);
    EXPECT_EQ(who, "hand/middle_tip");
  }
  const Model model = build_model(five_fingers(0.19));
  EXPECT_EQ(model.rigid.size(), 17u);
  EXPECT_EQ(model.joints.size(), 16u);
  double mass = 0.0;
  for (const RigidBody& b : model.rigid) mass += b.mass_kg;
  EXPECT_GT(mass, 0.35);
  EXPECT_LT(mass, 0.55);
}

TEST(FiveFingers, a_bent_finger_ends_where_its_bones_say) {
  ModelDescription scene = five_fingers(0.2);
  scene.joint_paths.emplace_back("one", turning("hand/index_1", {0.0}, {0.5}));
  scene.joint_paths.emplace_back("two", turning("hand/index_2", {0.0}, {0.9}));
  const Model model = build_model(scene);
  const auto tip = std::find_if(model.rigid.begin(), model.rigid.end(),
                                [](const RigidBody& b) { return b.name == "hand/index_tip"; });
  const Pose pose = model.rigid_initial_pose[static_cast<std::size_t>(tip - model.rigid.begin())];
  const auto along = [](double angle) { return Vec3(std::sin(angle), 0.0, std::cos(angle)); };
  const Vec3 expected = 0.2 * (Vec3(0.0, 0.135, 0.5) + 0.217 * along(0.5) + 0.133 * along(1.4) + 0.096 * along(2.0));
  EXPECT_LT((pose.to_world(Vec3(0.0, 0.0, 0.2 * 0.096)) - expected).norm(), 1e-12);
}

TEST(FiveFingers, thumb_and_index_finger_can_meet) {
  ModelDescription scene = five_fingers(0.19);
  const std::vector<std::pair<std::string, double>> posture = {
      {"index_1", 0.9}, {"index_2", 0.7}, {"thumb_1", 1.5}, {"thumb_2", 0.0}, {"thumb_3", 0.3}};
  for (const auto& [joint, angle] : posture)
    scene.joint_paths.emplace_back(joint, turning("hand/" + joint, {0.0}, {angle}));
  const Model model = build_model(scene);
  const auto end_of = [&](const std::string& name, double length) {
    for (std::size_t b = 0; b < model.rigid.size(); ++b)
      if (model.rigid[b].name == name) return model.rigid_initial_pose[b].to_world(Vec3(0.0, 0.0, length));
    throw std::runtime_error("no body " + name);
  };
  const Vec3 index = end_of("hand/index_tip", 0.19 * 0.096), thumb = end_of("hand/thumb_tip", 0.19 * 0.14);
  EXPECT_GT(index.x(), 0.03) << "fingers close before the palm";
  EXPECT_LT((index - thumb).norm(), 0.03) << index.transpose() << " and " << thumb.transpose();
}

}  // namespace
}  // namespace distal
