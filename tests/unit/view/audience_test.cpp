#include "distal/view/audience.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

namespace distal {
namespace {

using nlohmann::json;

// Moments that only differ in time.
struct Clockwork : MomentSource {
  bool update() override { return std::exchange(fresh, false); }
  void develop(RoleSet roles, ViewMoment& moment) override {
    ++developed;
    moment.time_s = time_s;
    moment.parts.resize(2);
    moment.parts[1].positions_m.assign(roles & role_bit(ViewRole::lattice) ? 1 : 0, Vec3::Zero());
    moment.parts[0].positions_m.assign(roles & role_bit(ViewRole::surface) ? 1 : 0, Vec3::Zero());
  }
  void go_to(double new_time_s) {
    time_s = new_time_s;
    fresh = true;
  }
  bool fresh = false;
  double time_s = 0.0;
  int developed = 0;
};

struct Onlooking : Seat {
  void send(SharedMessage message) override {
    std::uint32_t type = 0, size = 0;
    std::memcpy(&type, message->data(), 4);
    std::memcpy(&size, message->data() + 4, 4);
    types.push_back(type);
    if (type == 2) frames.push_back(json::parse(message->substr(8, size)));
    if (type == 3) notes.push_back(json::parse(message->substr(8, size)));
  }
  std::size_t waiting() const override { return notes.size(); }

  std::vector<std::uint32_t> types;
  std::vector<json> frames, notes;
};

ViewScene two_parts() {
  ViewScene scene;
  ViewPart surface, lattice;
  surface.vertices = lattice.vertices = 1;
  lattice.role = ViewRole::lattice;
  scene.parts = {surface, lattice};
  return scene;
}

class AudienceTest : public ::testing::Test {
 protected:
  void show(double time_s) {
    source.go_to(time_s);
    audience.take_moment();
  }
  void answer(Onlooking& seat, std::size_t frame) {
    audience.hear(seat, json({{"type", "got"}, {"frame", seat.frames[frame]["frame"]}}).dump());
  }

  Clockwork source;
  SteeringBox box;
  Audience audience{two_parts(), {}, source, box};
  Onlooking seat, other;
};

TEST_F(AudienceTest, TheSceneComesFirstAndThenTwoFramesAtMost) {
  audience.join(seat);
  EXPECT_EQ(seat.types, (std::vector<std::uint32_t>{1})) << "there is no moment yet";
  EXPECT_TRUE(audience.tick());
  for (const double time_s : {0.1, 0.2, 0.3, 0.4}) show(time_s);
  ASSERT_EQ(seat.frames.size(), 2u);
  EXPECT_EQ(seat.frames[1]["time_s"], 0.2);
  EXPECT_FALSE(audience.tick()) << "nobody could take another";
  answer(seat, 0);
  EXPECT_TRUE(audience.tick());
  show(0.5);
  ASSERT_EQ(seat.frames.size(), 3u);
  EXPECT_EQ(seat.frames[2]["time_s"], 0.5) << "the newest wins, those between are not sent";
}

TEST_F(AudienceTest, AStillSceneIsShownToWhoWasBusy) {
  audience.join(seat);
  for (const double time_s : {0.1, 0.2, 0.3}) show(time_s);
  answer(seat, 0);
  answer(seat, 1);
  EXPECT_EQ(seat.frames.size(), 2u) << "perhaps there is a newer one soon";
  audience.tick();
  audience.tick();
  ASSERT_EQ(seat.frames.size(), 3u) << "there is none";
  EXPECT_EQ(seat.frames[2]["time_s"], 0.3);
  audience.tick();
  audience.tick();
  EXPECT_EQ(seat.frames.size(), 3u) << "nothing is sent twice";
}

TEST_F(AudienceTest, AnswersToFramesThatNeverWereFreeNothing) {
  audience.join(seat);
  show(0.1);
  show(0.2);
  for (const char* answer : {R"({"type": "got", "frame": 77})", R"({"type": "got", "frame": 0})"})
    audience.hear(seat, answer);
  answer(seat, 0);
  answer(seat, 0);
  show(0.3);
  show(0.4);
  EXPECT_EQ(seat.frames.size(), 3u);
}

TEST_F(AudienceTest, EachHasItsOwnWishAndEqualOnesShareAFrame) {
  audience.join(seat);
  audience.join(other);
  show(0.1);
  EXPECT_EQ(seat.frames.back()["frame"], other.frames.back()["frame"]);
  EXPECT_EQ(source.developed, 1);
  audience.hear(other, R"({"type": "show", "roles": ["lattice"], "colour": "none", "contacts": false})");
  ASSERT_EQ(other.frames.size(), 2u) << "at once, also of a still scene";
  EXPECT_EQ(other.frames.back()["parts"][0]["part"], 1);
  EXPECT_EQ(seat.frames.size(), 1u);
}

TEST_F(AudienceTest, CountsWhoLooksOn) {
  audience.join(seat);
  show(0.1);
  EXPECT_EQ(seat.frames.back()["viewers"], 1);
  audience.join(other);
  EXPECT_EQ(seat.frames.back()["viewers"], 2);
  answer(seat, 0);
  audience.leave(other);
  EXPECT_EQ(seat.frames.back()["viewers"], 1);
  audience.leave(other);
  EXPECT_EQ(audience.size(), 1u);
}

TEST_F(AudienceTest, RequestsReachTheLoopAndNotesDoNotPileUp) {
  audience.join(seat);
  audience.hear(seat, R"({"type": "pause"})");
  std::vector<SteerRequest> requests;
  box.take(requests);
  ASSERT_EQ(requests.size(), 1u);
  for (int i = 0; i < 100; ++i) audience.hear(seat, "nonsense");
  EXPECT_GT(seat.notes.size(), 0u);
  EXPECT_LT(seat.notes.size(), 20u);
  EXPECT_EQ(seat.notes[0]["error"], true);
}

}  // namespace
}  // namespace distal
