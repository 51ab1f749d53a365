#include "distal/run/session.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "distal/run/control_room.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

Scene load_quick_press() {
  const std::vector<std::string> overrides = {"body.finger.cell_size_m=0.0025", "run.threads=1",
                                              "body.finger.position_m=[0.0, 0.0, 0.0101]", "record.frames_per_s=0"};
  return load_scene(std::filesystem::path(DISTAL_SCENARIO_DIR) / "press.toml", overrides);
}

void press(Session& session, const Scene& scene, int periods) {
  ControlRoom room(scene, body_names(session.simulation()));
  for (int k = 0; k < periods; ++k) session.advance(room.update(session.feedback(), session.period_s()));
}

TEST(Session, ResetGoesBackToTheFirstStateWithEqualBits) {
  const Scene scene = load_quick_press();
  Session session(scene, {});
  const BodyFeedback first = session.feedback()[0];
  press(session, scene, 30);
  const std::uint64_t after = hash_state(session.simulation().state());
  session.reset();
  EXPECT_EQ(session.simulation().state().period, 0);
  EXPECT_EQ(session.feedback()[0].pose.position, first.pose.position);
  EXPECT_EQ(session.feedback()[0].tip.force, first.tip.force);
  press(session, scene, 30);
  EXPECT_EQ(hash_state(session.simulation().state()), after);
}

TEST(Session, RecordsEachEpisodeInAFolderOfItsOwn) {
  const Scene scene = load_quick_press();
  const test::ScratchFolder scratch;
  const std::filesystem::path out = scratch.path() / "out";
  Session session(scene, {out, false, "test"});
  session.reset();  // nothing has happened yet
  press(session, scene, 10);
  session.reset();
  press(session, scene, 10);
  const RunResult result = session.finish(RunStatus::done);
  const std::filesystem::path second = scratch.path() / "out-2";
  EXPECT_EQ(result.out, second);
  EXPECT_EQ(test::read_text(out / "series/finger.csv"), test::read_text(second / "series/finger.csv"));
  EXPECT_NE(test::read_text(out / "summary.json").find("\"interrupted\""), std::string::npos);
  EXPECT_NE(test::read_text(second / "summary.json").find("\"done\""), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "out-3"));
}

TEST(Session, RecordsNothingWithoutAFolder) {
  const Scene scene = load_quick_press();
  Session session(scene, {});
  press(session, scene, 3);
  const RunResult result = session.finish(RunStatus::done);
  EXPECT_TRUE(result.out.empty());
  EXPECT_NEAR(result.simulated_s, 0.003, 1e-12);
}

}  // namespace
}  // namespace distal
