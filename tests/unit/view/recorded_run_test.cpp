#include "distal/view/recorded_run.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "distal/core/error.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/sensor/measure.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

constexpr double kFramesPerS = 100.0;

const std::vector<std::string> kQuickPress = {"body.finger.cell_size_m=0.0025", "run.threads=1", "run.duration_s=0.04",
                                              "body.finger.position_m=[0.0, 0.0, 0.0101]", "record.frames_per_s=100"};

class RecordedPress : public ::testing::Test {
 protected:
  void SetUp() override {
    const Scene scene = load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / "press.toml", kQuickPress);
    RunOptions options;
    options.out = folder();
    ASSERT_EQ(run_scene(scene, options).status, RunStatus::done);
  }
  std::filesystem::path folder() const { return scratch_.path() / "out"; }
  // Replaces a part of a file.
  void damage(const char* name, const std::string& from, const std::string& to) {
    std::string text = test::read_text(folder() / name);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << name << " " << from;
    text.replace(at, from.size(), to);
    std::ofstream(folder() / name, std::ios::binary) << text;
  }

 private:
  test::ScratchFolder scratch_;
};

TEST_F(RecordedPress, HasTheFramesAndPartsOfTheRun) {
  const RecordedRun run(folder(), "test");
  ASSERT_EQ(run.frames(), 5u);
  for (std::size_t f = 0; f < run.frames(); ++f)
    EXPECT_NEAR(run.time_s(f), static_cast<double>(f) / kFramesPerS, 1e-12);
  const ViewScene& scene = run.scene();
  EXPECT_EQ(scene.mode, ViewMode::recorded);
  ASSERT_EQ(scene.bodies.size(), 2u);
  EXPECT_EQ(scene.bodies[0].kind, "fingertip");
  EXPECT_EQ(scene.bodies[1].kind, "plane");
  std::vector<ViewRole> roles;
  for (const ViewPart& part : scene.parts) roles.push_back(part.role);
  EXPECT_EQ(roles, (std::vector<ViewRole>{ViewRole::surface, ViewRole::lattice, ViewRole::rod, ViewRole::ground}));
  for (const ViewPart& part : scene.parts) {
    EXPECT_FALSE(part.indices.empty());
    for (const std::uint32_t index : part.indices) ASSERT_LT(index, part.vertices);
  }
}

TEST_F(RecordedPress, FindsTheFrameAtOrBeforeATime) {
  const RecordedRun run(folder(), "test");
  EXPECT_EQ(run.frame_at(0.0), 0u);
  EXPECT_EQ(run.frame_at(0.0199), 1u);
  EXPECT_EQ(run.frame_at(0.02), 2u);
  EXPECT_EQ(run.frame_at(7.0), 4u);
}

TEST_F(RecordedPress, ShowsWhatTheSimulationHad) {
  const Scene scene = load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / "press.toml", kQuickPress);
  const RecordedRun run(folder(), "test");
  const ViewMoment moment = run.load(4);
  // The same run again, for its state at the end.
  RunOptions options;
  const test::ScratchFolder scratch;
  options.out = scratch.path() / "again";
  struct Keeper : Onlooker {
    void begin(const Scene&, const Session&) override {}
    double look(const Session&) override { return 0.0; }
    void end(const Session& session, RunStatus, const std::string&) override {
      const Simulation& simulation = session.simulation();
      snapshots = take_snapshots(simulation.model(), simulation.state(), simulation.workspace());
      reading = session.readings()[0];
    }
    std::vector<BodySnapshot> snapshots;
    BodyReading reading;
  } keeper;
  options.onlooker = &keeper;
  run_scene(scene, options);
  ASSERT_EQ(moment.parts[0].positions_m.size(), keeper.snapshots[0].surface.vertices.size());
  double most_pressure = 0.0;
  for (std::size_t v = 0; v < moment.parts[0].positions_m.size(); ++v) {
    // Files hold single precision: some 1e-9 m at 20 mm.
    EXPECT_LT((moment.parts[0].positions_m[v] - keeper.snapshots[0].surface.vertices[v]).norm(), 5e-9);
    EXPECT_NEAR(moment.parts[0].pressure_pa[v], keeper.snapshots[0].pressure_pa[v],
                1e-6 * keeper.snapshots[0].pressure_pa[v]);
    EXPECT_NEAR(moment.parts[0].displacement_m[v], keeper.snapshots[0].displacement_m[v].norm(), 1e-9);
    most_pressure = std::max(most_pressure, moment.parts[0].pressure_pa[v]);
  }
  EXPECT_GT(most_pressure, 0.0);
  const BodyFeedback &read = moment.bodies[0].reading.feedback, &was = keeper.reading.feedback;
  EXPECT_EQ(read.contact.force, was.contact.force) << "to the last bit";
  EXPECT_EQ(read.sensor.torque, was.sensor.torque);
  EXPECT_EQ(read.pose.position, was.pose.position);
  EXPECT_EQ(read.twist.linear, was.twist.linear);
  EXPECT_EQ(moment.bodies[0].reading.patch.count, keeper.reading.patch.count);
  Vec3 sum = Vec3::Zero();
  for (const ViewContact& contact : moment.contacts) sum += contact.force_n;
  EXPECT_LT((sum - was.pose.q * was.contact.force).norm(), 1e-5 * sum.norm());
}

TEST_F(RecordedPress, AFrameBeforeTheFirstRowShowsTheFirstRow) {
  const RecordedRun run(folder(), "test");
  EXPECT_EQ(run.load(0).time_s, 0.0);
  EXPECT_NEAR(run.load(0).bodies[0].reading.feedback.time_s, 0.001, 1e-12);
}

TEST_F(RecordedPress, DamagedResultsAreNamed) {
  const auto message = [&]() -> std::string {
    try {
      const RecordedRun run(folder(), "test");
      for (std::size_t f = 0; f < run.frames(); ++f) run.load(f);
    } catch (const InputError& problem) { return problem.what(); }
    return "";
  };
  EXPECT_EQ(message(), "");
  damage("frames/surface_000002.vtu", "format=\"binary\">", "format=\"binary\">!!!!");
  EXPECT_NE(message().find("surface_000002.vtu"), std::string::npos) << message();
  damage("frames/surface_000002.vtu", "!!!!", "");
  damage("run.pvd", "frames/surface_000001.vtu", "../../secret/surface_000001.vtu");
  EXPECT_NE(message().find("run.pvd"), std::string::npos) << message();
  damage("run.pvd", "../../secret", "frames");
  damage("series/finger.csv", "wrench", "dance");
  EXPECT_NE(message().find("finger.csv:2"), std::string::npos) << message();
  for (const char* text : {"", "hello", "<VTKFile>\n<Collection>\n"}) {
    std::ofstream(folder() / "run.pvd", std::ios::binary) << text;
    EXPECT_NE(message().find("run.pvd: is damaged: "), std::string::npos) << message();
  }
  std::filesystem::remove(folder() / "run.pvd");
  EXPECT_NE(message().find("no frames"), std::string::npos) << message();
}

TEST_F(RecordedPress, FramesThatWereDeletedAreLeftOut) {
  std::filesystem::remove(folder() / "frames/surface_000000.vtu");
  std::filesystem::remove(folder() / "frames/lattice_000003.vtu");
  const RecordedRun run(folder(), "test");
  EXPECT_EQ(run.missing(), 2u);
  ASSERT_EQ(run.frames(), 3u);
  EXPECT_NEAR(run.time_s(2), 0.04, 1e-12);
  EXPECT_EQ(run.load(2).bodies[0].reading.feedback.time_s, run.time_s(2)) << "numbers stay with their frames";
  std::filesystem::remove_all(folder() / "frames");
  EXPECT_THROW(RecordedRun(folder(), "test"), InputError);
}

TEST_F(RecordedPress, NumbersThatEndEarlyAreSaid) {
  const std::string text = test::read_text(folder() / "series/finger.csv");
  // The heading and 20 of 40 rows, and a piece of the next.
  std::size_t end = 0;
  for (int line = 0; line < 21; ++line) end = text.find('\n', end) + 1;
  std::ofstream(folder() / "series/finger.csv", std::ios::binary) << text.substr(0, end + 7);
  const RecordedRun run(folder(), "test");
  for (std::size_t f = 0; f < run.frames(); ++f)
    EXPECT_EQ(run.load(f).standing.message.find("finger end at 0.02 s") != std::string::npos, f > 2) << f;
}

TEST(Base64, DecodesWhatIsOneAndNothingElse) {
  std::vector<std::byte> bytes;
  for (const std::string text : {"", "f", "fo", "foo", "foobar"}) {
    std::string digits;
    append_base64(digits, std::as_bytes(std::span(text.data(), text.size())));
    ASSERT_TRUE(decode_base64(digits, bytes)) << text;
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), text);
  }
  for (const char* wrong : {"Zg", "Zg=", "Z===", "====", "Z.==", "Zg==Zg==", "Zm9 "})
    EXPECT_FALSE(decode_base64(wrong, bytes)) << wrong;
}

// What the live page has as colours, a recorded run has too.
TEST(RecordedField, IsSeenAsInALiveScene) {
  const test::ScratchFolder scratch;
  const Scene scene =
      load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / "noodle_heated.toml",
                 std::vector<std::string>{"run.threads=1", "motion.depths_m=[0.0004]", "record.frames_per_s=100"});
  RunOptions options;
  options.out = scratch.path() / "out";
  ASSERT_EQ(run_scene(scene, options).status, RunStatus::done);
  const RecordedRun run(options.out, "test");
  int with_field = 0;
  const ViewMoment moment = run.load(run.frames() - 1);
  for (std::size_t p = 0; p < run.scene().parts.size(); ++p) {
    const ViewPart& part = run.scene().parts[p];
    EXPECT_EQ(part.field.empty(), moment.parts[p].field.empty());
    if (part.field.empty()) continue;
    ++with_field;
    EXPECT_EQ(part.role, ViewRole::surface);
    EXPECT_EQ(part.field, "temperature_k");
    const std::vector<double>& values = moment.parts[p].field;
    ASSERT_EQ(values.size(), part.vertices);
    EXPECT_NEAR(*std::min_element(values.begin(), values.end()), 293.15, 1.0);
    EXPECT_NEAR(*std::max_element(values.begin(), values.end()), 373.15, 1.0);
  }
  EXPECT_EQ(with_field, 1);
}

}  // namespace
}  // namespace distal
