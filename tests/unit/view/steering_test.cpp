#include "distal/view/steering.hpp"

#include <gtest/gtest.h>

namespace distal {
namespace {

SteerRequest drag_to(double x) { return {SteerKind::drag, 0.0, 0, Vec3(x, 0.0, 0.0)}; }

TEST(SteeringBox, KeepsOrderAndOnlyTheNewestOfEqualRequests) {
  SteeringBox box;
  EXPECT_TRUE(box.put({SteerKind::grab, 0.0, 1, Vec3::Zero()}));
  for (const double x : {1.0, 2.0, 3.0}) EXPECT_TRUE(box.put(drag_to(x)));
  EXPECT_TRUE(box.put({SteerKind::release, 0.0, 0, Vec3::Zero()}));
  EXPECT_TRUE(box.put({SteerKind::step, 0.0, 0, Vec3::Zero()}));
  EXPECT_TRUE(box.put({SteerKind::step, 0.0, 0, Vec3::Zero()}));
  std::vector<SteerRequest> requests;
  box.take(requests);
  ASSERT_EQ(requests.size(), 5u);
  EXPECT_EQ(requests[0].kind, SteerKind::grab);
  EXPECT_EQ(requests[1].place_m.x(), 3.0);
  EXPECT_EQ(requests[2].kind, SteerKind::release);
  EXPECT_EQ(requests[4].kind, SteerKind::step) << "two steps are two steps";
  box.take(requests);
  EXPECT_TRUE(requests.empty());
}

TEST(SteeringBox, DoesNotGrow) {
  SteeringBox box;
  int accepted = 0;
  for (int i = 0; i < 1000; ++i) accepted += box.put({SteerKind::step, 0.0, 0, Vec3::Zero()}) ? 1 : 0;
  EXPECT_LT(accepted, 100);
  std::vector<SteerRequest> requests;
  box.take(requests);
  EXPECT_EQ(requests.size(), static_cast<std::size_t>(accepted));
  EXPECT_TRUE(box.put({SteerKind::pause, 0.0, 0, Vec3::Zero()}));
}

}  // namespace
}  // namespace distal
