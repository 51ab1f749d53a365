#include "distal/force/tet_tangent.hpp"

#include <algorithm>

#include "distal/force/tet_force.hpp"
#include "distal/force/tet_tangent_kernel.hpp"

namespace distal {
namespace {

void put_four(const std::vector<Vec3>& from, AlignedVector<float>& to) {
  to.assign(4 * from.size(), 0.0F);
  for (std::size_t e = 0; e < from.size(); ++e)
    for (std::size_t c = 0; c < 3; ++c) to[4 * e + c] = static_cast<float>(from[e][static_cast<Eigen::Index>(c)]);
}

tet::Rows rows_of(const VertexGraph& graph) { return {graph.begin.data(), graph.neighbour.data()}; }

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
  for (AlignedVector<float>* matrix : {&f_, &area_, &gradient_}) matrix->assign(kRows * slots_, 0.0F);
  for (AlignedVector<float>* value : {&linear_, &volume_a_, &volume_b_, &viscous_}) value->assign(slots_, 0.0F);
  p_.assign(4 * slots_, 0.0F);
  stress_.assign(12 * slots_, 0.0F);
}

TetTangent::Range TetTangent::vertices(int first, int last) const {
  return {static_cast<std::size_t>(first) * kTetChunk, std::min(static_cast<std::size_t>(last) * kTetChunk, vertices_)};
}

void TetTangent::linearise(int first, int last, const BasicVec3Array<float>& x, const TangentWeights& weights) {
  const Range range = vertices(first, last);
  spring_share_ = static_cast<float>(weights.stiffness);
  for (std::size_t n = range.begin; n < range.end; ++n) {
    Mat3 f = Mat3::Zero();
    for (auto e = static_cast<std::size_t>(nodal_.begin[n]); e < static_cast<std::size_t>(nodal_.begin[n + 1]); ++e)
      f += x.get(first_particle_ + static_cast<std::size_t>(nodal_.neighbour[e])) *
           Eigen::Map<const Eigen::Vector3f>(mean_.data() + 4 * e).cast<double>().transpose();
    const Mat3 area = cofactor(f);
    const double j = f.col(0).dot(area.col(0)), volume = volume_[n];
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
        row(f_, 3 * i + k)[n] = static_cast<float>(f(i, k));
        row(area_, 3 * i + k)[n] = static_cast<float>(area(i, k));
      }
  }
}

void TetTangent::find_diagonal(int first, int last, BasicVec3Array<float>& straight,
                               BasicVec3Array<float>& mixed) const {
  const Range range = vertices(first, last);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    Eigen::Matrix3f block = Eigen::Matrix3f::Zero();
    for (auto e = static_cast<std::size_t>(nodal_.begin[i]); e < static_cast<std::size_t>(nodal_.begin[i + 1]); ++e) {
      const auto n = static_cast<std::size_t>(nodal_.neighbour[e]);
      const Eigen::Map<const Eigen::Vector3f> given(given_.data() + 4 * e);
      Eigen::Matrix3f area;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) area(r, c) = row(area_, 3 * r + c)[n];
      const Eigen::Vector3f face = area * given;
      block += (volume_a_[n] + viscous_[n]) * face * face.transpose();
      block.diagonal().array() += linear_[n] * given.squaredNorm() + viscous_[n] * face.squaredNorm();
    }
    for (auto e = static_cast<std::size_t>(springs_.begin[i]); e < static_cast<std::size_t>(springs_.begin[i + 1]); ++e)
      if (springs_.neighbour[e] == static_cast<std::int32_t>(i))
        block.diagonal().array() += spring_share_ * stiffness_[e];
    const std::size_t p = first_particle_ + i;
    for (std::size_t c = 0; c < 3; ++c)
      straight.component[c][p] = block(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(c));
    mixed.component[0][p] = block(0, 1), mixed.component[1][p] = block(0, 2), mixed.component[2][p] = block(1, 2);
  }
}

void TetTangent::take(int first, int last, const BasicVec3Array<float>& p) {
  const Range range = vertices(first, last);
  for (std::size_t n = range.begin; n < range.end; ++n)
    for (std::size_t c = 0; c < 3; ++c) p_[4 * n + c] = p.component[c][first_particle_ + n];
}

void TetTangent::find_stress(int first, int last) {
  const Range range = vertices(first, last);
  tet::sum_gradients(rows_of(nodal_), mean_.data(), p_.data(), gradient_.data(), slots_, range.begin, range.end);
  tet::find_stress({f_.data(), area_.data(), linear_.data(), volume_a_.data(), volume_b_.data(), viscous_.data(),
                    gradient_.data(), stress_.data(), slots_},
                   range.begin, static_cast<std::size_t>(last) * kTetChunk);
}

void TetTangent::give(int first, int last, BasicVec3Array<float>& out) const {
  const Range range = vertices(first, last);
  tet::give_rows(rows_of(nodal_), given_.data(), stress_.data(), rows_of(springs_), stiffness_.data(), spring_share_,
                 p_.data(), out.data(0) + first_particle_, out.data(1) + first_particle_, out.data(2) + first_particle_,
                 range.begin, range.end);
}

}  // namespace distal
