// A model being simulated: owns the four nouns, prepares them, and steps them.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "distal/integrator/choice.hpp"
#include "distal/integrator/stable_step.hpp"
#include "distal/sensor/contact_sums.hpp"
#include "distal/sensor/reading.hpp"
#include "distal/simulation/step.hpp"

namespace distal {

inline constexpr double kStepShare = 0.6;  // of the stable step

class Simulation {
 public:
  // Builds, finds first mode and stable step, chooses the time step. Throws InputError.
  // `quasi_static` adds a drag that settles driven fingers fast, without changing where they settle.
  explicit Simulation(const ModelDescription& description, bool quasi_static = false);

  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // Bodies that take commands and give feedback: rods and movable objects, in scene order.
  std::size_t body_count() const { return commanded_.size(); }
  const std::string& body_name(std::size_t i) const { return model_.rigid[commanded_[i]].name; }
  std::size_t body_index(const std::string& name) const;  // throws InputError

  // Joints that move, those that follow others too.
  std::size_t joint_count() const { return moving_joints_.size(); }
  const Joint& joint(std::size_t i) const { return model_.joints[moving_joints_[i]]; }
  std::size_t joint_index(const std::string& name) const;  // throws InputError

  // One control period, one command per body; and one per joint, or none at all. Throws InputError for a joint command
  // that cannot be followed.
  StepReport advance(std::span<const BodyCommand> commands, std::span<const JointCommand> joints = {},
                     std::span<const TouchCommand> touches = {});
  // Of the present state, one per body.
  const std::vector<BodyReading>& measure() const { return readings_; }
  const std::vector<JointFeedback>& measure_joints() const { return joint_readings_; }  // one per joint
  std::vector<TouchFeedback> measure_touches() const;  // of the touches of the last period
  EnergyReading energy() const;

  const Model& model() const { return model_; }
  const State& state() const { return state_; }
  const Workspace& workspace() const { return workspace_; }
  const StableStep& stable_step() const { return stable_; }
  double first_mode_rad_s() const { return first_mode_; }  // 0 where it was not asked for
  // Why the integrator is what it is, if the choice was left to us; empty otherwise.
  const std::string& integrator_reason() const { return integrator_reason_; }
  double time_step_s() const { return model_.control_period_s / state_.steps_per_period; }
  std::size_t rigid_index(std::size_t body) const { return commanded_[body]; }

  // Continue from a state that this model reached: equal bits from here on.
  void resume(const State& state);
  // Continue from any other state of the same model.
  void restore(const State& state);

 private:
  Model prepare(const ModelDescription& description, bool quasi_static);
  void choose_step();
  void check_step_again();
  void refresh_forces();
  void read_sensors();

  StableStep stable_;
  double first_mode_ = 0.0;
  std::string integrator_reason_;
  Model model_;
  State state_;
  Workspace workspace_;
  ContactSums contact_sums_;
  Control control_;
  std::vector<std::size_t> commanded_;
  std::vector<std::size_t> moving_joints_;
  std::vector<BodyReading> readings_;
  std::vector<JointFeedback> joint_readings_;
  std::unique_ptr<StableStepWatch> watch_;  // none where the user gave the step
};

}  // namespace distal
