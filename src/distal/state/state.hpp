// State: the minimal set to continue from. Copy it, step both copies, get equal bits.
#pragma once
#include <cstdint>
#include <vector>

#include "distal/math/vec3_array.hpp"
#include "distal/model/model.hpp"
#include "distal/state/exchange.hpp"

namespace distal {

struct RigidState {
  Vec3 centre_of_mass = Vec3::Zero();    // world [m]
  Quat q = Quat::Identity();             // body frame in the world
  Vec3 velocity = Vec3::Zero();          // of the centre of mass [m/s]
  Vec3 angular_velocity = Vec3::Zero();  // world [rad/s]
};

enum class Touch : std::uint8_t { none, sticks, slides };

// Per sample of a contact pair: does it touch, where is it held (partner's frame), and how far was it from there after
// the last step (for the energy books).
struct PairState {
  std::vector<Touch> touch;
  std::vector<Vec3> anchor_m;
  std::vector<float> stretch_m;
  std::vector<float> approach_m_s;  // hunt_crossley: at first touch; else empty
};

// Accumulated since the start [J].
struct EnergyLedger {
  double initial = 0.0;
  double dissipated = 0.0;
  double control_work = 0.0;
  double integrator = 0.0;     // implicit kinds: what the scheme itself took
  double last_residual = 0.0;  // at the end of the last control period
};

struct State {
  double time_s = 0.0;
  std::int64_t period = 0;  // control periods done
  std::int64_t step = 0;    // integrator steps done
  Vec3Array x, v;           // particles, world [m], [m/s]
  std::vector<RigidState> rigid;
  std::vector<PairState> pairs;
  std::vector<PairState> soft_pairs;  // anchors are (facet, two barycentric coordinates) of the partner's skin
  EnergyLedger energy;
  // Implicit integrators: what the last step added to the velocities, the first guess for the next.
  Vec3Array velocity_change;
  std::vector<Twist> rigid_velocity_change;
  double adaptive_step_s = 0.0;  // last good step of an adaptive integrator
  int steps_per_period = 1;      // of a fixed-step integrator; grows when bodies stiffen
};

// Control: the inputs of one control period, one command per rigid body (ignored by fixed ones).
struct Control {
  std::vector<BodyCommand> commands;
};

State make_initial_state(const Model& model);

Pose body_pose(const RigidBody& body, const RigidState& state);
Pose end_pose(const RigidBody& body, const RigidState& state);
Twist end_twist(const RigidBody& body, const RigidState& state);
// Sets centre of mass motion from the pose and twist of E.
void set_end(const RigidBody& body, const Pose& end, const Twist& twist, RigidState& state);
Vec3 angular_momentum(const RigidBody& body, const RigidState& state);  // about the centre of mass, world
Vec3 angular_velocity_from(const RigidBody& body, const Quat& q, const Vec3& angular_momentum);

// A fingerprint of every bit of the state.
std::uint64_t hash_state(const State& state);

}  // namespace distal
