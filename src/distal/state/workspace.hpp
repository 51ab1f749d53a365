// Workspace: everything recomputed from model, state and control. Each group says who computes it.
#pragma once
#include <memory>
#include <vector>

#include "distal/core/parallel.hpp"
#include "distal/state/ligament_ring.hpp"
#include "distal/state/state.hpp"

namespace distal {

// One sample near a partner, and what the contact law says about it.
struct Contact {
  std::int32_t sample = 0;
  std::int32_t facet = -1;     // paper 2: of the sampled body; between soft bodies: of the partner's skin
  Touch touch = Touch::none;   // as it will be committed
  bool let_go = false;         // within one implicit step: left, and is pushed but not held if it comes back
  Vec3 point = Vec3::Zero();   // world [m]
  double depth_m = 0.0;        // penetration, positive
  Vec3 normal = Vec3::Zero();  // out of the partner, world
  Vec3 force = Vec3::Zero();   // on the sampled body, world [N]
  double normal_force_n = 0.0;
  double energy_j = 0.0;           // stored in the penalty springs
  double released_j = 0.0;         // lost if this contact state is committed
  double damping_w = 0.0;          // power that its damper takes
  Vec3 anchor_m = Vec3::Zero();    // partner's frame, as it will be committed
  double stretch_m = 0.0;          // of the tangential spring, as it will be committed
  double weakened = 0.0;           // share of slip_distance_m slid, as it will be committed
  double damping_share = 0.0;      // of the tangential damper
  double tangent_share = 1.0;      // how much of the tangential stiffness is left across the slip; none along it
  std::array<double, 3> weight{};  // of the facet's vertices
  double approach_m_s = 0.0;       // hunt_crossley, as it will be committed
  // hunt_crossley: slopes of the force
  double stiffness_n_m = 0.0, damping_n_s_m = 0.0, tangential_n_m = 0.0, tangential_n_s_m = 0.0;
};

// What a pair remembers of one sample that touches.
struct TouchMemory {
  std::int32_t sample;
  Touch touch;
  float stretch_m, weakened, approach_m_s;
  Vec3 anchor_m;
};

// force/strand works on blocks of rings: rows for every place of the section that hold a block, the ring before it and
// what a vector may touch behind it.
inline constexpr int kStrandBlockRings = 32;
inline constexpr std::size_t kStrandRowLength = kStrandBlockRings + 24, kStrandRows = 10;

// Sums of one plane of cells, kept apart so that threads never change a bit.
struct PlaneSums {
  double dissipation_w = 0.0;  // viscous power
  double elastic_j = 0.0;
  double smallest_j = 1.0;  // det F
  std::int32_t worst_cell = -1;
};

// The same of one plane of nodes, for the ligaments: on the rod, world, about its centre of mass.
struct LigamentSums {
  Wrench on_rod, on_rod_damping;
  double ligament_j = 0.0, ligament_w = 0.0;
};

// [J]
struct StoredEnergy {
  double kinetic = 0.0, elastic = 0.0, ligament = 0.0, contact = 0.0, gravity = 0.0;
  double total() const { return kinetic + elastic + ligament + contact + gravity; }
};

struct SoftWorkspace {
  std::vector<PlaneSums> planes;  // force/
  // Scratch of the lattice kernel: what a plane of cells adds to the node planes below and above it.
  struct Scratch {
    AlignedVector<double> low, high, row;
    AlignedVector<float> low_float, high_float, row_float;
  };
  std::vector<Scratch> scratch;              // per thread
  std::vector<AlignedVector<double>> carry;  // per thread: its last plane's share of the next thread's first
  std::vector<int> first_plane;              // per thread and the end: balanced split of planes
  // force/tet, of every vertex: three components, and the nine of P_n, in the layout of model/lane_rows.hpp.
  AlignedVector<double> vertex_place, vertex_speed, vertex_stress;
  std::vector<std::array<Vec3, 4>> cell_force;     // force/paper2: of every cell on its corners
  std::vector<double> vertex_pressure_pa;          // force/paper2: with TetVolume::vertex
  std::vector<AlignedVector<double>> strand_rows;  // force/strand: per thread
  // force/softening: share of the stiffness that is left, per vertex; empty where nothing softens. neo_hookean: and
  // what it makes of the volumes and springs.
  AlignedVector<double> node_factor;
  AlignedVector<double> soft_volume_m3, soft_springs_n_m;
  // force/ligaments: against where the rod carries the nodes, per thread.
  std::vector<LigamentRing<double>> ligament_displacement, ligament_rate;
  std::vector<int> first_ligament_plane;      // per thread and the end: planes of nodes with about as many tiles each
  std::vector<LigamentSums> ligament_planes;  // per plane of the matrix's box
  // Sums over planes, in order.
  double elastic_j = 0.0, dissipation_w = 0.0, ligament_j = 0.0, ligament_w = 0.0;
  double smallest_j = 1.0;
  std::int32_t worst_cell = -1;
  Wrench tip, tip_damping;  // ligaments on the rod, world, about its centre of mass
};

struct PairWorkspace {
  std::vector<Contact> near;                   // contact/find: samples that may touch before the list is made again
  std::vector<std::int32_t> near_plane_begin;  // soft sampled bodies: first of each plane of cells, and the end
  Wrench on_sampled, on_partner;  // sums, world, each about its own rigid centre of mass (soft: world origin)
  double energy_j = 0.0, dissipation_w = 0.0;
};

// A touch of this period: what carries its point, and what the hand has done so far.
struct TouchWork {
  TouchCommand command;
  std::vector<std::pair<std::size_t, double>> carriers;  // particles and weights
  Vec3 impulse = Vec3::Zero();                           // on the skin [N s]
  bool slides = false;
};

// What the force list does about contact: the real thing, or one of two linear stand-ins for the stable step.
enum class SkinContact { real, bonded, none };

// How the equations of an implicit step were solved.
struct SolveReport {
  int newton = 0, iterations = 0;  // of Newton and of conjugate gradients
  double relative = 0.0;           // residual over right side
  bool converged = true;
  std::int32_t worst_particle = -1;  // with the largest residual, where it did not converge
  // Complementarity: steps whose contacts have the answer of the linearised cone, because the true one had none good
  // enough; and the pair that was worst in the last of them.
  int linearised_steps = 0;
  std::int32_t worst_pair = -1;
};

// What an integrator keeps for itself between steps: storage, no state.
struct IntegratorMemory {
  virtual ~IntegratorMemory() = default;
};

struct Workspace {
  explicit Workspace(const Model& model);

  std::unique_ptr<ThreadTeam> team;
  // contact/find
  std::vector<PairWorkspace> pairs;
  std::vector<PairWorkspace> soft_pairs;
  // Per soft body that is a partner of another: the triangles around each vertex of its skin.
  std::vector<std::vector<std::vector<std::int32_t>>> skin_neighbours;
  double near_margin_m = 0.0;   // samples further than this from a shape are left out of `near`
  double near_travel_m = 0.0;   // a fresh list serves this much travel; the rest of the margin is for sensors
  double travelled_m = 0.0;     // bound of how far anything has moved since the workspace was made
  double travel_left_m = -1.0;  // how far things may still move before `near` is made again

  // force/forces: gravity is an acceleration and not part of it
  Vec3Array force;                  // on particles [N]
  std::vector<Wrench> rigid_force;  // on rigid bodies about their centre of mass, world, without control and weight
  std::vector<SoftWorkspace> soft;
  bool want_energy = false;  // elastic energy costs a little: only where it is read
  SkinContact skin_contact = SkinContact::real;

  // integrator/
  State step_start;  // adaptive integrators: state at the start of the step
  std::vector<Vec3Array> stage_x, stage_v;
  std::vector<Twist> rigid_acceleration;  // of the centre of mass, world, at the last force evaluation
  std::unique_ptr<IntegratorMemory> integrator_memory;
  bool forces_are_current = false;  // the last evaluation belongs to the state that the step ended in
  double largest_speed_m_s = 0.0;
  std::vector<double> thread_speed;
  std::vector<Vec3> spring_moves;  // paper 2's limits, per vertex
  State retry;                     // state at the start of the control period, without what its contacts remember
  std::vector<std::vector<TouchMemory>> retry_touches;  // that: of every pair, then of every soft pair

  // The command of this period as it acts on each rigid body: wrench about the centre of mass, world.
  std::vector<Wrench> applied;               // simulation/
  std::vector<JointCommand> joint_commands;  // simulation/: of this period, one per joint
  std::vector<TouchWork> touches;            // simulation/: of this period; force/: what they did
  StoredEnergy stored;                       // simulation/: when forces were last evaluated for sensors
};

}  // namespace distal
