// The simulated finger behind the Plant interface: a controller cannot tell it from a real one.
#pragma once
#include "distal/controller/controller.hpp"
#include "distal/simulation/simulation.hpp"

namespace distal {

class SimulatedPlant : public Plant {
 public:
  explicit SimulatedPlant(Simulation& simulation) : simulation_(simulation) { read(); }

  double period_s() const override { return simulation_.model().control_period_s; }
  std::span<const BodyFeedback> feedback() const override { return feedback_; }
  std::span<const BodyFeedback> exchange(std::span<const BodyCommand> commands) override {
    report_ = simulation_.advance(commands, joints_, touches_);
    read();
    return feedback_;
  }

  // For the exchanges that follow: one per joint, or none.
  void command_joints(std::span<const JointCommand> joints) { joints_.assign(joints.begin(), joints.end()); }

  void command_touches(std::span<const TouchCommand> touches) { touches_.assign(touches.begin(), touches.end()); }

  // Beyond what a real finger does and tells.
  void resume(const State& state) {
    simulation_.resume(state);
    read();
  }
  void restore(const State& state) {
    simulation_.restore(state);
    read();
  }
  const StepReport& report() const { return report_; }
  std::span<const BodyReading> readings() const { return simulation_.measure(); }

 private:
  void read() {
    feedback_.clear();
    for (const BodyReading& reading : simulation_.measure()) feedback_.push_back(reading.feedback);
  }

  Simulation& simulation_;
  StepReport report_;
  std::vector<BodyFeedback> feedback_;
  std::vector<JointCommand> joints_;
  std::vector<TouchCommand> touches_;
};

}  // namespace distal
