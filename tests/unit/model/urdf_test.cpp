// URDF files: what they give, and what is said about broken ones.
#include "distal/model/urdf.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "distal/core/error.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using test::ScratchFolder;
using ::testing::HasSubstr;

std::string robot(const std::string& inside) { return "<robot name=\"r\">\n" + inside + "</robot>\n"; }
const std::string kBase = "<link name=\"base\"/>\n";
const std::string kTip =
    "<link name=\"tip\"><inertial><mass value=\"0.1\"/>"
    "<inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n";
std::string joint(const std::string& attributes, const std::string& inside,
                  const std::string& ends = "<parent link=\"base\"/><child link=\"tip\"/>") {
  return fmt::format("<joint {}>{}{}</joint>\n", attributes, ends, inside);
}
const std::string kLimit = "<limit lower=\"-1\" upper=\"2\" effort=\"3\" velocity=\"1\"/>";
const std::string kTurn = joint("name=\"turn\" type=\"revolute\"", kLimit);

LinkTree load(const std::string& text) {
  const ScratchFolder folder;
  std::ofstream(folder / "robot.urdf") << text;
  return load_urdf((folder / "robot.urdf").string());
}

// What it is refused for, from the file's name on; "" when it is accepted.
std::string refusal(const std::string& text) {
  try {
    load(text);
    return "";
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find("robot.urdf"));
  }
}

TEST(Urdf, links_come_from_the_root_outwards_with_their_joints) {
  const LinkTree tree =
      load(robot(kTip + kBase + "<link name=\"wrist\"/>\n" +
                 joint("name=\"a\" type=\"fixed\"", "<origin xyz=\"0 0 0.1\" rpy=\"0 0 1.5707963267948966\"/>",
                       "<parent link=\"base\"/><child link=\"wrist\"/>") +
                 joint("name=\"b\" type=\"revolute\"", kLimit + "<axis xyz=\"0 2 0\"/><dynamics damping=\"0.5\"/>",
                       "<parent link=\"wrist\"/><child link=\"tip\"/>")));
  ASSERT_EQ(tree.size(), 3u);
  EXPECT_EQ(tree[0].name, "base");
  EXPECT_EQ(tree[0].parent, -1);
  EXPECT_EQ(tree[1].name, "wrist");
  EXPECT_EQ(tree[1].kind, JointKind::weld);
  EXPECT_LT((tree[1].origin.to_world(Vec3::UnitX()) - Vec3(0.0, 1.0, 0.1)).norm(), 1e-12);
  EXPECT_EQ(tree[2].name, "tip");
  EXPECT_EQ(tree[2].parent, 1);
  EXPECT_EQ(tree[2].joint, "b");
  EXPECT_EQ(tree[2].kind, JointKind::revolute);
  EXPECT_EQ(tree[2].axis, Vec3(0.0, 1.0, 0.0));
  EXPECT_EQ(tree[2].drive.lower, -1.0);
  EXPECT_EQ(tree[2].drive.upper, 2.0);
  EXPECT_EQ(tree[2].drive.most_effort, 3.0);
  EXPECT_EQ(tree[2].drive.damping, 0.5);
}

TEST(Urdf, joints_turn_slide_and_turn_without_end) {
  const auto kind_of = [](const std::string& type, const std::string& inside) {
    return load(robot(kBase + kTip + joint("name=\"j\" type=\"" + type + "\"", inside)))[1];
  };
  EXPECT_EQ(kind_of("prismatic", kLimit).kind, JointKind::prismatic);
  const Link endless = kind_of("continuous", "");
  EXPECT_EQ(endless.kind, JointKind::revolute);
  EXPECT_TRUE(std::isinf(endless.drive.upper) && std::isinf(endless.drive.lower));
  EXPECT_EQ(endless.axis, Vec3(Vec3::UnitX())) << "as URDF has it";
  const Link no_effort = kind_of("revolute", "<limit upper=\"1\" effort=\"0\" velocity=\"0\"/>");
  EXPECT_TRUE(std::isinf(no_effort.drive.most_effort));
}

TEST(Urdf, inertia_is_turned_into_the_frame_of_the_link) {
  const LinkTree tree = load(
      robot("<link name=\"base\"><inertial><origin xyz=\"1 2 3\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>"
            "<inertia ixx=\"1\" ixy=\"0.1\" ixz=\"0.2\" iyy=\"3\" iyz=\"0.3\" izz=\"4\"/></inertial></link>"));
  const InertialDescription& i = *tree[0].inertial;
  EXPECT_EQ(i.mass_kg, 2.0);
  EXPECT_EQ(i.centre_m, Vec3(1.0, 2.0, 3.0));
  // x of the inertia's frame is y of the link, y is -x.
  Mat3 expected;
  expected << 3.0, -0.1, -0.3, -0.1, 1.0, 0.2, -0.3, 0.2, 4.0;
  EXPECT_LT((i.inertia_kg_m2 - expected).norm(), 1e-12);
}

TEST(Urdf, every_collision_is_a_part_and_pictures_are_not_read) {
  const LinkTree tree =
      load(robot("<material name=\"no_colour\"/>\n<transmission/>\n"
                 "<link name=\"base\"><visual><geometry><capsule/></geometry></visual>"
                 "<collision><geometry><sphere radius=\"0.02\"/></geometry></collision>"
                 "<collision><origin xyz=\"0 0 1\"/><geometry><box size=\"1 2 3\"/></geometry></collision>"
                 "<collision><geometry><cylinder radius=\"0.03\" length=\"0.4\"/></geometry></collision></link>"));
  ASSERT_EQ(tree[0].parts.size(), 3u);
  EXPECT_EQ(tree[0].parts[0].shape, RigidShapeKind::sphere);
  EXPECT_EQ(tree[0].parts[0].radius_m, 0.02);
  EXPECT_EQ(tree[0].parts[1].shape, RigidShapeKind::box);
  EXPECT_EQ(tree[0].parts[1].size_m, Vec3(1.0, 2.0, 3.0));
  EXPECT_EQ(tree[0].parts[1].position_m, Vec3(0.0, 0.0, 1.0));
  EXPECT_EQ(tree[0].parts[2].shape, RigidShapeKind::cylinder);
  EXPECT_EQ(tree[0].parts[2].radius_m, 0.03);
  EXPECT_EQ(tree[0].parts[2].length_m, 0.4);
}

TEST(Urdf, meshes_lie_beside_the_file_or_in_its_package) {
  const ScratchFolder folder;
  std::filesystem::create_directories(folder / "my_hand/urdf");
  std::filesystem::create_directories(folder / "my_hand/meshes");
  std::ofstream(folder / "my_hand/meshes/a.stl") << "solid";
  const auto mesh_of = [&](const std::string& name) {
    std::ofstream(folder / "my_hand/urdf/r.urdf")
        << robot(fmt::format("<link name=\"base\"><collision><geometry><mesh filename=\"{}\" scale=\"1 2 "
                             "0.001\"/></geometry></collision></link>",
                             name));
    return load_urdf((folder / "my_hand/urdf/r.urdf").string())[0].parts[0];
  };
  const std::string expected = (folder / "my_hand/meshes/a.stl").string();
  EXPECT_EQ(mesh_of("package://my_hand/meshes/a.stl").file, expected);
  EXPECT_EQ(mesh_of("../meshes/a.stl").file, expected);
  EXPECT_EQ(mesh_of("file://" + expected).file, expected);
  EXPECT_EQ(mesh_of("../meshes/a.stl").mesh_scale, Vec3(1.0, 2.0, 0.001));
  EXPECT_EQ(mesh_of("../meshes/a.stl").shape, RigidShapeKind::mesh);
  for (const char* missing : {"../meshes/b.stl", "package://my_hand/meshes/b.stl", "package://other/meshes/a.stl"})
    try {
      mesh_of(missing);
      FAIL() << missing;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(),
                  HasSubstr(fmt::format("r.urdf:2: link \"base\": there is no mesh {}; looked for", missing)));
    }
}

TEST(Urdf, a_joint_that_follows_a_follower_follows_the_first) {
  const auto turn = [](const std::string& name, const std::string& parent, const std::string& child,
                       const std::string& mimic) {
    return joint("name=\"" + name + "\" type=\"revolute\"", kLimit + mimic,
                 fmt::format("<parent link=\"{}\"/><child link=\"{}\"/>", parent, child));
  };
  const std::string links = kBase + "<link name=\"l1\"/><link name=\"l2\"/><link name=\"l3\"/>";
  const LinkTree tree = load(robot(links + turn("a", "base", "l1", "") +
                                   turn("b", "l1", "l2", "<mimic joint=\"a\" multiplier=\"2\" offset=\"0.1\"/>") +
                                   turn("c", "l2", "l3", "<mimic joint=\"b\" multiplier=\"3\" offset=\"0.5\"/>")));
  EXPECT_EQ(tree[3].drive.mimic, "a");
  EXPECT_DOUBLE_EQ(tree[3].drive.mimic_factor, 6.0);
  EXPECT_DOUBLE_EQ(tree[3].drive.mimic_offset, 0.8);
  EXPECT_THAT(refusal(robot(links + turn("a", "base", "l1", "<mimic joint=\"b\"/>") +
                            turn("b", "l1", "l2", "<mimic joint=\"a\"/>") + turn("c", "l2", "l3", ""))),
              HasSubstr("joint \"a\": mimics itself, by \"a\""));
  EXPECT_THAT(refusal(robot(links + turn("a", "base", "l1", "") + turn("b", "l1", "l2", "<mimic joint=\"d\"/>") +
                            turn("c", "l2", "l3", ""))),
              HasSubstr("joint \"b\": mimics \"d\", but there is no such joint; joints: a, b, c"));
}

struct BadUrdf {
  const char* name;
  std::string text, message;
};
void PrintTo(const BadUrdf& bad, std::ostream* stream) { *stream << bad.name; }

class BadUrdfs : public ::testing::TestWithParam<BadUrdf> {};

TEST_P(BadUrdfs, is_refused_with_its_place) { EXPECT_THAT(refusal(GetParam().text), HasSubstr(GetParam().message)); }

std::string link_with(const std::string& inside) { return robot("<link name=\"a\">\n" + inside + "</link>\n"); }
std::string shaped(const std::string& shape) {
  return link_with("<collision><geometry>\n" + shape + "</geometry></collision>\n");
}

INSTANTIATE_TEST_SUITE_P(
    Urdf, BadUrdfs,
    ::testing::Values(
        BadUrdf{"text", "hello", "robot.urdf:"},
        BadUrdf{"open", "<robot name=\"r\">\n<link", "robot.urdf:2: is not good XML"},
        BadUrdf{"other", "<sdf/>", "robot.urdf: has no <robot>: not a URDF file"},
        BadUrdf{"empty", robot(""), "robot.urdf: has no <link>"},
        BadUrdf{"deep",
                std::string(5000, '\n')
                    .replace(0, 5000,
                             [] {
                               std::string all;
                               for (int i = 0; i < 1000; ++i) all += "<a>\n";
                               return all;
                             }()),
                "robot.urdf:201: elements are nested more than 200 deep"},
        BadUrdf{"unnamed", robot("<link/>"), "robot.urdf:2: <link>: a link has no name"},
        BadUrdf{"endless_name", robot("<link name=\"" + std::string(201, 'a') + "\"/>"),
                "robot.urdf:2: <link>: a name of 201 characters, allowed: up to 200"},
        BadUrdf{"twice", robot(kBase + kBase), "robot.urdf:3: link \"base\" <link>: \"base\" is there twice"},
        BadUrdf{"mass", link_with("<inertial>\n<mass value=\"x\"/><inertia/></inertial>"),
                "robot.urdf:4: link \"a\" <mass>: value is \"x\", allowed: 1 number from 0"},
        BadUrdf{"no_mass", link_with("<inertial/>"), "robot.urdf:3: link \"a\" <inertial>: has no <mass>"},
        BadUrdf{"inertia", link_with("<inertial><mass value=\"1\"/>\n<inertia ixx=\"1\"/></inertial>"),
                "robot.urdf:4: link \"a\" <inertia>: ixy is not given, allowed: 1 number"},
        BadUrdf{"nan", link_with("<inertial><mass value=\"nan\"/><inertia/></inertial>"), "value is \"nan\", allowed"},
        BadUrdf{"negative", shaped("<sphere radius=\"-0.1\"/>"),
                "robot.urdf:4: link \"a\" <sphere>: radius is \"-0.1\", allowed: 1 number above 0"},
        BadUrdf{"box", shaped("<box size=\"1 2\"/>"), "<box>: size is \"1 2\", allowed: 3 numbers above 0"},
        BadUrdf{"trailing", shaped("<box size=\"1 2 3 m\"/>"), "size is \"1 2 3 m\", allowed: 3 numbers"},
        BadUrdf{"cylinder", shaped("<cylinder radius=\"1\"/>"), "<cylinder>: length is not given"},
        BadUrdf{"mesh", shaped("<mesh/>"), "<mesh>: filename is not given"},
        BadUrdf{"mirror", shaped("<mesh filename=\"a.stl\" scale=\"1 -1 1\"/>"),
                "scale is \"1 -1 1\", allowed: 3 numbers above 0"},
        BadUrdf{"shape", shaped("<capsule/>"), "found <capsule>, allowed: box, cylinder, sphere, mesh"},
        BadUrdf{"no_geometry", link_with("<collision/>"), "<collision>: has no <geometry>"},
        BadUrdf{"origin",
                link_with("<collision><origin xyz=\"0 0\"/><geometry><sphere radius=\"1\"/></geometry></collision>"),
                "<origin>: xyz is \"0 0\", allowed: 3 numbers"},
        BadUrdf{
            "floating", robot(kBase + kTip + joint("name=\"j\" type=\"floating\"", "")),
            "robot.urdf:4: joint \"j\" <joint>: type is \"floating\", allowed: revolute, continuous, prismatic, fixed"},
        BadUrdf{"planar", robot(kBase + kTip + joint("name=\"j\" type=\"planar\"", "")), "type is \"planar\", allowed"},
        BadUrdf{"no_type", robot(kBase + kTip + joint("name=\"j\"", "")), "type is not given, allowed"},
        BadUrdf{"no_limit", robot(kBase + kTip + joint("name=\"j\" type=\"revolute\"", "")),
                "joint \"j\" <joint>: is revolute and has no <limit>"},
        BadUrdf{"effort", robot(kBase + kTip + joint("name=\"j\" type=\"prismatic\"", "<limit velocity=\"1\"/>")),
                "<limit>: effort is not given"},
        BadUrdf{"limits",
                robot(kBase + kTip +
                      joint("name=\"j\" type=\"revolute\"",
                            "<limit lower=\"1\" upper=\"-1\" effort=\"1\" velocity=\"1\"/>")),
                "<limit>: lower = 1 is above upper = -1"},
        BadUrdf{"axis", robot(kBase + kTip + joint("name=\"j\" type=\"continuous\"", "<axis xyz=\"0 0 0\"/>")),
                "<axis>: xyz is zero, allowed: a direction"},
        BadUrdf{"no_child", robot(kBase + kTip + joint("name=\"j\" type=\"fixed\"", "", "<parent link=\"base\"/>")),
                "robot.urdf:4: joint \"j\": has no <child link=\"...\"/>"},
        BadUrdf{
            "no_parent",
            robot(kBase + kTip + joint("name=\"j\" type=\"fixed\"", "", "<parent link=\"hip\"/><child link=\"tip\"/>")),
            "robot.urdf:4: joint \"j\": parent is \"hip\", but there is no such link; links: base, tip"},
        BadUrdf{"two_parents", robot(kBase + kTip + kTurn + joint("name=\"again\" type=\"fixed\"", "")),
                "robot.urdf:5: joint \"again\": its child \"tip\" is the child of joint \"turn\" already"},
        BadUrdf{"ring",
                robot(kBase + kTip + kTurn +
                      joint("name=\"back\" type=\"fixed\"", "", "<parent link=\"tip\"/><child link=\"base\"/>")),
                "its links and joints form a ring, allowed: a tree"},
        BadUrdf{"self",
                robot(kBase + joint("name=\"j\" type=\"fixed\"", "", "<parent link=\"base\"/><child link=\"base\"/>")),
                "form a ring"},
        BadUrdf{"roots", robot(kBase + kTip),
                "robot.urdf:2: link \"base\": is not the child of a joint, nor is \"tip\"; allowed: one root"},
        BadUrdf{"mimic_fixed",
                robot(kBase + kTip + "<link name=\"c\"/>" + joint("name=\"w\" type=\"fixed\"", "") +
                      joint("name=\"j\" type=\"continuous\"", "<mimic joint=\"w\"/>",
                            "<parent link=\"tip\"/><child link=\"c\"/>")),
                "joint \"j\": mimics \"w\", which is fixed"}),
    [](const auto& info) { return info.param.name; });

TEST(Urdf, a_missing_file_is_named) {
  try {
    load_urdf("/nowhere/hand.urdf");
    FAIL();
  } catch (const InputError& error) { EXPECT_STREQ(error.what(), "/nowhere/hand.urdf: there is no such file"); }
  try {
    load_urdf("/dev/zero");
    FAIL();
  } catch (const InputError& error) { EXPECT_STREQ(error.what(), "/dev/zero: is longer than 16 MiB: not a URDF file"); }
}

}  // namespace
}  // namespace distal
