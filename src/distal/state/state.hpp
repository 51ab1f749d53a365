// State: the minimal set to continue from. Copy it, step both copies, get equal bits.
#pragma once
#include <cstdint>
#include <numbers>
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
  std::vector<float> weakened;  // share of slip_distance_m slid since it last stuck: its friction, static to dynamic
  std::vector<float> approach_m_s;  // hunt_crossley: at first touch; else empty
};

// A contact of rigid bodies as the last complementarity step left it: the load that shapes the next patch, and what
// sensors read. Forces act on the partner, along the normal (out of the sampled body) and the two tangents.
struct HardContact {
  std::int32_t pair = 0;
  std::int32_t part_a = 0, part_b = 0;
  std::uint32_t feature = 0;
  Vec3 point = Vec3::Zero();                                   // world [m]
  Vec3 normal = Vec3::UnitZ(), first_tangent = Vec3::UnitX();  // world
  double separation_m = 0.0;
  double load_n = 0.0;                 // P
  Vec3 friction = Vec3::Zero();        // two forces [N] and the moment about the normal [N m]
  double eccentricity_m = 0.0;         // e_n of the friction ellipsoid
  double semi_axes_m[2] = {0.0, 0.0};  // of the patch, the first along the first tangent
  double fit_deviation_m = 0.0;        // of the quadric from the mesh, where a mesh touches; the larger of two
  bool slides = false;

  double area_m2() const {
    return std::numbers::pi * semi_axes_m[0] * semi_axes_m[1];
  }  // of the patch, where it has one
  Vec3 second_tangent() const { return normal.cross(first_tangent); }
  Vec3 force() const { return load_n * normal + friction.x() * first_tangent + friction.y() * second_tangent(); }
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
  std::vector<double> joint_position, joint_velocity;  // [rad, rad/s] or [m, m/s]
  std::vector<double> joint_effort;                    // of motors in the last step [N m] or [N]
  std::vector<HardContact> hard_contacts;
  std::vector<Wrench> soft_impulse;  // complementarity: of soft bodies on rigid ones since the last step [N s, N m s]
  std::vector<std::vector<double>> fields;         // per field of the model: of every node of its body
  std::vector<std::vector<double>> spring_rest_m;  // per soft body: at slots of its StrandSprings; empty: none sets
  EnergyLedger energy;
  // Implicit integrators: what the last step added to the velocities, the first guess for the next.
  Vec3Array velocity_change;
  std::vector<Twist> rigid_velocity_change;
  double adaptive_step_s = 0.0;  // last good step of an adaptive integrator
  int steps_per_period = 1;      // of a fixed-step integrator; grows when bodies stiffen
};

// Control: the inputs of one control period, one command per rigid body (ignored by fixed ones) and one per joint; no
// joint commands leave all joints to their own motors.
struct Control {
  std::vector<BodyCommand> commands;
  std::vector<JointCommand> joints;
  std::vector<TouchCommand> touches;  // of hands on skins
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
