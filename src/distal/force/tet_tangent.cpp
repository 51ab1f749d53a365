#include "distal/force/tet_tangent.hpp"

#include <algorithm>

#include "distal/force/tet_force.hpp"
#include "distal/force/tet_tangent_kernel.hpp"

namespace distal {
namespace {

// What is only rounding becomes 0: its squares would be too small for whole floats, and those are slow.
void put_four(const std::vector<Vec3>& from, AlignedVector<float>& to) {
  double largest = 0.0;
  for (const Vec3& vector : from) largest = std::max(largest, vector.cwiseAbs().maxCoeff());
  to.assign(4 * from.size(), 0.0F);
  for (std::size_t e = 0; e < from.size(); ++e)
    for (std::size_t c = 0; c < 3; ++c)
      if (const double value = from[e][static_cast<Eigen::Index>(c)]; std::abs(value) > 1e-9 * largest)
        to[4 * e + c] = static_cast<float>(value);
}

}  // namespace

TetTangent::TetTangent(const SoftBody& body)
    : nodal_(body.tet->gradients.graph),
      springs_(body.tet->springs.graph),
      first_particle_(static_cast<std::size_t>(body.first_particle)),
      vertices_(body.tet->mesh.vertices.size()),
      slots_(static_cast<std::size_t>(body.tet->slots())),
      mu_(body.tet->moduli.shear_pa),
      lambda_(body.tet->moduli.lame_lambda_pa),
      viscosity_(mu_ * body.tet->relaxation_time_s),
      volume_(body.tet->gradients.volume_m3) {
  put_four(body.tet->gradients.mean, mean_);
  put_four(body.tet->gradients.given, given_);
  const std::vector<double>& stiffness = body.tet->springs.stiffness_n_m;
  for (const double k : stiffness) stiffness_.push_back(static_cast<float>(k));
  weighted_.resize(stiffness_.size());
  for (std::size_t i = 0; i < vertices_; ++i)
    own_.push_back(static_cast<std::int32_t>(std::find(springs_.neighbour.begin() + springs_.begin[i],
                                                       springs_.neighbour.begin() + springs_.begin[i + 1],
                                                       static_cast<std::int32_t>(i)) -
                                             springs_.neighbour.begin()));
  for (AlignedVector<float>* matrix : {&f_, &area_, &gradient_}) matrix->assign(kRows * slots_, 0.0F);
  for (AlignedVector<float>* value : {&linear_, &volume_a_, &volume_b_, &viscous_}) value->assign(slots_, 0.0F);
  p_.assign(4 * slots_, 0.0F);
  for (AlignedVector<float>* columns : {&columns_, &stress_}) columns->assign(12 * slots_, 0.0F);
}

TetTangent::Range TetTangent::vertices(int first, int last) const {
  return {static_cast<std::size_t>(first) * kTetChunk, std::min(static_cast<std::size_t>(last) * kTetChunk, vertices_)};
}

void TetTangent::linearise(int first, int last, const TangentWeights& weights, const SoftWorkspace* softened) {
  const Range range = vertices(first, last);
  const auto share = static_cast<float>(weights.stiffness);
  const bool softens = softened != nullptr && !softened->node_factor.empty();
  for (auto e = static_cast<std::size_t>(springs_.begin[range.begin]);
       e < static_cast<std::size_t>(springs_.begin[range.end]); ++e)
    weighted_[e] = share * (softens ? static_cast<float>(softened->soft_springs_n_m[e]) : stiffness_[e]);
  tet::sum_gradients(tet::rows_of(nodal_), mean_.data(), p_.data(), f_.data(), slots_, range.begin, range.end);
  for (std::size_t n = range.begin; n < range.end; ++n) 
    linearise_vertex(n, weights, softens ? softened->soft_volume_m3[n] : volume_[n]);
}

void TetTangent::linearise_vertex(std::size_t n, const TangentWeights& weights, double volume) {
  Mat3 f;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) f(i, k) = static_cast<double>(row(f_, 3 * i + k)[n]);
  const Mat3 area = cofactor(f);
  const double j = f.col(0).dot(area.col(0));
  const VolumeLog log_j = volume_log(j);
  const double pressure = lambda_ * log_j.value - mu_;
  linear_[n] = static_cast<float>(weights.stiffness * volume * kVertexShare * mu_);
  // U(J) with U' = pressure dlog/dJ.
  const double turn = pressure * log_j.curvature;
  const double a = lambda_ * log_j.slope * log_j.slope + (weights.convex ? std::max(turn, 0.0) : turn);
  volume_a_[n] = static_cast<float>(weights.stiffness * volume * a);
  volume_b_[n] = weights.convex ? 0.0F : static_cast<float>(weights.stiffness * volume * pressure * log_j.slope);
  viscous_[n] = j > kLeastVolume ? static_cast<float>(weights.damping * volume * viscosity_ / (j * j)) : 0.0F;
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const auto value = static_cast<float>(area(i, k));
      row(area_, 3 * i + k)[n] = value;
      columns_[12 * n + static_cast<std::size_t>(4 * k + i)] = value;
    }
}

void TetTangent::find_diagonal(int first, int last, BasicVec3Array<float>& straight,
                               BasicVec3Array<float>& mixed) const {
  const Range range = vertices(first, last);
  std::array<tet::Block, kTetChunk> blocks;
  for (std::size_t begin = range.begin; begin < range.end; begin += kTetChunk) {
    const std::size_t end = std::min(begin + kTetChunk, range.end);
    tet::sum_blocks(
        {tet::rows_of(nodal_), given_.data(), columns_.data(), linear_.data(), volume_a_.data(), viscous_.data()},
        blocks.data(), begin, end);
    for (std::size_t i = begin; i < end; ++i) {
      const tet::Block& block = blocks[i - begin];
      const float spring = weighted_[static_cast<std::size_t>(own_[i])];
      for (std::size_t c = 0; c < 3; ++c) {
        straight.component[c][first_particle_ + i] = block.straight[c] + spring;
        mixed.component[c][first_particle_ + i] = block.mixed[c];
      }
    }
  }
}

void TetTangent::take(int first, int last, const BasicVec3Array<float>& p) {
  const Range range = vertices(first, last);
  for (std::size_t n = range.begin; n < range.end; ++n)
    for (std::size_t c = 0; c < 3; ++c) p_[4 * n + c] = p.component[c][first_particle_ + n];
}

void TetTangent::find_stress(int first, int last) {
  const Range range = vertices(first, last);
  tet::sum_gradients(tet::rows_of(nodal_), mean_.data(), p_.data(), gradient_.data(), slots_, range.begin, range.end);
  tet::find_stress({f_.data(), area_.data(), linear_.data(), volume_a_.data(), volume_b_.data(),
                    viscosity_ > 0.0 ? viscous_.data() : nullptr, gradient_.data(), stress_.data(), slots_},
                   range.begin, static_cast<std::size_t>(last) * kTetChunk);
}

void TetTangent::give(int first, int last, BasicVec3Array<float>& out) const {
  const Range range = vertices(first, last);
  tet::give_rows(tet::rows_of(nodal_), given_.data(), stress_.data(), tet::rows_of(springs_), weighted_.data(),
                 p_.data(), out.data(0) + first_particle_, out.data(1) + first_particle_, out.data(2) + first_particle_,
                 range.begin, range.end);
}

}  // namespace distal
