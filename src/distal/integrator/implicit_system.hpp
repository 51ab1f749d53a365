// The linear system of one Newton iteration, for all particles and free rigid bodies at once:
//   (M + s K + d C) u = b,   K = -df/dx, C = -df/dv,
// without a matrix: lattice, ligaments with their rods, contacts with their partners, rigid contacts, flange damping.
// It is a System of solver/conjugate_gradients.hpp. The preconditioner inverts the 3x3 block of every particle and the
// 6x6 block of every rigid body, and adds the rigid motions of each free finger as a whole, which blocks alone find
// last; bodies of many cells have coarse grids too. The same bits for any number of threads.
#pragma once
#include <optional>

#include "distal/force/lattice_tangent.hpp"
#include "distal/force/ligament_kernel.hpp"
#include "distal/force/paper2_tangent.hpp"
#include "distal/force/tet_tangent.hpp"
#include "distal/integrator/coarse_grids.hpp"
#include "distal/integrator/six.hpp"
#include "distal/integrator/solve_kernels.hpp"
#include "distal/solver/conjugate_gradients.hpp"

namespace distal {

// A vector of unknowns in double precision.
struct Unknowns {
  Vec3Array particles;
  std::vector<Six> rigid;
};

class ImplicitSystem {
 public:
  ImplicitSystem(const Model& model, const Workspace& ws);

  // At a state whose contacts the last force evaluation has found.
  void linearise(const State& at, Workspace& ws, const TangentWeights& weights);
  void set_right_side(const Unknowns& b);
  // Of the right side of which b is what the guess u leaves: its size. The solve that follows starts from the share of
  // the guess that serves it best, and not from the whole.
  double weigh_guess(const Unknowns& u);

  CgSums begin();
  double multiply();
  CgSums advance(double alpha);
  void turn(double beta);
  void add_solution(double share, Unknowns& sum) const;
  double along_solution(const Unknowns& residual) const;  // their scalar product
  // Gives free fingers and rigid bodies that nothing touches the net momentum that `residual` owes them.
  void restore_net_momentum(const State& at, const Unknowns& residual, State& state) const;

 private:
  using Array = solve::Array;
  // One sample that touches: the lowest corner of its cell and its weights, its stiffness, and its arm from the
  // partner's centre of mass.
  struct HeldSample {
    std::size_t particle;
    std::array<float, kCorners> weight;
    Eigen::Matrix3f stiffness;
    Eigen::Vector3f arm;
  };
  struct Held {
    std::vector<HeldSample> samples;
    std::vector<std::int32_t> plane_begin;  // of cells
    std::vector<Six> plane_on_partner;      // in the last product, per plane of cells
  };
  // Any other sample that touches: the particles that carry it (and, negative, those that carry its partner), and its
  // arm if the partner is rigid.
  struct Carrier {
    std::size_t particle;
    float weight;
  };
  struct CarriedSample {
    std::size_t begin, end;  // of its carriers
    int sampled;             // soft body
    int partner_soft;        // or -1
    int partner_rigid;       // or -1
    Eigen::Matrix3f stiffness;
    Vec3 point, arm;  // arm from the rigid partner's centre of mass
  };
  struct RigidSpring {
    int a, b;  // rigid bodies
    Vec3 arm_a, arm_b;
    Mat3 stiffness;
  };
  struct Soft {
    Soft(const SoftBody& body, int threads);
    std::optional<LatticeTangent<float>> lattice;
    std::optional<TetTangent> tet;
    std::optional<Paper2Tangent> paper2;
    std::optional<CoarseGrids> coarse;  // of a body with many nodes
    // Of nodes, per thread and the end. Every loop uses the same split: what a thread wrote last is in its own cache.
    std::vector<int> first_plane;
    NodeSpans spans;                            // of the particles
    std::vector<double> plane_cost, plane_dot;  // per plane of nodes
    std::vector<CgSums> plane_sums;
    std::vector<Wrench> plane_whole;
    std::vector<RightSideSums> plane_right_side;
    std::vector<Six> plane_on_rod;                   // per plane of the ligaments' box
    AlignedVector<float> ligament_weight;            // s K + d C, like the weights of the matrix
    std::vector<LigamentRing<float>> ligament_ring;  // per thread
    BoxField ligament_arms;                          // from the rod's centre of mass
    Six2 ligament_block = Six2::Zero();              // all ligaments on the rod, along its axes
    bool moves_as_a_whole = false;  // nothing imposes its motion: the preconditioner has its rigid motions
    Vec3 centre = Vec3::Zero();
    Six2 inertia = Six2::Zero();          // of the tip at rest, about the rod's centre of mass, along its axes
    Six2 inverse_inertia = Six2::Zero();  // of the whole, held by its contacts
    Twist correction;
  };

  void gather_contacts(const State& at, const Workspace& ws);
  void gather_carried(std::size_t pair, const Vec3& centre, const State& at, const Workspace& ws);
  void gather_soft_pair(std::size_t soft_pair, const Workspace& ws);
  void linearise_soft(const State& at, const Workspace& ws, const TangentWeights& weights);
  void add_contact_blocks(const SoftBody& body, const Held& held);
  void add_block(const Eigen::Matrix3f& stiffness, float weight, std::size_t particle);
  void weigh_ligaments(std::size_t s);
  void place_ligaments(std::size_t s, const State& at);
  void add_ligament_diagonal(std::size_t s, std::size_t plane);
  Six2 tip_inertia(std::size_t s, const State& at, const Vec3& centre) const;
  void invert_rigid_blocks();
  void invert_whole(std::size_t s, const State& at);
  void place_coarse_grids(std::size_t s, const State& at);
  void share_planes(std::size_t s);
  void multiply_planes(std::size_t s, int thread);
  void pull_ligaments(std::size_t s, int thread);
  void pull_contacts(const ContactPair& pair, Held& held, int thread);
  void gather_tet_stress();
  void take_direction(std::size_t s, std::size_t plane);  // p of a plane, for the next product
  double pull_carried();
  void narrow(const Vec3Array& in, Array& out);
  // Calls work(body, spans of particles, plane of nodes) for all soft bodies, each thread at its planes.
  template <typename Work>
  void for_all_planes(Work&& work) const;
  void multiply_rigid();
  void keep_to_guide(std::size_t rigid, Six& six) const {
    const Wrench w = model_.rigid[rigid].allowed({six.head<3>(), six.tail<3>()});
    six << w.force, w.torque;
  }
  bool is_coupled(std::size_t rigid) const;
  bool is_free(int rigid) const { return rigid >= 0 && model_.rigid[static_cast<std::size_t>(rigid)].moves_freely(); }

  const Model& model_;
  ThreadTeam& team_;
  TangentWeights weights_;
  double first_step_ = 0.0;  // along p, whose product is q, at the begin of a solve
  std::vector<Soft> soft_;
  std::vector<Held> held_;  // per pair of a lattice
  std::vector<CarriedSample> carried_;
  std::vector<Carrier> carriers_;
  bool has_tets_ = false;
  std::vector<RigidSpring> rigid_springs_;
  AlignedVector<float> mass_;  // 0 where nothing moves; drag included
  Array place_, straight_, mixed_, x_, r_, z_, p_, q_;
  std::vector<Six> rigid_x_, rigid_r_, rigid_z_, rigid_p_, rigid_q_;
  std::vector<Six2> rigid_matrix_, rigid_inverse_;  // without springs; inverse with them
};

template <typename Work>
void ImplicitSystem::for_all_planes(Work&& work) const {
  team_.run([&](int t) {
    const auto thread = static_cast<std::size_t>(t);
    for (std::size_t s = 0; s < soft_.size(); ++s)
      for (int k = soft_[s].first_plane[thread]; k < soft_[s].first_plane[thread + 1]; ++k)
        work(s, soft_[s].spans.plane(k), static_cast<std::size_t>(k));
  });
}

}  // namespace distal
