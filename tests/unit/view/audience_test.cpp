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
    moment.bodies.resize(2);
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
  std::size_t waiting() const override { return reads ? notes.size() : types.size(); }

  bool reads = true;
  std::vector<std::uint32_t> types;
  std::vector<json> frames, notes;
};

ViewScene two_parts() {
  ViewScene scene;
  ViewPart surface, lattice;
  surface.vertices = lattice.vertices = 1;
  lattice.role = ViewRole::lattice;
  scene.parts = {surface, lattice};
  scene.bodies = {{"left", "fingertip", true, true}, {"right", "fingertip", true, true}};
  scene.pointer = ViewPointer{};
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
  void grab(Onlooking& seat, int body) {
    audience.hear(seat, json({{"type", "grab"}, {"body", body}, {"point_m", {0, 0, 0}}}).dump());
  }
  void drag(Onlooking& seat, double x) {
    audience.hear(seat, json({{"type", "drag"}, {"target_m", {x, 0, 0}}}).dump());
  }
  void push(Onlooking& seat) { audience.hear(seat, R"({"type": "push", "position_m": [0, 0, 0]})"); }
  std::vector<SteerRequest> requests() {
    std::vector<SteerRequest> taken;
    box.take(taken);
    return taken;
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

TEST_F(AudienceTest, FramesDoNotPileUpForOneWhoClaimsToHaveGotThem) {
  seat.reads = false;
  audience.join(seat);
  for (int i = 0; i < 100; ++i) {
    show(0.1 * i);
    audience.tick();
    audience.hear(seat, json({{"type", "got"}, {"frame", i + 1}}).dump());
  }
  EXPECT_LT(seat.types.size(), 10u);
  seat.reads = true;
  const std::size_t before = seat.frames.size();
  show(20.0);
  EXPECT_EQ(seat.frames.size(), before + 1) << "goes on when it reads";
}

TEST_F(AudienceTest, EachHasAHandOfItsOwn) {
  audience.join(seat);
  audience.join(other);
  grab(seat, 0);
  grab(other, 1);
  drag(seat, 1.0);
  drag(other, 2.0);
  drag(other, 3.0);
  std::vector<SteerRequest> taken = requests();
  ASSERT_EQ(taken.size(), 4u);
  EXPECT_EQ(taken[2].body, 0);
  EXPECT_EQ(taken[2].place_m.x(), 1.0) << "not replaced by another hand's";
  EXPECT_EQ(taken[3].body, 1);
  EXPECT_EQ(taken[3].place_m.x(), 3.0);
  audience.hear(seat, R"({"type": "release"})");
  drag(seat, 4.0);
  taken = requests();
  ASSERT_EQ(taken.size(), 1u) << "nothing is in its hand any more";
  EXPECT_EQ(taken[0].body, 0);
}

TEST_F(AudienceTest, WhatOneHoldsAnotherCannotTake) {
  audience.join(seat);
  audience.join(other);
  grab(seat, 0);
  push(seat);
  grab(other, 0);
  push(other);
  audience.hear(other, R"({"type": "push_end"})");
  EXPECT_EQ(requests().size(), 2u);
  ASSERT_EQ(other.notes.size(), 2u);
  EXPECT_EQ(other.notes[0]["text"], "left is in the hand of another viewer");
  EXPECT_EQ(other.notes[1]["text"], "another viewer has the ball");
  for (const char* words : {R"({"type": "give_back", "body": 0})", R"({"type": "reset"})"}) {
    audience.hear(other, words);
    grab(other, 0);
    grab(seat, 0);
    requests();
    EXPECT_EQ(seat.notes.size(), 1u) << words;
    audience.hear(other, R"({"type": "give_back", "body": 0})");
    seat.notes.clear();
    grab(seat, 0);
  }
  push(other);
  EXPECT_EQ(other.notes.size(), 2u) << "a reset has parked the ball";
}

TEST_F(AudienceTest, WhoGoesAwayLetsGo) {
  audience.join(seat);
  audience.join(other);
  grab(seat, 1);
  push(seat);
  requests();
  audience.leave(seat);
  const std::vector<SteerRequest> taken = requests();
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken[0].kind, SteerKind::release);
  EXPECT_EQ(taken[0].body, 1);
  EXPECT_EQ(taken[1].kind, SteerKind::push_end);
  audience.leave(other);
  EXPECT_TRUE(requests().empty());
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
  EXPECT_EQ(requests().size(), 1u);
  for (int i = 0; i < 100; ++i) audience.hear(seat, "nonsense");
  EXPECT_GT(seat.notes.size(), 0u);
  EXPECT_LT(seat.notes.size(), 20u);
  EXPECT_EQ(seat.notes[0]["error"], true);
}

}  // namespace
}  // namespace distal
