#include "distal/view/page_message.hpp"

#include <gtest/gtest.h>

#include "distal/core/error.hpp"

namespace distal {
namespace {

SteerRequest request_of(std::string_view text) { return std::get<SteerRequest>(parse_page_message(text)); }

TEST(PageMessage, ReadsEveryMessageOfTheProtocol) {
  EXPECT_EQ(std::get<FrameArrived>(parse_page_message(R"({"type": "got", "frame": 812})")).frame, 812u);
  const auto wish = std::get<ViewWish>(parse_page_message(
      R"({"type": "show", "roles": ["surface", "rod"], "colour": "displacement_m", "contacts": false})"));
  EXPECT_EQ(wish.roles, role_bit(ViewRole::surface) | role_bit(ViewRole::rod));
  EXPECT_EQ(wish.colour, ViewColour::displacement_m);
  EXPECT_FALSE(wish.contacts);
  EXPECT_TRUE(wish.patches) << "unless a page says that it wants none";
  EXPECT_FALSE(
      std::get<ViewWish>(
          parse_page_message(R"({"type": "show", "roles": [], "colour": "none", "contacts": true, "patches": false})"))
          .patches);
  EXPECT_EQ(request_of(R"({"type": "pause"})").kind, SteerKind::pause);
  EXPECT_EQ(request_of(R"({"type": "resume"})").kind, SteerKind::resume);
  EXPECT_EQ(request_of(R"({"type": "step"})").kind, SteerKind::step);
  EXPECT_EQ(request_of(R"({"type": "speed", "value": 0.25})").value, 0.25);
  EXPECT_EQ(request_of(R"({"type": "speed", "value": 0})").value, 0.0);
  EXPECT_EQ(request_of(R"({"type": "reset"})").kind, SteerKind::reset);
  const SteerRequest grab = request_of(R"({"type": "grab", "body": 2, "point_m": [1, 2, 3]})");
  EXPECT_EQ(grab.kind, SteerKind::grab);
  EXPECT_EQ(grab.body, 2);
  EXPECT_EQ(grab.place_m, Vec3(1, 2, 3));
  EXPECT_EQ(request_of(R"({"type": "drag", "target_m": [1, 2, 3]})").kind, SteerKind::drag);
  EXPECT_EQ(request_of(R"({"type": "release"})").kind, SteerKind::release);
  EXPECT_EQ(request_of(R"({"type": "give_back", "body": 1})").body, 1);
  EXPECT_EQ(request_of(R"({"type": "push", "position_m": [1, 2, 3]})").place_m, Vec3(1, 2, 3));
  EXPECT_EQ(request_of(R"({"type": "push_end"})").kind, SteerKind::push_end);
  EXPECT_EQ(request_of(R"({"type": "seek", "time_s": 0.3})").value, 0.3);
}

TEST(PageMessage, RefusesWhatIsWrong) {
  for (const char* text : {"",
                           "null",
                           "[]",
                           "{",
                           "7",
                           R"({"type": 7})",
                           R"({"type": "dance"})",
                           R"({"frame": 1})",
                           R"({"type": "got"})",
                           R"({"type": "got", "frame": -1})",
                           R"({"type": "got", "frame": 1.5})",
                           R"({"type": "speed", "value": 11})",
                           R"({"type": "speed", "value": -1})",
                           R"({"type": "speed", "value": 0.001})",
                           R"({"type": "speed"})",
                           R"({"type": "speed", "value": "fast"})",
                           R"({"type": "grab", "body": -1, "point_m": [1, 2, 3]})",
                           R"({"type": "grab", "body": 0, "point_m": [1, 2]})",
                           R"({"type": "grab", "body": 1e300, "point_m": [1, 2, 3]})",
                           R"({"type": "drag", "target_m": [1, 2, 1e9]})",
                           R"({"type": "drag", "target_m": [1, 2, null]})",
                           R"({"type": "push", "position_m": "here"})",
                           R"({"type": "seek", "time_s": -1})",
                           R"({"type": "show", "roles": ["bones"], "colour": "none", "contacts": true})",
                           R"({"type": "show", "roles": "rod", "colour": "none", "contacts": true})",
                           R"({"type": "show", "roles": [], "colour": "red", "contacts": true})",
                           R"({"type": "show", "roles": [], "colour": "none", "contacts": 1})",
                           R"({"type": "show", "roles": [], "colour": "none", "contacts": true, "patches": 1})"})
    EXPECT_THROW(parse_page_message(text), InputError) << text;
}

TEST(PageMessage, RefusesWhatViewersMayNotDo) {
  ViewScene scene;
  scene.bodies = {{"finger", "fingertip", true, true}, {"table", "plane", false, false}};
  ViewPowers all, watch;
  watch.touch = watch.reset = false;
  watch.refusal = "only watched";
  const SteerRequest grab = request_of(R"({"type": "grab", "body": 0, "point_m": [0, 0, 0]})");
  EXPECT_EQ(find_refusal(grab, scene, all), "");
  EXPECT_NE(find_refusal(grab, scene, watch).find("only watched"), std::string::npos);
  EXPECT_NE(find_refusal(request_of(R"({"type": "grab", "body": 1, "point_m": [0, 0, 0]})"), scene, all), "");
  EXPECT_NE(find_refusal(request_of(R"({"type": "grab", "body": 2, "point_m": [0, 0, 0]})"), scene, all), "");
  EXPECT_NE(find_refusal(request_of(R"({"type": "push", "position_m": [0, 0, 0]})"), scene, all), "") << "no pointer";
  scene.pointer = ViewPointer{};
  EXPECT_EQ(find_refusal(request_of(R"({"type": "push", "position_m": [0, 0, 0]})"), scene, all), "");
  EXPECT_NE(find_refusal(request_of(R"({"type": "reset"})"), scene, watch), "");
  EXPECT_NE(find_refusal(request_of(R"({"type": "seek", "time_s": 0})"), scene, all), "");
  EXPECT_EQ(find_refusal(request_of(R"({"type": "pause"})"), scene, watch), "");
  watch.pace = false;
  for (const char* pace :
       {R"({"type": "pause"})", R"({"type": "resume"})", R"({"type": "step"})", R"({"type": "speed", "value": 1})"})
    EXPECT_NE(find_refusal(request_of(pace), scene, watch), "") << pace;
}

}  // namespace
}  // namespace distal
