#include <gtest/gtest.h>

#include <optional>

#include "unit/remote/counting_plant.hpp"
#include "unit/remote/server_line.hpp"

namespace distal {
namespace {

class RealTimeServer : public testing::Test {
 protected:
  void use(SafeAction action) {
    description_.safe_action = action;
    server_.emplace(plant_, description_, PlantClock::real_time);
    line_.emplace(*server_, 1);
  }
  // A controller came and commanded 1 N at time 1 s.
  void command_with(SafeAction action) {
    use(action);
    line_->hello(1);
    line_->push(2, 1.0, 1.0);
  }
  double pushed_n() const { return plant_.last_[0].wrench.force.z(); }
  Reply period(double now_s, double lag_s = 0.0) {
    server_->advance(now_s);
    return Line::parse(server_->take_answer(lag_s));
  }
  CountingPlant plant_;
  ServeDescription description_;
  std::optional<PlantServer> server_;
  std::optional<Line> line_;
};

TEST_F(RealTimeServer, RunsFromTheFirstCommandAndAnswersAfterThePeriod) {
  use(SafeAction::zero);
  line_->hello(1);
  EXPECT_FALSE(server_->running());
  EXPECT_FALSE(line_->push(2, 1.0).any);
  EXPECT_FALSE(line_->push(2, 1.0).any) << "a repeat is answered with the first";
  ASSERT_TRUE(server_->running());
  const Reply reply = period(0.001);
  EXPECT_EQ(reply.header.sequence, 2u);
  EXPECT_EQ(reply.progress.period, 1u);
  EXPECT_FALSE(period(0.002).any) << "answered once";
  EXPECT_EQ(line_->push(2, 1.0).bytes, reply.bytes);
  EXPECT_EQ(pushed_n(), 1.0) << "held";
}

TEST_F(RealTimeServer, TellsItsLag) {
  use(SafeAction::zero);
  line_->hello(1);
  line_->push(2, 1.0);
  EXPECT_FALSE(period(0.001, 0.0005).has(wire::kLagging));
  line_->push(3, 1.0);
  const Reply reply = period(0.002, 0.004);
  EXPECT_TRUE(reply.has(wire::kLagging));
  EXPECT_EQ(reply.progress.lag_s, 0.004);
}

TEST_F(RealTimeServer, GoesToTheSafeActionAfterTheWatchdogTime) {
  command_with(SafeAction::zero);
  period(1.049);
  EXPECT_EQ(pushed_n(), 1.0);
  period(1.051);
  EXPECT_EQ(pushed_n(), 0.0);
  period(1.052);
  EXPECT_EQ(server_->safe_actions(), 1u);
  EXPECT_TRUE(line_->hello(3, 1.053).has(wire::kSafeAction));
  line_->push(4, 2.0, 1.054);
  EXPECT_FALSE(period(1.055).has(wire::kSafeAction));
  EXPECT_EQ(pushed_n(), 2.0);
}

TEST_F(RealTimeServer, HoldKeepsTheLastCommand) {
  command_with(SafeAction::hold);
  period(2.0);
  EXPECT_EQ(pushed_n(), 1.0);
  EXPECT_EQ(server_->safe_actions(), 1u);
}

TEST_F(RealTimeServer, BrakeTakesHalfTheVelocityAndCarriesTheWeight) {
  command_with(SafeAction::brake);
  plant_.feedback_[0].twist.linear = Vec3(0.0, 0.0, -0.01);
  plant_.feedback_[0].pose.q = Quat(0.0, 1.0, 0.0, 0.0);  // upside down: E's z is the world's -z
  period(2.0);
  // 20 g, half of 10 mm/s in 1 ms, and 0.2 N of weight.
  EXPECT_NEAR(pushed_n(), -(0.02 * 0.005 / 0.001 + 0.2), 1e-12);
  plant_.feedback_[0].twist.linear = Vec3(0.0, 0.0, -1e6);
  period(2.001);
  EXPECT_NEAR(plant_.last_[0].wrench.force.norm(), description_.max_force_n, 1e-9);
}

TEST_F(RealTimeServer, StopLeadsToTheSafeActionAtOnce) {
  command_with(SafeAction::zero);
  period(1.001);
  line_->send(wire::kStop, 3, {}, 1.002);
  period(1.002);
  EXPECT_EQ(pushed_n(), 0.0);
}

TEST_F(RealTimeServer, ResetWaitsForTheNextCommand) {
  use(SafeAction::zero);
  line_->hello(1);
  line_->push(2, 1.0);
  period(0.001);
  EXPECT_EQ(line_->send(wire::kReset, 3).progress.period, 0u);
  EXPECT_FALSE(server_->running());
  line_->push(4, 1.0);
  EXPECT_TRUE(server_->running());
}

}  // namespace
}  // namespace distal
