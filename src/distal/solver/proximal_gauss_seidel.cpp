#include "distal/solver/proximal_gauss_seidel.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr int kInnerRounds = 30;

// Projections of a contact's forces, along the normal and then across, each with the velocity that the last one left.
struct Projection {
  double normal_step, tangent_step, friction;

  // Returns the size of the change.
  double apply(const Eigen::Matrix4d& a, Eigen::Vector4d& r, Eigen::Vector4d& v) const {
    const double normal_change = std::max(0.0, r[0] - normal_step * v[0]) - r[0];
    r[0] += normal_change;
    v += a.col(0) * normal_change;
    Vec3 wrench = r.tail<3>() - tangent_step * v.tail<3>();
    const double limit = friction * r[0], size = wrench.norm();
    if (size > limit) wrench *= limit / size;
    const Vec3 change = wrench - r.tail<3>();
    r.tail<3>() = wrench;
    v += a.rightCols<3>() * change;
    return std::max(std::abs(normal_change), change.norm());
  }
};

}  // namespace

ProximalGaussSeidel::ProximalGaussSeidel(int most_contacts) : locals_(static_cast<std::size_t>(most_contacts)) {
  DISTAL_ASSERT(most_contacts > 0);
  r_.setZero(4 * most_contacts), v_.setZero(4 * most_contacts);
}

ProximalResult ProximalGaussSeidel::solve(const Eigen::Ref<const Eigen::MatrixXd>& a,
                                          const Eigen::Ref<const Eigen::VectorXd>& b,
                                          const std::vector<FrictionContact>& contacts, Eigen::Ref<Eigen::VectorXd> r,
                                          const ProximalOptions& options) {
  const auto count = static_cast<Eigen::Index>(contacts.size()), size = 4 * count;
  DISTAL_ASSERT(contacts.size() <= locals_.size() && b.size() == size && r.size() == size && a.rows() == size);
  double force_scale = 0.0;
  for (Eigen::Index i = 0; i < count; ++i) {
    Local& local = locals_[static_cast<std::size_t>(i)];
    const FrictionContact& contact = contacts[static_cast<std::size_t>(i)];
    local.scale = contact.eccentricity_m;
    local.friction = contact.friction;
    local.a = a.block<4, 4>(4 * i, 4 * i);
    local.a.row(3) *= local.scale, local.a.col(3) *= local.scale;
    local.normal_step = 1.0 / local.a(0, 0);
    Eigen::SelfAdjointEigenSolver<Mat3> tangent;
    tangent.computeDirect(Mat3(local.a.bottomRightCorner<3, 3>()), Eigen::EigenvaluesOnly);
    local.tangent_step = 1.0 / std::max(tangent.eigenvalues()[2], 1e-12 * local.a(0, 0));
    DISTAL_ASSERT(local.a(0, 0) > 0.0 && local.friction >= 0.0 && local.scale >= 0.0);
    r_.segment<4>(4 * i) = r.segment<4>(4 * i);
    r_[4 * i + 3] = local.scale > 0.0 ? r[4 * i + 3] / local.scale : 0.0;
    Eigen::Vector4d first = b.segment<4>(4 * i);
    first[3] *= local.scale;
    force_scale = std::max(force_scale, first.norm() * local.normal_step);
  }
  // Velocities along with the forces: a contact that changes moves all others.
  const auto scaled = [&](Eigen::Index i, Eigen::Index k) {
    return k == 3 ? locals_[static_cast<std::size_t>(i)].scale : 1.0;
  };
  const auto add_change = [&](Eigen::Index i, const Eigen::Vector4d& change) {
    for (Eigen::Index k = 0; k < 4; ++k)
      if (change[k] != 0.0) v_.head(size) += scaled(i, k) * change[k] * a.col(4 * i + k);
  };
  v_.head(size) = b;
  for (Eigen::Index i = 0; i < count; ++i) add_change(i, r_.segment<4>(4 * i));

  ProximalResult result;
  for (; result.sweeps < options.most_sweeps && !result.converged; ++result.sweeps) {
    result.residual = 0.0;
    for (Eigen::Index i = 0; i < count; ++i) {
      Eigen::Vector4d velocity = v_.segment<4>(4 * i), forces = r_.segment<4>(4 * i);
      velocity[3] *= scaled(i, 3);
      const double change = sweep(static_cast<int>(i), velocity, forces);
      if (!(change <= result.residual)) result.residual = change, result.worst_contact = static_cast<int>(i);
      add_change(i, forces - r_.segment<4>(4 * i));
      r_.segment<4>(4 * i) = forces;
    }
    if (force_scale > 0.0) result.residual /= force_scale;
    result.converged = result.residual <= options.tolerance;
  }
  for (Eigen::Index i = 0; i < count; ++i) {
    r.segment<4>(4 * i) = r_.segment<4>(4 * i);
    r[4 * i + 3] *= scaled(i, 3);
  }
  return result;
}

// Solves one contact with all others held. Returns the change of the first projection, which is 0 at the solution.
double ProximalGaussSeidel::sweep(int contact, const Eigen::Vector4d& v, Eigen::Vector4d& r) const {
  const Local& local = locals_[static_cast<std::size_t>(contact)];
  const Projection projection{local.normal_step, local.tangent_step, local.friction};
  Eigen::Vector4d velocity = v;
  const double first = projection.apply(local.a, r, velocity);
  for (int round = 1; round < kInnerRounds; ++round)
    if (projection.apply(local.a, r, velocity) <= 1e-3 * first) break;
  return first;
}

}  // namespace distal
