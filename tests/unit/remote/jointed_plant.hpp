// A plant that counts, with a joint that turns by a motor, one that follows it, and one that slides without a motor.
#pragma once
#include "unit/remote/counting_plant.hpp"

namespace distal {

class JointedPlant : public CountingPlant {
 public:
  JointedPlant() : CountingPlant({false, false, false}) {
    joints_.resize(3), joint_feedback_.resize(3);
    joints_[0].name = "hand/knuckle", joints_[1].name = "hand/middle", joints_[2].name = "hand/slide";
    for (std::size_t j = 0; j < 3; ++j) joints_[j].body = 2 - j, joints_[j].lower = -0.5, joints_[j].upper = 1.5;
    joints_[0].motor = true, joints_[0].motor_stiffness = 2.0, joints_[0].motor_damping = 0.05;
    joints_[0].most_effort = 0.5;
    joints_[1].follows = 0;
    joints_[2].turns = false;
  }
  std::span<const ServedJoint> joints() const override { return joints_; }
  std::span<const JointFeedback> joint_feedback() const override { return joint_feedback_; }
  void command_joints(std::span<const JointCommand> commands) override {
    last_joints_.assign(commands.begin(), commands.end());
  }

  std::vector<ServedJoint> joints_;
  std::vector<JointFeedback> joint_feedback_;
  std::vector<JointCommand> last_joints_;
};

}  // namespace distal
