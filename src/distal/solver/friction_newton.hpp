// Contacts with the true friction ellipsoid, all at once, by Newton's method on the projections that define them: a few
// rounds from a good guess, where projections one after the other need hundreds. docs/models/complementarity.md.
#pragma once
#include <Eigen/LU>
#include <vector>

#include "distal/solver/friction_cone.hpp"

namespace distal {

struct FrictionNewtonResult {
  bool converged = false;
  int rounds = 0;
  double residual = 0.0;  // as of ProximalResult
};

// The problem of ProximalGaussSeidel. Keeps its memory between calls.
class FrictionNewton {
 public:
  // `last` are the forces of the step before; `r` is the first guess, and the result where it converged, else it is
  // left as it was.
  FrictionNewtonResult solve(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b,
                             const std::vector<FrictionContact>& contacts,
                             const Eigen::Ref<const Eigen::VectorXd>& last, Eigen::Ref<Eigen::VectorXd> r,
                             double tolerance);

 private:
  // Everything with tau counted as tau/e_n.
  void set_problem(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b,
                   const std::vector<FrictionContact>& contacts, const Eigen::Ref<const Eigen::VectorXd>& last,
                   const Eigen::Ref<const Eigen::VectorXd>& r);
  // Fills the residual and its derivative of one contact; returns the size of the first.
  double linearise(Eigen::Index contact, const FrictionContact& law);
  // Of all; returns the residual.
  double linearise(const std::vector<FrictionContact>& contacts);
  void keep_on_cone(const std::vector<FrictionContact>& contacts);

  Eigen::MatrixXd a_, jacobian_;
  Eigen::VectorXd b_, r_, v_, scale_, change_, step_, start_;
  std::vector<double> normal_step_, tangent_step_;  // inverse stiffness of a contact along and across its normal
  Eigen::PartialPivLU<Eigen::MatrixXd> factor_;
  double force_scale_ = 0.0;
};

}  // namespace distal
