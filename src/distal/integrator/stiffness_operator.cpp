#include "distal/integrator/stiffness_operator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "distal/force/forces.hpp"

namespace distal {

StiffnessOperator::StiffnessOperator(const Model& model, const State& state, Workspace& ws, double rate,
                                     bool rigid_moves, bool bonded_skin)
    : model_(model), ws_(ws), rate_(rate), skin_(bonded_skin ? SkinContact::bonded : SkinContact::none) {
  for (std::size_t p = 0; p < model.particle_slots; ++p)
    if (model.inverse_mass_per_kg[p] > 0.0) particles_.push_back(static_cast<std::int32_t>(p));
  for (std::size_t b = 0; rigid_moves && b < model.rigid.size(); ++b)
    if (model.rigid[b].moves_freely()) bodies_.push_back(b);
  rest_.resize(size());
  set_base(state, rate);
}

void StiffnessOperator::set_base(const State& state, double rate) {
  base_ = &state;
  rate_ = rate;
  State& moved = ws_.retry;
  moved.x = state.x, moved.v = state.v, moved.rigid = state.rigid;
  moved.joint_position = state.joint_position, moved.joint_velocity = state.joint_velocity;
  moved.fields = state.fields, moved.spring_rest_m = state.spring_rest_m;
  compute(state);
  for_responses([this](std::size_t i, double response) { rest_[i] = response; });
}

void StiffnessOperator::compute(const State& state) {
  const SkinContact before = std::exchange(ws_.skin_contact, skin_);
  compute_forces(model_, state, ws_);
  ws_.skin_contact = before;
}

// Calls visit(coordinate, force) for the forces last computed.
template <typename Visit>
void StiffnessOperator::for_responses(const Visit& visit) const {
  std::size_t at = 0;
  for (const std::int32_t particle : particles_) {
    const auto p = static_cast<std::size_t>(particle);
    const Vec3 f = ws_.force.get(p) * std::sqrt(model_.inverse_mass_per_kg[p]);
    for (int c = 0; c < 3; ++c) visit(at++, f[c]);
  }
  for (const std::size_t b : bodies_) {
    const RigidBody& body = model_.rigid[b];
    const Vec3 f = ws_.rigid_force[b].force / std::sqrt(body.mass_kg);
    const Vec3 t = body.inverse_root_inertia * (base_->rigid[b].q.conjugate() * ws_.rigid_force[b].torque);
    for (int c = 0; c < 3; ++c) visit(at++, f[c]);
    for (int c = 0; c < 3; ++c) visit(at++, t[c]);
  }
}

template <typename Real>
void StiffnessOperator::apply(const std::vector<Real>& in, std::vector<Real>& out) {
  // The largest displacement of the difference is a millionth of a cell: far above rounding, far below nonlinearity.
  double largest = 1e-300, cell = 1.0;
  for (const SoftBody& body : model_.soft) cell = std::min(cell, body.spacing_m());
  for (std::size_t i = 0; i < particles_.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      largest = std::max(largest, std::abs(static_cast<double>(in[3 * i + c])) *
                                      std::sqrt(model_.inverse_mass_per_kg[static_cast<std::size_t>(particles_[i])]));
  const bool single = model_.precision == Precision::float_;
  const double epsilon = (single ? 1e-3 : 1e-6) * cell / largest;
  State& moved = ws_.retry;
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    const auto p = static_cast<std::size_t>(particles_[i]);
    const double scale = epsilon * std::sqrt(model_.inverse_mass_per_kg[p]);
    for (int c = 0; c < 3; ++c) {
      const double d = scale * in[3 * i + static_cast<std::size_t>(c)];
      moved.x.data(c)[p] = base_->x.data(c)[p] + d;
      moved.v.data(c)[p] = base_->v.data(c)[p] + rate_ * d;
    }
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RigidBody& body = model_.rigid[bodies_[i]];
    const Real* part = in.data() + 3 * particles_.size() + 6 * i;
    const RigidState& from = base_->rigid[bodies_[i]];
    RigidState& to = moved.rigid[bodies_[i]];
    const Vec3 shift = epsilon / std::sqrt(body.mass_kg) * Vec3(part[0], part[1], part[2]);
    const Vec3 turn = from.q * (epsilon * (body.inverse_root_inertia * Vec3(part[3], part[4], part[5])));
    to.centre_of_mass = from.centre_of_mass + shift;
    to.velocity = from.velocity + rate_ * shift;
    to.q = rotation_from_vector(turn) * from.q;
    to.angular_velocity = from.angular_velocity + rate_ * turn;
  }
  compute(moved);
  for_responses([&](std::size_t i, double response) { out[i] = static_cast<Real>((rest_[i] - response) / epsilon); });
}

template <typename Real>
void StiffnessOperator::fill_start(std::vector<Real>& start) const {
  start.resize(size());
  std::uint64_t seed = 0x9e3779b97f4a7c15ULL;
  for (Real& s : start) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    s = static_cast<Real>(static_cast<double>(seed >> 11) / 9007199254740992.0 - 0.5);
  }
}

template void StiffnessOperator::apply(const std::vector<float>&, std::vector<float>&);
template void StiffnessOperator::apply(const std::vector<double>&, std::vector<double>&);
template void StiffnessOperator::fill_start(std::vector<float>&) const;
template void StiffnessOperator::fill_start(std::vector<double>&) const;

std::int32_t StiffnessOperator::busiest_particle(const std::vector<double>& vector) const {
  std::int32_t busiest = -1;
  double most = 0.0;
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    double sum = 0.0;
    for (std::size_t c = 0; c < 3; ++c) sum += vector[3 * i + c] * vector[3 * i + c];
    if (sum > most) most = sum, busiest = particles_[i];
  }
  return busiest;
}

}  // namespace distal
