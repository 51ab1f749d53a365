#include "distal/solver/friction_newton.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

constexpr int kMostNewtonRounds = 20;
// Contacts that hold one body at many places share their forces in any way, and may be asked for slips that no force
// can change. They give a little where their forces change from step to step, as a very stiff spring does.
constexpr double kNewtonGive = 1e-4;
constexpr double kLeastAcross = 1e-6;
constexpr double kLeastStep = 0.05;  // share of Newton's that is tried

}  // namespace

void FrictionNewton::set_problem(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b,
                                 const std::vector<FrictionContact>& contacts,
                                 const Eigen::Ref<const Eigen::VectorXd>& last,
                                 const Eigen::Ref<const Eigen::VectorXd>& r) {
  const Eigen::Index size = b.size();
  scale_.setOnes(size);
  r_ = r;
  for (Eigen::Index i = 0; 4 * i < size; ++i) {
    const double e = contacts[static_cast<std::size_t>(i)].eccentricity_m;
    scale_[4 * i + 3] = e;
    r_[4 * i + 3] = e > 0.0 ? r_[4 * i + 3] / e : 0.0;
  }
  a_ = scale_.asDiagonal() * a * scale_.asDiagonal();
  b_ = scale_.cwiseProduct(b);
  for (Eigen::Index k = 0; k < size; ++k) {
    const Eigen::Index normal = k - k % 4;  // across, joints may leave no motion at all
    const double give = kNewtonGive * std::max(a_(k, k), kLeastAcross * a_(normal, normal));
    a_(k, k) += give;
    if (scale_[k] > 0.0) b_[k] -= give * last[k] / scale_[k];
  }
  normal_step_.resize(contacts.size()), tangent_step_.resize(contacts.size());
  force_scale_ = 0.0;
  for (Eigen::Index i = 0; 4 * i < size; ++i) {
    const auto n = static_cast<std::size_t>(i);
    normal_step_[n] = 1.0 / a_(4 * i, 4 * i);
    tangent_step_[n] = 1.0 / a_.diagonal().segment<3>(4 * i + 1).maxCoeff();
    force_scale_ = std::max(force_scale_, b_.segment<4>(4 * i).norm() * normal_step_[n]);
  }
}

// With z = r - step * v, the load is z's part along the normal, if positive, and friction is z's part across,
// shortened to the limit mu * load if it is longer.
double FrictionNewton::linearise(Eigen::Index contact, const FrictionContact& law) {
  const auto i = static_cast<std::size_t>(contact);
  const Eigen::Index at = 4 * contact;
  const double load = r_[at] - normal_step_[i] * v_[at];
  auto rows = jacobian_.middleRows<4>(at);
  auto rest = change_.segment<4>(at);
  if (load <= 0.0) {
    rows.setZero();
    rows.middleCols<4>(at).setIdentity();
    rest = r_.segment<4>(at);
    return rest.norm();
  }
  const double step = tangent_step_[i], limit = law.friction * load;
  const Vec3 sought = r_.segment<3>(at + 1) - step * v_.segment<3>(at + 1);
  const double size = sought.norm();
  rows.row(0) = normal_step_[i] * a_.row(at);
  rest[0] = normal_step_[i] * v_[at];
  if (size <= limit) {
    rows.bottomRows<3>() = step * a_.middleRows<3>(at + 1);
    rest.tail<3>() = step * v_.segment<3>(at + 1);
  } else {
    const Vec3 along = sought / size;
    const Mat3 turn = limit / size * (Mat3::Identity() - along * along.transpose());
    rows.bottomRows<3>() = step * turn * a_.middleRows<3>(at + 1) + law.friction * normal_step_[i] * along * a_.row(at);
    rows.block<3, 3>(1, at + 1) += Mat3::Identity() - turn;
    rows.block<3, 1>(1, at) -= law.friction * along;
    rest.tail<3>() = r_.segment<3>(at + 1) - limit * along;
  }
  if (law.eccentricity_m == 0.0) {
    rows.row(3).setZero();
    rows(3, at + 3) = 1.0;
    rest[3] = r_[at + 3];
  }
  return rest.norm();
}

double FrictionNewton::linearise(const std::vector<FrictionContact>& contacts) {
  v_ = b_;
  v_.noalias() += a_ * r_;
  double residual = 0.0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double own = linearise(static_cast<Eigen::Index>(i), contacts[i]);
    if (!(own <= residual)) residual = own;
  }
  return force_scale_ > 0.0 ? residual / force_scale_ : residual;
}

// No pull, and no more friction than there can be: what is found there is near what is sought.
void FrictionNewton::keep_on_cone(const std::vector<FrictionContact>& contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    auto forces = r_.segment<4>(4 * static_cast<Eigen::Index>(i));
    forces[0] = std::max(forces[0], 0.0);
    const double limit = contacts[i].friction * forces[0], size = forces.tail<3>().norm();
    if (size > limit) forces.tail<3>() *= limit / size;
  }
}

FrictionNewtonResult FrictionNewton::solve(const Eigen::Ref<const Eigen::MatrixXd>& a,
                                           const Eigen::Ref<const Eigen::VectorXd>& b,
                                           const std::vector<FrictionContact>& contacts,
                                           const Eigen::Ref<const Eigen::VectorXd>& last, Eigen::Ref<Eigen::VectorXd> r,
                                           double tolerance) {
  set_problem(a, b, contacts, last, r);
  const Eigen::Index size = b.size();
  jacobian_.resize(size, size), change_.resize(size);
  FrictionNewtonResult result;
  keep_on_cone(contacts);
  result.residual = linearise(contacts);
  while (result.residual > tolerance && result.rounds < kMostNewtonRounds) {
    ++result.rounds;
    factor_.compute(jacobian_);
    step_ = factor_.solve(change_);
    start_ = r_;
    const double before = result.residual;
    for (double share = 1.0; share > kLeastStep; share *= 0.5) {
      r_ = start_ - share * step_;
      keep_on_cone(contacts);
      result.residual = linearise(contacts);
      if (result.residual < before) break;
    }
    if (!(result.residual < before)) return result;
  }
  result.converged = result.residual <= tolerance;
  if (result.converged) r = scale_.cwiseProduct(r_);
  return result;
}

}  // namespace distal
