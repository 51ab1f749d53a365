// What a PlantServer serves: the simulated finger, or any other thing that steps.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "distal/state/exchange.hpp"

namespace distal {

struct ServedBody {
  std::string name;
  bool driven = false;  // takes twists and poses; otherwise wrenches
  // Of a body that is not driven, for the brake. Centres are from E, along E's axes.
  double mass_kg = 0.0;
  Vec3 centre_m = Vec3::Zero();
  Mat3 inertia_kg_m2 = Mat3::Zero();  // about the centre
  Vec3 weight_n = Vec3::Zero();       // of all that hangs on it, in the world
  Vec3 weight_centre_m = Vec3::Zero();
};

struct ServedJoint {
  std::string name;
  bool turns = true;     // else it slides
  bool motor = false;    // can go to a position
  int follows = -1;      // another joint, and takes no command itself
  std::size_t body = 0;  // that it moves
  double lower = 0.0, upper = 0.0;
  double most_effort = 0.0, motor_stiffness = 0.0, motor_damping = 0.0;
};

class ServedPlant {
 public:
  virtual ~ServedPlant() = default;
  virtual const std::vector<ServedBody>& bodies() const = 0;
  virtual double period_s() const = 0;
  virtual double duration_s() const = 0;  // 0: no end
  virtual std::uint64_t scene_hash() const = 0;

  virtual std::span<const BodyFeedback> feedback() const = 0;
  virtual std::uint64_t period() const = 0;  // control periods done
  virtual double simulated_s() const = 0;
  virtual bool ended() const = 0;

  // Of plants with joints: one of each for every joint.
  virtual std::span<const ServedJoint> joints() const { return {}; }
  virtual std::span<const JointFeedback> joint_feedback() const { return {}; }
  virtual void command_joints(std::span<const JointCommand>) {}  // for the periods that follow

  // One control period. False: it failed, and nothing but reset helps.
  virtual bool advance(std::span<const BodyCommand> commands) = 0;
  virtual void reset() = 0;
  virtual std::string failure() const { return {}; }  // why it failed, for people
};

}  // namespace distal
