// The complementarity problem of one step: contacts with their friction, limits of joints and motors that are at the
// end of their strength, all in one. docs/models/complementarity.md.
#pragma once
#include <Eigen/Core>
#include <functional>
#include <vector>

#include "distal/integrator/hard_contacts.hpp"
#include "distal/integrator/linked_motion.hpp"
#include "distal/solver/friction_newton.hpp"
#include "distal/solver/lemke.hpp"
#include "distal/solver/proximal_gauss_seidel.hpp"

namespace distal {

// A joint at one of its limits, or on its way there: x >= 0 against velocity + distance / h >= 0.
struct LimitRow {
  std::size_t joint;
  double sign;      // +1: the lower limit pushes up
  double distance;  // left to the limit
};

// A motor with a limit: the servo asks for `asked` - slope * velocity [N s, N m s] and gets no more than `most`.
struct MotorRow {
  std::size_t joint;
  double asked, slope, most;
};

class ContactProblem {
 public:
  explicit ContactProblem(const Model& model);

  // The velocities `v` that would be without contacts and limits become those with them; the contacts get their forces.
  SolveReport solve(const State& state, const LinkedMotion& motion, double h, std::vector<FoundContact>& contacts,
                    const std::vector<LimitRow>& limits, const std::vector<MotorRow>& motors, Eigen::VectorXd& v);

 private:
  void build_rows(const State& state, const LinkedMotion& motion, double h, const std::vector<FoundContact>& contacts,
                  const Eigen::VectorXd& v);
  void leave_out(Eigen::Index contact);
  void add_joint_rows(const State& state, const LinkedMotion& motion, double h, const std::vector<LimitRow>& limits,
                      const std::vector<MotorRow>& motors);
  bool solve_on_hull(const std::vector<MotorRow>& motors, SolveReport& report);
  bool settle_joints(const std::function<bool()>& solve_contacts);
  // Contacts alone, from the forces in forces_ on: as if none slipped; slipping much as before; slipping anyhow.
  bool stick();
  bool slip_as_before(SolveReport& report);
  bool slip_on_cone(SolveReport& report);
  void set_forces();
  void eliminate_joints();
  bool update_active_joints();

  const Model& model_;
  FrictionCone cone_;
  Lemke lemke_;
  FrictionNewton newton_;
  ProximalGaussSeidel proximal_;
  std::vector<FrictionContact> friction_;
  // Rows of joints, behind the contacts': x >= 0 against (velocity - give x - offset) times sign >= 0.
  struct JointRow {
    double sign = 1.0, give = 0.0, offset = 0.0;
    bool active = false;  // x > 0 in the solution
  };
  std::vector<JointRow> joints_;
  Eigen::MatrixXd rows_, moved_, a_, m_;  // rows by freedom; M^-1 of them; velocities of rows for their impulses
  Eigen::VectorXd b_, q_, r_;             // velocities of rows without impulses; impulses
  // Contacts alone, with joints that are at an end of theirs taken along.
  std::vector<Eigen::Index> active_;
  Eigen::MatrixXd joint_share_, reduced_a_;
  Eigen::VectorXd joint_free_, reduced_b_, forces_;
  Eigen::VectorXd last_;   // forces on the contacts in the step before
  int worst_contact_ = 0;  // of the last sweeps
};

}  // namespace distal
