#include "distal/force/tet_tangent.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "distal/force/tet_force.hpp"
#include "distal/model/shared_weights.hpp"

namespace distal {
namespace {

constexpr float kAlike = 1e-6F;

// What is only rounding becomes 0: its squares would be too small for whole floats, and those are slow.
AlignedVector<float> narrowed(const AlignedVector<double>& from) {
  double largest = 0.0;
  for (const double value : from) largest = std::max(largest, std::abs(value));
  AlignedVector<float> to(from.size(), 0.0F);
  for (std::size_t i = 0; i < from.size(); ++i)
    if (std::abs(from[i]) > 1e-9 * largest) to[i] = static_cast<float>(from[i]);
  return to;
}

}  // namespace

TetTangent::TetTangent(const SoftBody& body)
    : body_(*body.tet),
      first_particle_(static_cast<std::size_t>(body.first_particle)),
      slots_(static_cast<std::size_t>(body_.slots())),
      stride_(lane_stride(slots_)),
      mu_(body_.moduli.shear_pa),
      lambda_(body_.moduli.lame_lambda_pa),
      viscosity_(mu_ * body_.relaxation_time_s),
      mean_(narrowed(body_.gradients.mean)),
      given_(narrowed(body_.gradients.given)),
      stiffness_(narrowed(body_.springs.stiffness_n_m)) {
  const std::array nodal{SlotWeights<float>{&mean_, 3 * kLanes}, SlotWeights<float>{&given_, 3 * kLanes}};
  nodal_slot_ = share_weights<float>(body_.gradients.rows, nodal, kAlike);
  // Where a field softens the body each spring has its own stiffness.
  if (body_.edge_shares.begin.empty())
    spring_slot_ =
        share_weights<float>(body_.springs.rows, std::array{SlotWeights<float>{&stiffness_, kLanes}}, kAlike);
  p_.assign(3 * stride_, 0.0F);
  for (AlignedVector<float>* matrix : {&f_, &area_, &stress_}) matrix->assign(9 * stride_, 0.0F);
  for (AlignedVector<float>* value : {&linear_, &volume_a_, &volume_b_, &viscous_}) value->assign(stride_, 0.0F);
}

TetTangent::Range TetTangent::vertices(int first, int last) const {
  return {static_cast<std::size_t>(first) * kTetChunk, static_cast<std::size_t>(last) * kTetChunk};
}

void TetTangent::set_weights(const TangentWeights& weights, const SoftWorkspace& work) {
  weights_ = weights;
  softened_ = work.node_factor.empty() ? nullptr : &work;
  if (softened_)
    std::transform(work.soft_springs_n_m.begin(), work.soft_springs_n_m.end(), stiffness_.begin(),
                   [](double k) { return static_cast<float>(k); });
}

tet::TangentJob TetTangent::make_job() const {
  const auto start = [](AlignedVector<float>& numbers) { return numbers.data() + kSpareLanes; };
  return {tet::view_of(body_.gradients.rows, nodal_slot_.data()),
          tet::view_of(body_.springs.rows, spring_slot_.empty() ? nullptr : spring_slot_.data()),
          mean_.data(),
          given_.data(),
          stiffness_.data(),
          static_cast<float>(weights_.stiffness),
          viscosity_ > 0.0,
          start(p_),
          start(f_),
          start(area_),
          start(stress_),
          start(linear_),
          start(volume_a_),
          start(volume_b_),
          start(viscous_),
          stride_};
}

void TetTangent::linearise(int first, int last) {
  std::array<float, kTetChunk> j;
  for (int chunk = first; chunk < last; ++chunk) {
    const Range range = vertices(chunk, chunk + 1);
    tet::find_gradients(make_job(), range.begin, range.end, j.data());
    for (std::size_t n = range.begin; n < range.end; ++n) linearise_vertex(n, static_cast<double>(j[n - range.begin]));
  }
}

void TetTangent::linearise_vertex(std::size_t n, double j) {
  const std::size_t at = kSpareLanes + n;
  const double volume = softened_ ? softened_->soft_volume_m3[n] : body_.gradients.volume_m3[n],
               stiff = weights_.stiffness * volume;
  const VolumeLog log_j = volume_log(j);
  const double pressure = lambda_ * log_j.value - mu_;
  linear_[at] = static_cast<float>(stiff * body_.vertex_share * mu_);
  // U(J) with U' = pressure dlog/dJ.
  const double turn = pressure * log_j.curvature;
  const double a = lambda_ * log_j.slope * log_j.slope + (weights_.convex ? std::max(turn, 0.0) : turn);
  volume_a_[at] = static_cast<float>(stiff * a);
  volume_b_[at] = weights_.convex ? 0.0F : static_cast<float>(stiff * pressure * log_j.slope);
  viscous_[at] = j > kLeastVolume ? static_cast<float>(weights_.damping * volume * viscosity_ / (j * j)) : 0.0F;
}

void TetTangent::find_diagonal(int first, int last, BasicVec3Array<float>& straight,
                               BasicVec3Array<float>& mixed) const {
  std::array<tet::Block, kTetChunk> blocks;
  for (int chunk = first; chunk < last; ++chunk) {
    const Range range = vertices(chunk, chunk + 1);
    tet::sum_blocks(make_job(), range.begin, range.end, blocks.data());
    for (std::size_t i = range.begin; i < std::min(range.end, body_.mesh.vertices.size()); ++i) {
      const tet::Block& block = blocks[i - range.begin];
      const double own = softened_ ? softened_->soft_springs_n_m[static_cast<std::size_t>(body_.edge_shares.own[i])]
                                   : body_.springs.own_n_m[i];
      const auto spring = static_cast<float>(weights_.stiffness * own);
      for (std::size_t c = 0; c < 3; ++c) {
        straight.component[c][first_particle_ + i] = block.straight[c] + spring;
        mixed.component[c][first_particle_ + i] = block.mixed[c];
      }
    }
  }
}

void TetTangent::take(int first, int last, const BasicVec3Array<float>& p) {
  const Range range = vertices(first, last);
  for (std::size_t c = 0; c < 3; ++c)
    std::copy(p.component[c].data() + first_particle_ + range.begin,
              p.component[c].data() + first_particle_ + range.end, p_.data() + c * stride_ + kSpareLanes + range.begin);
}

void TetTangent::find_stress(int first, int last) {
  const Range range = vertices(first, last);
  tet::find_stress(make_job(), range.begin, range.end);
}

void TetTangent::give(int first, int last, BasicVec3Array<float>& out) const {
  const Range range = vertices(first, last);
  tet::give_rows(make_job(), range.begin, range.end, out.data(0) + first_particle_, out.data(1) + first_particle_,
                 out.data(2) + first_particle_);
}

}  // namespace distal
