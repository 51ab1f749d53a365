#include "distal/solver/proximal_gauss_seidel.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr int kInnerRounds = 30;
constexpr int kStickingRounds = 8;
// Contacts that hold one body at many places share their forces in any way: a trace of give makes it one, the nearest
// to the guess. A second solve takes the give out of what has only one way.
constexpr double kGive = 1e-6, kLeastShare = 1e-3;

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

// Begins with those that bear load in r, and adds or takes away until loads and gaps are right.
bool ProximalGaussSeidel::solve_sticking(const Eigen::Ref<const Eigen::MatrixXd>& a,
                                         const Eigen::Ref<const Eigen::VectorXd>& b,
                                         const std::vector<FrictionContact>& contacts, Eigen::Ref<Eigen::VectorXd> r) {
  const auto unknowns = [&](std::size_t i) { return contacts[i].eccentricity_m > 0.0 ? 4 : 3; };
  const auto at = [](std::size_t i) { return 4 * static_cast<Eigen::Index>(i); };
  closed_.resize(contacts.size());
  bool any = false;
  for (std::size_t i = 0; i < contacts.size(); ++i) any |= closed_[i] = r[at(i)] > 0.0;
  if (!any) closed_.assign(contacts.size(), true);
  const double least_speed = -1e-9 * b.cwiseAbs().maxCoeff();
  shares_.setOnes(b.size());
  bool shared = false;
  for (int round = 0; round < kStickingRounds; ++round) {
    members_.clear();
    for (std::size_t i = 0; i < contacts.size(); ++i)
      for (int k = 0; closed_[i] && k < unknowns(i); ++k) members_.push_back(at(i) + k);
    part_ = a(members_, members_);
    part_.diagonal() += kGive * part_.diagonal().cwiseQuotient(shares_(members_));
    part_b_ = -b(members_);
    if (!shared) part_b_ += kGive * a.diagonal()(members_).cwiseProduct(r(members_));
    factor_.compute(part_);
    if (factor_.info() != Eigen::Success) return false;
    Eigen::VectorXd& forces = r_;
    forces.head(b.size()).setZero();
    for (int solve = 0; solve < 2; ++solve) {
      factor_.solveInPlace(part_b_);
      for (std::size_t k = 0; k < members_.size(); ++k) forces[members_[k]] += part_b_[static_cast<Eigen::Index>(k)];
      v_.head(b.size()) = b;
      v_.head(b.size()).noalias() += a * forces.head(b.size());
      part_b_ = -v_(members_);
    }
    bool changed = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const bool wrong = closed_[i] ? forces[at(i)] < 0.0 : v_[at(i)] < least_speed;
      if (wrong) closed_[i] = !closed_[i], changed = true;
    }
    if (changed) continue;
    bool slips = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      Vec3 wrench = forces.segment<3>(at(i) + 1);
      wrench.z() = contacts[i].eccentricity_m > 0.0 ? wrench.z() / contacts[i].eccentricity_m : 0.0;
      slips |= wrench.norm() > contacts[i].friction * forces[at(i)];
    }
    if (!slips) {
      r = forces.head(b.size());
      return true;
    }
    if (shared) return false;
    // Friction that is shared like the load may do where an equal share does not.
    shared = true;
    const double most = forces.head(b.size()).maxCoeff();
    for (std::size_t i = 0; i < contacts.size(); ++i)
      shares_.segment<3>(at(i) + 1).setConstant(std::max(forces[at(i)] / most, kLeastShare));
  }
  return false;
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
