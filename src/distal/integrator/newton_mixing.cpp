#include "distal/integrator/newton_mixing.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

void add_step(double share, const BasicVec3Array<float>& step, Vec3Array& sum) {
  for (int c = 0; c < 3; ++c)
    for (std::size_t p = 0; p < sum.size(); ++p) sum.data(c)[p] += share * static_cast<double>(step.data(c)[p]);
}

void find_step(const Vec3Array& now, const Vec3Array& before, BasicVec3Array<float>& step) {
  for (int c = 0; c < 3; ++c)
    for (std::size_t p = 0; p < now.size(); ++p)
      step.data(c)[p] = static_cast<float>(now.data(c)[p] - before.data(c)[p]);
}

}  // namespace

NewtonMixing::NewtonMixing(std::size_t particle_slots, std::size_t rigid_bodies) {
  steps_.resize(kMost);
  for (Step& step : steps_) {
    step.change.resize(particle_slots), step.residual.resize(particle_slots);
    step.rigid_change.resize(rigid_bodies), step.rigid_residual.resize(rigid_bodies);
  }
  for (Unknowns* last : {&last_change_, &last_residual_})
    last->particles.resize(particle_slots), last->rigid.resize(rigid_bodies);
}

void NewtonMixing::begin(const Unknowns& change, const Unknowns& residual) {
  count_ = next_ = 0;
  last_change_ = change;
  last_residual_ = residual;
}

void NewtonMixing::note(const Unknowns& change, const Unknowns& residual) {
  Step& step = steps_[next_];
  next_ = (next_ + 1) % kMost;
  count_ = std::min(count_ + 1, kMost);
  find_step(change.particles, last_change_.particles, step.change);
  find_step(residual.particles, last_residual_.particles, step.residual);
  for (std::size_t b = 0; b < change.rigid.size(); ++b) {
    step.rigid_change[b] = change.rigid[b] - last_change_.rigid[b];
    step.rigid_residual[b] = residual.rigid[b] - last_residual_.rigid[b];
  }
  last_change_ = change;
  last_residual_ = residual;
}

double NewtonMixing::product(const Step& a, const Step& b) {
  double sum = 0.0;
  for (int c = 0; c < 3; ++c)
    for (std::size_t p = 0; p < a.residual.size(); ++p)
      sum += static_cast<double>(a.residual.data(c)[p]) * static_cast<double>(b.residual.data(c)[p]);
  for (std::size_t r = 0; r < a.rigid_residual.size(); ++r) sum += a.rigid_residual[r].dot(b.rigid_residual[r]);
  return sum;
}

double NewtonMixing::product(const Step& a, const Unknowns& residual) {
  double sum = 0.0;
  for (int c = 0; c < 3; ++c)
    for (std::size_t p = 0; p < a.residual.size(); ++p)
      sum += static_cast<double>(a.residual.data(c)[p]) * residual.particles.data(c)[p];
  for (std::size_t r = 0; r < a.rigid_residual.size(); ++r) sum += a.rigid_residual[r].dot(residual.rigid[r]);
  return sum;
}

double NewtonMixing::mix(double size, Unknowns& change, Unknowns& residual) const {
  constexpr double kWorthIt = 0.8;    // of the residual may be left, in what forces that were linear would give
  constexpr double kFarthest = 10.0;  // share of any step: more only follows the noise
  const auto n = static_cast<Eigen::Index>(count_);
  if (n == 0) return size;
  Eigen::MatrixXd matrix(n, n);
  Eigen::VectorXd right(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Step& a = steps_[static_cast<std::size_t>(i)];
    right[i] = product(a, residual);
    for (Eigen::Index j = 0; j <= i; ++j) matrix(i, j) = matrix(j, i) = product(a, steps_[static_cast<std::size_t>(j)]);
  }
  // Steps may be nearly parallel: a trace of the diagonal keeps the solution small.
  const Eigen::VectorXd diagonal = matrix.diagonal();
  matrix.diagonal() += 1e-9 * diagonal;
  const Eigen::VectorXd share = matrix.ldlt().solve(right);
  if (!share.allFinite() || share.cwiseAbs().maxCoeff() > kFarthest) return size;
  const double left = size * size - share.dot(right);
  if (!(left < kWorthIt * kWorthIt * size * size)) return size;
  for (Eigen::Index i = 0; i < n; ++i) {
    const Step& step = steps_[static_cast<std::size_t>(i)];
    add_step(-share[i], step.change, change.particles);
    add_step(-share[i], step.residual, residual.particles);
    for (std::size_t b = 0; b < change.rigid.size(); ++b) {
      change.rigid[b] -= share[i] * step.rigid_change[b];
      residual.rigid[b] -= share[i] * step.rigid_residual[b];
    }
  }
  return std::sqrt(std::max(left, 0.0));
}

}  // namespace distal
