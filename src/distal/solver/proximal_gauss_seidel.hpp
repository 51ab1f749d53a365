// Contacts with the true friction ellipsoid, solved one after the other, again and again, by projections: what to fall
// back on where the complementarity problem has no solution or is too large. docs/models/complementarity.md.
#pragma once
#include <Eigen/Cholesky>
#include <vector>

#include "distal/solver/friction_cone.hpp"

namespace distal {

struct ProximalOptions {
  int most_sweeps = 2000;
  double tolerance = 1e-9;  // of the residual
};

struct ProximalResult {
  bool converged = false;
  int sweeps = 0;
  // Largest change that one more projection would make to any contact's forces, over the force that alone would stop
  // the fastest contact.
  double residual = 0.0;
  int worst_contact = -1;  // the one it belongs to
};

// Finds r with v = A r + b such that at each contact
//   0 <= P, 0 <= v_n, P v_n = 0, and (f_x, f_y, tau) is the wrench of the ellipsoid of mu P that v does the least work
//   on.
// Keeps its memory between calls.
class ProximalGaussSeidel {
 public:
  explicit ProximalGaussSeidel(int most_contacts);

  // `r` is the first guess and the result; A is symmetric with a positive diagonal along every normal.
  ProximalResult solve(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b,
                       const std::vector<FrictionContact>& contacts, Eigen::Ref<Eigen::VectorXd> r,
                       const ProximalOptions& options = {});

  // The same where nothing slips, which is a linear problem: false, and r as it was, where something does.
  bool solve_sticking(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b,
                      const std::vector<FrictionContact>& contacts, Eigen::Ref<Eigen::VectorXd> r);

 private:
  struct Local {
    double normal_step = 0.0,
           tangent_step = 0.0;  // inverse of the stiffness along the normal, and of the largest across
    Eigen::Matrix4d a;          // with tau counted as tau/e_n
    double scale = 0.0;         // e_n, or 1 where that is 0 and nothing turns
    double friction = 0.0;
  };
  double sweep(int contact, const Eigen::Vector4d& v, Eigen::Vector4d& r) const;

  std::vector<Local> locals_;
  std::vector<bool> closed_;           // contacts that bear load, while they are tried as sticking
  std::vector<Eigen::Index> members_;  // their unknowns
  Eigen::MatrixXd part_;
  Eigen::VectorXd part_b_, shares_;
  Eigen::LLT<Eigen::MatrixXd> factor_;
  Eigen::VectorXd r_, v_;
};

}  // namespace distal
