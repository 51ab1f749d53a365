#include "distal/integrator/coarse_level.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace distal {
namespace {

// The body fills nearly all of such a cell: as if it did all.
constexpr float kFull = 0.9F;
// And no less than this of any cell that it reaches at all: hats that hold next to nothing would answer too much.
constexpr float kLeastFill = 0.1F;
// Over the largest eigenvalue; below 2, or the smoother would not be positive.
constexpr double kSmoothing = 1.8;

}  // namespace

CoarseLevel::CoarseLevel(int nx, int ny, int nz, double spacing_m)
    : nx_(nx), ny_(ny), nz_(nz), spacing_m_(spacing_m), margin_(static_cast<std::size_t>(nx * ny + nx + 1)) {
  const std::size_t slots = nodes() + 2 * margin_;
  fill_.assign(slots, 0.0F);
  for (Vectors* vectors : {&r, &x, &t}) vectors->assign(slots, Vector::Zero());
  for (int d = 0; d < kAround; ++d)
    around_[static_cast<std::size_t>(d)] = (d % 3 - 1) + (d / 3 % 3 - 1) * nx + (d / 9 - 1) * nx * ny;
  kind_.assign(slots, -1);
}

void CoarseLevel::add_volume(const Vec3& place, double share) {
  fill_[index(static_cast<int>(place.x()), static_cast<int>(place.y()), static_cast<int>(place.z()))] +=
      static_cast<float>(share);
}

CoarseLevel CoarseLevel::make_coarser() const {
  CoarseLevel coarser(nx_ / 2 + 1, ny_ / 2 + 1, nz_ / 2 + 1, 2.0 * spacing_m_);
  for (int k = 0; k < nz_; ++k)
    for (int j = 0; j < ny_; ++j)
      for (int i = 0; i < nx_; ++i) coarser.fill_[coarser.index(i / 2, j / 2, k / 2)] += 0.125F * fill_[index(i, j, k)];
  return coarser;
}

// A first kind_ of 1 stands for a row of its own.
void CoarseLevel::mark_spring(const Vec3& place) {
  for_hats(place, [&](int, std::size_t node, double weight) {
    if (weight > 0.0) kind_[node] = 1;
  });
}

void CoarseLevel::find_kinds() {
  for (float& fill : fill_)
    if (fill > 0.0F) fill = fill > kFull ? 1.0F : std::max(fill, kLeastFill);
  node_.assign(1, 0);
  for (std::size_t n = margin_; n < margin_ + nodes(); ++n) {
    int full = 0;
    bool any = false;
    for (std::size_t a = 0; a < kCorners; ++a) {
      const float fill = fill_[n - offset(a)];
      full += fill == 1.0F ? 1 : 0;
      any |= fill > 0.0F;
    }
    if (!any)
      kind_[n] = -1;
    else if (full == kCorners && kind_[n] < 0)
      kind_[n] = 0;
    else
      kind_[n] = static_cast<std::int32_t>(node_.size()), node_.push_back(n);
  }
  rows_.resize(node_.size()), inverse_.resize(node_.size());
  held_.assign(node_.size(), Eigen::Matrix3f::Zero());
  springs_.resize(node_.size());
  is_touched_.assign(node_.size(), 0);
  touched_.reserve(node_.size());
}

int CoarseLevel::place_around(int from, int to) {
  int place = kOwn;
  for (int c = 0, step = 1; c < 3; ++c, step *= 3) place += step * (((to >> c) & 1) - ((from >> c) & 1));
  return place;
}

void CoarseLevel::add_spring(const Vec3& place, double stiffness_n_m, double damping_n_s_m) {
  for_hats(place, [&](int a, std::size_t node, double weight) {
    if (kind_[node] <= 0 || weight == 0.0) return;
    Springs& springs = springs_[static_cast<std::size_t>(kind_[node])];
    for_hats(place, [&](int b, std::size_t other, double other_weight) {
      if (kind_[other] <= 0) return;
      const auto d = static_cast<std::size_t>(place_around(a, b));
      springs.stiffness[d] += static_cast<float>(stiffness_n_m * weight * other_weight);
      springs.damping[d] += static_cast<float>(damping_n_s_m * weight * other_weight);
    });
  });
}

// Of a full cell: K_ab = V (mu (g_a.g_b + g_b g_a^T) + lambda g_a g_b^T) + M, integrated in eight points.
CoarseLevel::Element CoarseLevel::make_element(const CoarseMaterial& material) {
  Element element = Element::Zero();
  double stiffness = 0.0, mass = 0.0;
  const double low = 0.5 - std::sqrt(1.0 / 12.0), volume = 0.125 * spacing_m_ * spacing_m_ * spacing_m_;
  for (int point = 0; point < kCorners; ++point) {
    Eigen::Matrix<double, 3, kCorners> gradient;
    Eigen::Matrix<double, kCorners, 1> value;
    for (int a = 0; a < kCorners; ++a) {
      Vec3 phi, slope;
      for (int c = 0; c < 3; ++c) {
        const bool upper = ((a >> c) & 1) != 0;
        phi[c] = upper == (((point >> c) & 1) != 0) ? 1.0 - low : low, slope[c] = (upper ? 1.0 : -1.0) / spacing_m_;
      }
      gradient.col(a) << slope[0] * phi[1] * phi[2], phi[0] * slope[1] * phi[2], phi[0] * phi[1] * slope[2];
      value[a] = phi.prod();
    }
    for (int a = 0; a < kCorners; ++a)
      for (int b = 0; b < kCorners; ++b) {
        const Vec3 ga = gradient.col(a), gb = gradient.col(b);
        const Mat3 k = volume * (material.shear_pa * (ga.dot(gb) * Mat3::Identity() + gb * ga.transpose()) +
                                 material.lambda_pa * ga * gb.transpose());
        const double m = volume * material.density_kg_m3 * value[a] * value[b];
        element.block<3, 3>(3 * a, 3 * b) += k + m * Mat3::Identity();
        if (a == b) stiffness += k.trace(), mass += 3.0 * m;
      }
  }
  stiffness_over_mass_ = stiffness / mass;
  return element;
}

void CoarseLevel::weigh(const CoarseMaterial& material) {
  material_ = material;
  element_ = make_element(material);
  // No eigenvalue of D^-1 A is larger than the largest of a single cell's.
  Element diagonal = Element::Zero();
  for (int a = 0; a < kCorners; ++a) diagonal.block<3, 3>(3 * a, 3 * a) = element_.block<3, 3>(3 * a, 3 * a);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Element> solver(element_, diagonal, Eigen::EigenvaluesOnly);
  smoothing_ = static_cast<float>(kSmoothing / solver.eigenvalues().maxCoeff());
  for (std::size_t kind = 0; kind < rows_.size(); ++kind) sum_row(node_[kind], kind), invert(kind);
  touched_.clear();
  std::fill(is_touched_.begin(), is_touched_.end(), 0);
}

// Cells and springs of a node, without contacts. Kind 0 has full cells all around.
void CoarseLevel::sum_row(std::size_t node, std::size_t kind) {
  Row& row = rows_[kind];
  for (Block& block : row) block.setZero();
  for (int a = 0; a < kCorners; ++a) {
    const float fill = kind == 0 ? 1.0F : fill_[node - offset(static_cast<std::size_t>(a))];
    if (fill == 0.0F) continue;
    for (int b = 0; b < kCorners; ++b)
      row[static_cast<std::size_t>(place_around(a, b))].topRows<3>() +=
          fill * element_.block<3, 3>(3 * a, 3 * b).cast<float>().array();
  }
  held_[kind].setZero();
  for (std::size_t d = 0; d < kAround; ++d) {
    const auto spring = static_cast<float>(material_.stiffness * static_cast<double>(springs_[kind].stiffness[d]) +
                                           material_.damping * static_cast<double>(springs_[kind].damping[d]));
    for (int c = 0; c < 3; ++c) row[d](c, c) += spring;
    if (d != kOwn) held_[kind].diagonal().array() += spring;
  }
}

// Of the block and all that springs between nodes have in this row: they then cannot make the smoother too large.
void CoarseLevel::invert(std::size_t kind) {
  const Eigen::Matrix3f block = rows_[kind][kOwn].topRows<3>().matrix() + held_[kind];
  inverse_[kind].setZero();
  inverse_[kind].topRows<3>() = block.cast<double>().inverse().cast<float>().array();
}

void CoarseLevel::clear_contacts() {
  for (const std::int32_t kind : touched_) {
    const auto k = static_cast<std::size_t>(kind);
    sum_row(node_[k], k), invert(k);
    is_touched_[k] = 0;
  }
  touched_.clear();
}

void CoarseLevel::add_contact(const Vec3& place, const Mat3& stiffness) {
  const Eigen::Matrix3f k = stiffness.cast<float>();
  for_hats(place, [&](int a, std::size_t node, double weight) {
    if (kind_[node] <= 0 || weight == 0.0) return;
    const auto kind = static_cast<std::size_t>(kind_[node]);
    if (is_touched_[kind] == 0) is_touched_[kind] = 1, touched_.push_back(kind_[node]);
    for_hats(place, [&](int b, std::size_t other, double other_weight) {
      if (kind_[other] <= 0) return;
      const Eigen::Matrix3f part = static_cast<float>(weight * other_weight) * k;
      rows_[kind][static_cast<std::size_t>(place_around(a, b))].topRows<3>() += part.array();
      if (a != b) held_[kind] += part;
    });
  });
}

void CoarseLevel::invert_touched() {
  for (const std::int32_t kind : touched_) invert(static_cast<std::size_t>(kind));
}

CoarseLevel::Vector CoarseLevel::smoothed(std::size_t node, const Vector& residual) const {
  const Block& inverse = inverse_[static_cast<std::size_t>(kind_[node])];
  return smoothing_ * (inverse.col(0) * residual[0] + inverse.col(1) * residual[1] + inverse.col(2) * residual[2]);
}

void CoarseLevel::smooth_first(int first, int last) {
  for (std::size_t n = index(0, 0, first); n < index(0, 0, last); ++n)
    if (is_active(n)) x[n] = smoothed(n, r[n]);
}

void CoarseLevel::smooth(int first, int last) {
  for (std::size_t n = index(0, 0, first); n < index(0, 0, last); ++n)
    if (is_active(n)) x[n] += smoothed(n, t[n]);
}

void CoarseLevel::find_residual(int first, int last) {
  for (std::size_t n = index(0, 0, first); n < index(0, 0, last); ++n) {
    if (!is_active(n)) continue;
    const Row& row = rows_[static_cast<std::size_t>(kind_[n])];
    Vector sum = r[n];
    for (std::size_t d = 0; d < kAround; ++d) {
      const Vector& at = x[n + static_cast<std::size_t>(around_[d])];
      sum -= row[d].col(0) * at[0] + row[d].col(1) * at[1] + row[d].col(2) * at[2];
    }
    t[n] = sum;
  }
}

void CoarseLevel::restrict_to(CoarseLevel& coarser, int first, int last) const {
  for (int k = first; k < last; ++k)
    for (int j = 0; j < coarser.ny_; ++j)
      for (int i = 0; i < coarser.nx_; ++i) {
        const std::size_t to = coarser.index(i, j, k);
        if (!coarser.is_active(to)) continue;
        Vector sum = Vector::Zero();
        for (int d = 0; d < kAround; ++d) {
          const int dx = d % 3 - 1, dy = d / 3 % 3 - 1, dz = d / 9 - 1;
          const int fx = 2 * i + dx, fy = 2 * j + dy, fz = 2 * k + dz;
          if (fx < 0 || fx >= nx_ || fy < 0 || fy >= ny_ || fz < 0 || fz >= nz_) continue;
          sum +=
              static_cast<float>(1 << (3 - std::abs(dx) - std::abs(dy) - std::abs(dz))) * 0.125F * t[index(fx, fy, fz)];
        }
        coarser.r[to] = sum;
      }
}

void CoarseLevel::add_from(const CoarseLevel& coarser, int first, int last) {
  for (int k = first; k < last; ++k)
    for (int j = 0; j < ny_; ++j)
      for (int i = 0; i < nx_; ++i) {
        const std::size_t to = index(i, j, k);
        if (!is_active(to)) continue;
        Vector sum = Vector::Zero();
        for (int a = 0; a < kCorners; ++a)
          sum += coarser.x[coarser.index((i + (a & 1)) / 2, (j + ((a >> 1) & 1)) / 2, (k + (a >> 2)) / 2)];
        x[to] += 0.125F * sum;
      }
}

double CoarseLevel::dot(int first, int last) const {
  double sum = 0.0;
  for (std::size_t n = index(0, 0, first); n < index(0, 0, last); ++n)
    if (is_active(n)) sum += static_cast<double>((r[n] * x[n]).sum());
  return sum;
}

}  // namespace distal
