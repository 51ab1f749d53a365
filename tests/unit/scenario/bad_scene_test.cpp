// Every kind of bad scene, and what the message says about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "unit/scenario/scene_text_support.hpp"

namespace distal {
namespace {

using test::kGoodScene;
using test::refusal;
using test::refusal_of_added;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = kGoodScene;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// One override, the message it must give after "--set ...: key: ".
struct BadValue {
  const char* override_text;
  const char* message;
};
class BadOverride : public ::testing::TestWithParam<BadValue> {};

TEST_P(BadOverride, is_refused_with_place_key_and_what_is_allowed) {
  const std::string text = GetParam().override_text;
  EXPECT_THAT(refusal({text}), AllOf(StartsWith("--set " + text + ": " + text.substr(0, text.find('=')) + ": "),
                                     HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    values, BadOverride,
    ::testing::Values(
        BadValue{"body.finger.tip_radius_m=big", "found the string \"big\", expected a number in [1e-09, 1e+06] m"},
        BadValue{"body.finger.tip_radius_m=-0.01", "found -0.01, allowed: [1e-09, 1e+06] m"},
        BadValue{"body.finger.tip_radius_m=0", "found 0, allowed: [1e-09, 1e+06] m"},
        BadValue{"body.finger.tip_radius_m=nan", "found nan, allowed"},
        BadValue{"body.finger.tip_radius_m=inf", "found inf, allowed"},
        BadValue{"body.finger.rod_mass_kg=0", "found 0, allowed: (0, 1e+06] kg"},
        BadValue{"body.ball.mass_kg=-1", "found -1, allowed: (0, 1e+06] kg"},
        BadValue{"body.finger.rod_radius_m=0.01", "found 0.01 m, allowed: below tip_radius_m, which is 0.01 m"},
        BadValue{"body.finger.cell_size_m=0.006",
                 "found 0.006 m, allowed: at most tip_radius_m - rod_radius_m = 0.005 m"},
        BadValue{"body.finger.tip_length_m=0.031", "allowed: at most rod_length_m, which is 0.03 m"},
        BadValue{"body.block.cell_size_m=0.011", "allowed: at most the smallest edge of size_m, 0.01 m"},
        BadValue{"body.block.size_m=[0.01, 0.01]", "found an array of 2, expected an array of 3 numbers m"},
        BadValue{"body.block.size_m=[0.01, 0.01, -0.01]", "found -0.01, allowed: [1e-09, 1e+06] m"},
        BadValue{"body.finger.q_xyzw=[0, 0, 0, 2]", "its norm is 2, allowed: 1 within 1e-6"},
        BadValue{"body.finger.material=ruber",
                 "there is no material \"ruber\"; did you mean \"rubber\"?; there are: rubber"},
        BadValue{"body.finger.lattice=papers",
                 "found \"papers\", allowed: neo_hookean, paper; did you mean \"paper\"?"},
        BadValue{"body.finger.type=rope", "found \"rope\", allowed: fingertip, block, plane, rigid, tet"},
        BadValue{"body.finger.mount=fixed", "found \"fixed\", allowed: free, driven, inertia"},
        BadValue{"body.ball.mount=inertia", "found \"inertia\", allowed: free, driven, fixed"},
        BadValue{"body.finger.cell_size_mm=1", "unknown key; did you mean cell_size_m (metres)?"},
        BadValue{"body.finger.cell_size=1", "unknown key; did you mean cell_size_m (metres)?"},
        BadValue{"body.finger.tip_raduis_m=0.01",
                 "unknown key; did you mean \"tip_radius_m\"?; known here: type, material"},
        BadValue{"body.table.velocity_m_s=[1, 0, 0]", "unknown key; known here: type, position_m, q_xyzw"},
        BadValue{"material.rubber.poissons_ratio=0.5", "found 0.5, allowed: [0, 0.499]"},
        BadValue{"material.rubber.shear_modulus_pa=3000", "disagrees with E = 4000 and nu = 0.4"},
        BadValue{"material.rubber.damping_ratio=strong", "expected a number in [0, 10] or \"critical\""},
        BadValue{"contact.normal=soft", "found \"soft\", allowed: stiff"},
        BadValue{"contact.static_friction=-0.1", "found -0.1, allowed: [0, inf]"},
        BadValue{"contact.slip_distance_m=-1", "found -1, allowed: [0, 1]"},
        BadValue{"contact.dynamic_friction=0.95", "dynamic_friction is 0.95, allowed: [0, 0.9]"},
        BadValue{"controller.press.type=pid", "found \"pid\", allowed: adaptive_pid"},
        BadValue{"controller.press.body=fingr",
                 "there is no body \"fingr\"; did you mean \"finger\"?; there are: finger, block"},
        BadValue{"controller.press.body=table", "body.table cannot be moved, allowed: a fingertip or a rigid body"},
        BadValue{"controller.press.direction=[0, 0, 0]", "found a vector of length 0, allowed: any but zero"},
        BadValue{"controller.press.feed_forward=1", "found the number 1, expected true or false"},
        BadValue{"integrator.time_step_s=0.0003",
                 "does not divide run.control_period_s = 0.001 s; the largest good value below it is 0.00025 s"},
        BadValue{"integrator.time_step_s=0.002", "the largest good value below it is 0.001 s"},
        BadValue{"integrator.kind=euler", "allowed: forward_euler, semi_implicit_euler, runge_kutta, energy_guided"},
        BadValue{"run.seed=1.5", "found the number 1.5, expected a whole number in [0, "},
        BadValue{"run.threads=-1", "found -1, allowed: [0, 1024]"},
        BadValue{"run.duration_s=0.0001", "allowed: at least one control_period_s, 0.001 s"},
        BadValue{"run.precision=half", "found \"half\", allowed: double, float"},
        BadValue{"title=x", "unknown key; did you mean scene.title?"}),
    [](const auto& info) { return std::to_string(info.index); });

TEST(BadScene, a_good_one_is_not_refused) { EXPECT_EQ(refusal({}), ""); }

TEST(BadScene, missing_file_suggests_its_neighbour) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "distal_bad_scene_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "press.toml") << kGoodScene;
  const auto message = [&](const std::filesystem::path& file) -> std::string {
    try {
      load_scene(file);
      return "";
    } catch (const InputError& error) { return error.what(); }
  };
  EXPECT_EQ(message(folder / "press.toml"), "");
  EXPECT_EQ(message(folder / "pres.toml"), (folder / "pres.toml").string() + ": there is no such file; did you mean " +
                                               (folder / "press.toml").string() + "?");
  EXPECT_THAT(message(folder), HasSubstr("is a folder"));
  EXPECT_THAT(message(folder / "none" / "press.toml"), HasSubstr("there is no such file"));
  std::filesystem::remove_all(folder);
}

TEST(BadScene, broken_toml_names_line_and_column) {
  EXPECT_THAT(refusal({}, "[scene]\ntitle = \"open\n"), StartsWith("good.toml:2:"));
  EXPECT_THAT(refusal({}, "[scene\n"), AllOf(StartsWith("good.toml:1:"), HasSubstr("not valid TOML")));
}

TEST(BadScene, toml_that_trips_the_parser_itself) {
  EXPECT_EQ(refusal({}, "[scene]\ntitle = [}\n[run]\n"), "good.toml:2: not valid TOML");
  EXPECT_EQ(refusal({}, "[scene]\n\n[.a]"), "good.toml:3: not valid TOML");
  EXPECT_THAT(refusal({"run.seed=[}"}), HasSubstr("found the string \"[}\", expected a whole number"));
}

TEST(BadScene, keys_of_thousands_of_levels_are_refused_before_they_use_up_the_stack) {
  std::string deep = "a";
  for (int n = 0; n < 30000; ++n) deep += ".a";
  EXPECT_EQ(refusal({}, "[scene]\n[" + deep + "]\n"), "good.toml:2: not valid TOML: a key of more than 1000 levels");
  EXPECT_EQ(refusal({deep + "=1"}),
            "--set a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a....: found a key of 60001 characters, "
            "allowed: at most 1000");
  // Dots of numbers are not levels.
  std::string numbers = "0.1";
  for (int n = 0; n < 2000; ++n) numbers += ", 0.1";
  EXPECT_THAT(refusal({}, "[scene]\ntitle = [" + numbers + "]\n"), Not(HasSubstr("levels")));
}

TEST(BadScene, a_strand_along_points_is_as_long_as_they_are) {
  EXPECT_THAT(refusal_of_added("[body.wire]\ntype = \"strand\"\nmaterial = \"rubber\"\n"
                               "points_m = [[0.0, 0.0, 0.5], [1e4, 0.0, 0.5]]\n"),
              AllOf(HasSubstr("body.wire.spacing_m"), HasSubstr("particles"), HasSubstr("of memory")));
}

TEST(BadScene, a_name_given_twice_is_refused) {
  EXPECT_THAT(refusal_of_added("[body.table]\ntype = \"plane\"\n"), AllOf(HasSubstr("good.toml:"), HasSubstr("table")));
  EXPECT_THAT(refusal({}, replaced("tip_radius_m = 0.01", "tip_radius_m = 0.01\ntip_radius_m = 0.02")),
              HasSubstr("good.toml:13:"));
}

TEST(BadScene, a_value_in_the_file_is_named_by_line_and_column) {
  EXPECT_EQ(refusal({}, replaced("tip_radius_m = 0.01", "  tip_radius_m = -3")),
            "good.toml:12:3: body.finger.tip_radius_m: found -3, allowed: [1e-09, 1e+06] m");
}

TEST(BadScene, all_problems_come_in_one_go_up_to_ten) {
  const std::string two = refusal({"run.duration_s=-1", "run.seed=-1"});
  EXPECT_THAT(two, AllOf(HasSubstr("run.duration_s"), HasSubstr("\n--set run.seed=-1")));
  std::string many;
  for (int i = 0; i < 14; ++i) many += "unknown_" + std::to_string(i) + " = 1\n";
  const std::string message = refusal({}, many + kGoodScene);
  EXPECT_THAT(message, AllOf(HasSubstr("unknown_9"), Not(HasSubstr("unknown_10")), HasSubstr("and 4 more")));
}

TEST(BadScene, missing_keys_are_named_at_their_table) {
  EXPECT_EQ(refusal({}, replaced("type = \"plane\"\n", "")),
            "good.toml:19:7: body.table.type: is missing; expected: fingertip, block, plane, rigid, tet, hand, strand");
  EXPECT_THAT(refusal_of_added("[fix.a]\n"), HasSubstr("fix.a.body: is missing"));
  EXPECT_THAT(refusal_of_added("[pair.a]\n"), HasSubstr("pair.a.bodies: is missing"));
  EXPECT_THAT(refusal({}, replaced("poissons_ratio = 0.4\n", "")), HasSubstr("material.rubber: two of"));
  EXPECT_THAT(refusal({}, "[scene]\ntitle = \"empty\"\n"), HasSubstr("the scene has no [body.NAME]"));
}

TEST(BadScene, a_misspelt_name_in_an_override_is_pointed_out_first) {
  EXPECT_THAT(
      refusal({"body.fingr.cell_size_m=0.002"}),
      StartsWith("--set body.fingr.cell_size_m=0.002: body.fingr: the scene has no body \"fingr\", so this adds "
                 "one; did you mean body.finger?\n"));
  EXPECT_THAT(refusal({"material.ruber.damping_ratio=1"}), HasSubstr("did you mean material.rubber?"));
}

TEST(BadScene, a_rigid_body_has_a_mass_or_a_density_and_a_mesh_a_file) {
  EXPECT_THAT(refusal({"body.ball.mass_kg=0.1", "body.ball.density_kg_m3=900"}),
              HasSubstr("body.ball.density_kg_m3: is given beside mass_kg, allowed: one of them"));
  EXPECT_THAT(refusal_of_added("[part.a]\nbody = \"ball\"\nmass_kg = 0.1\ndensity_kg_m3 = 900.0\n"),
              HasSubstr("part.a.density_kg_m3: is given beside mass_kg"));
  EXPECT_EQ(refusal_of_added("[part.a]\nbody = \"ball\"\nmass_kg = 0.1\n"), "");
  EXPECT_THAT(refusal({"body.ball.shape=mesh"}), HasSubstr("body.ball.file: is missing"));
  EXPECT_THAT(refusal({"body.ball.shape=mesh", "body.ball.file=nowhere.stl"}), HasSubstr("there is no file"));
  EXPECT_THAT(refusal_of_added("[part.a]\nbody = \"ball\"\nshape = \"mesh\"\n"), HasSubstr("part.a.file: is missing"));
}

TEST(BadScene, names_that_point_nowhere) {
  EXPECT_THAT(refusal_of_added("[fix.a]\nbody = \"blok\"\n"),
              HasSubstr("fix.a.body: there is no body \"blok\"; did you mean \"block\"?"));
  EXPECT_THAT(refusal_of_added("[load.a]\nbody = \"table\"\n"),
              HasSubstr("body.table is rigid, allowed: a fingertip, a block, a tet or a strand"));
  EXPECT_THAT(refusal_of_added("[part.a]\nbody = \"finger\"\n"), HasSubstr("body.finger is not rigid"));
  EXPECT_THAT(refusal_of_added("[sensor.a]\ntype = \"taxels\"\nbody = \"nobody_at_all\"\n"),
              HasSubstr("sensor.a.body: there is no body \"nobody_at_all\"; there are: finger"));
  EXPECT_THAT(refusal_of_added("[motion]\nbody = \"bal\"\ndepths_m = [0.001]\n"),
              HasSubstr("motion.body: there is no body \"bal\"; did you mean \"ball\"?"));
  EXPECT_THAT(refusal_of_added("[pair.a]\nbodies = [\"finger\", \"tabel\"]\n"),
              HasSubstr("pair.a.bodies: there is no body \"tabel\"; did you mean \"table\"?"));
}

TEST(BadScene, pairs_are_of_two_bodies_and_given_once) {
  EXPECT_THAT(refusal_of_added("[pair.a]\nbodies = [\"finger\"]\n"), HasSubstr("expected an array of two names"));
  EXPECT_THAT(refusal_of_added("[pair.a]\nbodies = [\"finger\", \"finger\"]\n"), HasSubstr("found \"finger\" twice"));
  EXPECT_THAT(
      refusal_of_added("[pair.a]\nbodies = [\"finger\", \"table\"]\n[pair.b]\nbodies = [\"table\", \"finger\"]\n"),
      HasSubstr("pair.b.bodies: pair.a has the same two bodies"));
  EXPECT_THAT(refusal_of_added("[pair.a]\nbodies = [\"finger\", \"table\"]\ndynamic_friction = 2\n"),
              HasSubstr("pair.a.dynamic_friction: dynamic_friction is 2, allowed: [0, 0.9]"));
}

TEST(BadScene, one_mover_for_a_body) {
  EXPECT_THAT(refusal_of_added("[controller.again]\ntype = \"adaptive_pid\"\nbody = \"finger\"\n"),
              HasSubstr("controller.again.body: body.finger is already moved by controller.press"));
  EXPECT_THAT(refusal_of_added("[motion]\nbody = \"finger\"\ndepths_m = [0.001]\n"),
              HasSubstr("motion.body: body.finger is already moved by controller.press"));
  EXPECT_THAT(refusal({"body.finger.mount=driven"}),
              HasSubstr("must be \"free\" or \"inertia\", since controller.press"));
  EXPECT_THAT(refusal({"body.ball.mount=free"}, kGoodScene + "[motion]\nbody = \"ball\"\ndepths_m = [0.001]\n"),
              HasSubstr("body.ball.mount: must be \"driven\", since motion moves it"));
}

TEST(BadScene, forces_push_a_guided_body_along_its_guide) {
  const std::string motion = "[motion]\nbody = \"ball\"\nforces_n = [1.0]\n";
  EXPECT_EQ(refusal_of_added(motion), "");
  EXPECT_THAT(refusal({"body.ball.mount=driven"}, kGoodScene + motion),
              HasSubstr("body.ball.mount: must be \"guided\""));
  EXPECT_THAT(refusal({"body.ball.guide_axis=[1,0,0]"}, kGoodScene + motion),
              HasSubstr("body.ball.guide_axis: must lie along motion.direction"));
  EXPECT_THAT(refusal({"motion.body=block"}, kGoodScene + motion), HasSubstr("body.block cannot be moved"));
}

TEST(BadScene, points_and_compression) {
  const std::string points = "[sensor.a]\ntype = \"points\"\nbody = \"block\"\n";
  EXPECT_EQ(refusal_of_added(points + "points_m = [[0, 0, 0.005]]\n"), "");
  EXPECT_THAT(refusal_of_added(points), HasSubstr("sensor.a.points_m"));
  EXPECT_THAT(refusal_of_added(points + "points_m = []\n"), HasSubstr("found an empty array, allowed: one point"));
  EXPECT_THAT(refusal_of_added(points + "points_m = [[0, 0]]\n"), HasSubstr("expected an array of points m, like"));
  EXPECT_THAT(refusal_of_added(points + "points_m = [[0, 0, \"a\"]]\n"), HasSubstr("sensor.a.points_m"));
  EXPECT_THAT(refusal_of_added(points + "points_m = [[0, 0, 0]]\nmeasured_file = \"nowhere.csv\"\n"),
              HasSubstr("there is no file"));
  EXPECT_THAT(refusal_of_added("[sensor.block]\ntype = \"points\"\nbody = \"block\"\npoints_m = [[0, 0, 0]]\n"),
              HasSubstr("body.block has that name too"));
  EXPECT_THAT(refusal_of_added("[sensor.a]\ntype = \"compression\"\nbody = \"block\"\n"),
              HasSubstr("sensor.a: needs a [motion]"));
}

TEST(BadScene, motions) {
  const std::string motion = "[motion]\nbody = \"ball\"\n";
  EXPECT_THAT(refusal_of_added(motion + "depths_m = [0.001, 0.001]\n"),
              HasSubstr("depths must increase, but 0.001 m follows 0.001 m"));
  EXPECT_THAT(refusal_of_added(motion + "depths_m = []\n"), HasSubstr("found an empty array"));
  EXPECT_THAT(refusal_of_added(motion), HasSubstr("motion.depths_m: is missing; expected an array of depths"));
  EXPECT_THAT(refusal_of_added(motion + "forces_n = []\n"), HasSubstr("found an empty array, allowed: one force"));
  EXPECT_THAT(refusal_of_added(motion + "forces_n = [0]\n"), HasSubstr("found 0, allowed: (0, 1e+06] N"));
  EXPECT_THAT(refusal_of_added(motion + "depths_m = [0.001]\nforces_n = [1.0]\n"),
              HasSubstr("depths_m is given too; allowed: one of the two"));
  EXPECT_THAT(refusal_of_added(motion + "forces_n = [1.0]\ntwist_rad = [1.0]\n"),
              HasSubstr("motion.twist_rad: goes with depths_m, not with forces_n"));
  EXPECT_THAT(refusal_of_added(motion + "depths_m = [-0.001]\n"), HasSubstr("found -0.001, allowed: [0, 1] m"));
  EXPECT_THAT(refusal_of_added(motion + "depths_m = 0.001\n"), HasSubstr("expected an array of numbers m"));
  EXPECT_THAT(refusal_of_added(motion + "depths_m = [0.001]\nshift_m = [0.001]\nshift_direction = [0, 0, 3]\n"),
              HasSubstr("motion.shift_direction: is parallel to direction"));
  EXPECT_THAT(refusal_of_added(motion + "depths_m = [0.001]\nsettle_limit_s = 0.001\n"),
              HasSubstr("allowed: at least settle_window_s, which is 0.01 s"));
}

TEST(BadScene, both_ways_to_give_the_damping) {
  EXPECT_THAT(refusal({"material.rubber.damping_ratio=1", "material.rubber.relaxation_time_s=0.1"}),
              HasSubstr("material.rubber.damping_ratio: relaxation_time_s is given too; allowed: one of the two"));
}

TEST(BadScene, boxes_that_hold_nothing) {
  EXPECT_THAT(refusal_of_added("[fix.a]\nbody = \"block\"\nmin_m = [0, 0, 1]\nmax_m = [1, 1, 0]\n"),
              HasSubstr("fix.a.max_m: its z is 0, below that of min_m, which is 1"));
}

TEST(BadScene, a_fixed_body_does_not_move) {
  EXPECT_THAT(refusal({"body.ball.mount=fixed", "body.ball.velocity_m_s=[1, 0, 0]"}),
              HasSubstr("body.ball.mount: a fixed body cannot have an initial velocity"));
}

TEST(BadScene, names_that_are_no_file_names) {
  EXPECT_THAT(refusal_of_added("[body.\"../x\"]\ntype = \"plane\"\n"), HasSubstr("a name has 1 to 64 letters"));
  EXPECT_THAT(refusal_of_added("[body]\nx = 1\n"), HasSubstr("body.x: found the number 1, expected a table"));
}

TEST(BadScene, what_does_not_fit_into_memory_is_refused_with_its_size) {
  const std::string message = refusal({"body.finger.cell_size_m=0.00001"});
  EXPECT_THAT(message,
              AllOf(StartsWith("--set body.finger.cell_size_m=0.00001: body.finger.cell_size_m: found 1e-05 m"),
                    HasSubstr("makes 8.01e+09 particles and needs about 4.01 TB of memory")));
  // The size it suggests is accepted, and one tenth below it does not fit 4 GiB.
  const std::string lead = "cell_size_m = ";
  const std::size_t at = message.find(lead) + lead.size();
  const double cell = std::stod(message.substr(at));
  EXPECT_EQ(refusal({"body.finger.cell_size_m=" + std::to_string(cell)}), "");
  const double nodes = std::pow(0.02 / (0.9 * cell), 3);
  EXPECT_GT(nodes * 500.0, 4.0 * 1024 * 1024 * 1024);
  EXPECT_THAT(refusal({"body.block.size_m=[100, 100, 100]"}), HasSubstr("of memory"));
  EXPECT_THAT(refusal({"body.block.cell_size_m=1e-9"}), HasSubstr("of memory"));
}

TEST(BadScene, a_mesh_that_is_not_there_or_not_one) {
  EXPECT_EQ(refusal({"body.finger.shape=mesh"}),
            "--set body.finger.shape=mesh: body.finger.file: is missing; shape = \"mesh\" needs a closed STL file");
  EXPECT_THAT(refusal({"body.finger.shape=mesh", "body.finger.file=no.stl"}),
              HasSubstr("body.finger.file: there is no file"));
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "distal_bad_scene_test.stl";
  std::ofstream(file) << "no mesh";
  EXPECT_THAT(refusal({"body.finger.shape=mesh", "body.finger.file=" + file.string()}),
              AllOf(HasSubstr("body.finger.file: "), HasSubstr(file.string())));
  std::filesystem::remove(file);
}

TEST(BadScene, unknown_tables) {
  EXPECT_THAT(
      refusal({"contacts.normal=stiff"}),
      StartsWith("--set contacts.normal=stiff: contacts: unknown table; did you mean \"contact\"?; known tables: "));
  EXPECT_THAT(refusal_of_added("[felt.heat]\n"), HasSubstr("felt: unknown table"));
  EXPECT_THAT(refusal_of_added("[[run]]\n"), HasSubstr("run: found an array of 1, expected a table like [run]"));
}

TEST(BadScene, a_clash_points_at_the_override_that_made_it) {
  EXPECT_THAT(
      refusal({"body.finger.tip_radius_m=0.005"}),
      StartsWith("--set body.finger.tip_radius_m=0.005: body.finger.rod_radius_m: found 0.005 m, allowed: below"));
  EXPECT_THAT(refusal({"run.control_period_s=0.0015"}, kGoodScene + "[integrator]\ntime_step_s = 0.001\n"),
              StartsWith("--set run.control_period_s=0.0015: integrator.time_step_s: found 0.001 s"));
}

TEST(BadScene, channels_are_checked) {
  const auto channel = [](const std::string& type, const std::string& body, const std::string& line) {
    return refusal_of_added("[channel.a]\ntype = \"" + type + "\"\nbody = \"" + body + "\"\n" + line + "\n");
  };
  EXPECT_EQ(channel("contact", "finger", "noise_n = 0.01"), "");
  EXPECT_THAT(channel("contcat", "finger", ""), HasSubstr("did you mean \"contact\"?"));
  EXPECT_THAT(channel("contact", "finger", "noise_m = 0.01"), HasSubstr("channel.a.noise_m: unknown key"));
  EXPECT_THAT(channel("contact", "block", ""), HasSubstr("body.block does not move as a whole"));
  EXPECT_THAT(channel("contact", "fingr", ""), HasSubstr("did you mean \"finger\"?"));
  EXPECT_THAT(channel("contact", "finger", "drop_out_share = 1.0"), HasSubstr("found 1, allowed: [0, 0.999]"));
  EXPECT_THAT(channel("contact", "finger", "latency_s = 9.0\njitter_s = 2.0"),
              HasSubstr("latency_s + jitter_s is 11 s, allowed: at most 10000 control periods, 10 s"));
  EXPECT_THAT(channel("contact", "finger", "[channel.b]\ntype = \"contact\"\nbody = \"finger\""),
              HasSubstr("channel.b: channel.a already carries the contact of body.finger"));
  const std::string driven = "[body.tool]\ntype = \"rigid\"\nmount = \"driven\"\n";
  EXPECT_EQ(channel("command", "tool", "latency_s = 0.01\n" + driven), "");
  EXPECT_THAT(channel("command", "tool", "max_force_n = 1.0\n" + driven), HasSubstr("body.tool is driven"));
}

// The cell is not what is wrong.
TEST(BadScene, a_block_in_millimetres_is_asked_about_before_its_cells) {
  EXPECT_THAT(
      refusal({"body.block.size_m=[50, 50, 20]"}),
      AllOf(StartsWith("--set body.block.size_m=[50, 50, 20]: body.block.size_m: found 50: is that meant? lengths "
                       "are in metres, 50 mm are 0.05\n"),
            HasSubstr("body.block.cell_size_m: found")));
}

TEST(BadScene, a_file_needs_a_shape_that_reads_it) {
  const std::string body = "[body.pad]\ntype = \"tet\"\nmaterial = \"rubber\"\nfile = \"pad.msh\"\n";
  EXPECT_THAT(
      refusal_of_added(body),
      AllOf(HasSubstr("body.pad.file: found \""),
            HasSubstr("allowed: shape = \"mesh\" (tetrahedra) or \"surface\" (a closed surface to be filled)")));
  EXPECT_THAT(refusal_of_added(body + "shape = \"cuboid\"\n"), "");
  EXPECT_THAT(refusal_of_added("[body.pad]\ntype = \"rigid\"\nfile = \"pad.stl\"\n"),
              HasSubstr("body.pad.file: found \""));
}

TEST(BadScene, a_motion_without_end_names_its_speed) {
  const std::string press = "[motion]\nbody = \"finger\"\ndepths_m = [0.001]\ntwist_rad = [0.1]\n";
  std::string scene = kGoodScene;
  scene = scene.substr(0, scene.find("[controller.press]")) + press;
  EXPECT_THAT(refusal({"body.finger.mount=driven"}, scene), "");
  EXPECT_THAT(refusal({"body.finger.mount=driven", "motion.speed_m_s=1e-300"}, scene),
              AllOf(HasSubstr("--set motion.speed_m_s=1e-300: motion.speed_m_s: found 1e-300"),
                    HasSubstr("allowed: speeds that end it within 1e+06 s")));
  EXPECT_THAT(refusal({"body.finger.mount=driven", "motion.angular_speed_rad_s=1e-9"}, scene),
              HasSubstr("motion.angular_speed_rad_s: found 1e-09, with which the motion takes 1e+08 s"));
}

}  // namespace
}  // namespace distal
