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
  base_ = moved_ = state;
  rate_ = rate;
  compute(base_);
  response(rest_);
}

void StiffnessOperator::compute(const State& state) {
  const SkinContact before = std::exchange(ws_.skin_contact, skin_);
  compute_forces(model_, state, ws_);
  ws_.skin_contact = before;
}

void StiffnessOperator::response(std::vector<double>& out) const {
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    const auto p = static_cast<std::size_t>(particles_[i]);
    const Vec3 f = ws_.force.get(p) * std::sqrt(model_.inverse_mass_per_kg[p]);
    for (std::size_t c = 0; c < 3; ++c) out[3 * i + c] = f[static_cast<Eigen::Index>(c)];
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RigidBody& body = model_.rigid[bodies_[i]];
    const Vec3 f = ws_.rigid_force[bodies_[i]].force / std::sqrt(body.mass_kg);
    const Vec3 t =
        body.inverse_root_inertia * (base_.rigid[bodies_[i]].q.conjugate() * ws_.rigid_force[bodies_[i]].torque);
    for (std::size_t c = 0; c < 3; ++c) {
      out[3 * particles_.size() + 6 * i + c] = f[static_cast<Eigen::Index>(c)];
      out[3 * particles_.size() + 6 * i + 3 + c] = t[static_cast<Eigen::Index>(c)];
    }
  }
}

void StiffnessOperator::apply(const std::vector<double>& in, std::vector<double>& out) {
  // The largest displacement of the difference is a millionth of a cell: far above rounding, far below nonlinearity.
  double largest = 1e-300, cell = 1.0;
  for (const SoftBody& body : model_.soft) cell = std::min(cell, body.spacing_m());
  for (std::size_t i = 0; i < particles_.size(); ++i)
    for (std::size_t c = 0; c < 3; ++c)
      largest = std::max(largest, std::abs(in[3 * i + c]) *
                                      std::sqrt(model_.inverse_mass_per_kg[static_cast<std::size_t>(particles_[i])]));
  const bool single = model_.precision == Precision::float_;
  const double epsilon = (single ? 1e-3 : 1e-6) * cell / largest;
  for (std::size_t i = 0; i < particles_.size(); ++i) {
    const auto p = static_cast<std::size_t>(particles_[i]);
    const double scale = epsilon * std::sqrt(model_.inverse_mass_per_kg[p]);
    for (int c = 0; c < 3; ++c) {
      const double d = scale * in[3 * i + static_cast<std::size_t>(c)];
      moved_.x.data(c)[p] = base_.x.data(c)[p] + d;
      moved_.v.data(c)[p] = base_.v.data(c)[p] + rate_ * d;
    }
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const RigidBody& body = model_.rigid[bodies_[i]];
    const double* part = in.data() + 3 * particles_.size() + 6 * i;
    const RigidState& from = base_.rigid[bodies_[i]];
    RigidState& to = moved_.rigid[bodies_[i]];
    const Vec3 shift = epsilon / std::sqrt(body.mass_kg) * Vec3(part[0], part[1], part[2]);
    const Vec3 turn = from.q * (epsilon * (body.inverse_root_inertia * Vec3(part[3], part[4], part[5])));
    to.centre_of_mass = from.centre_of_mass + shift;
    to.velocity = from.velocity + rate_ * shift;
    to.q = rotation_from_vector(turn) * from.q;
    to.angular_velocity = from.angular_velocity + rate_ * turn;
  }
  compute(moved_);
  response(out);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (rest_[i] - out[i]) / epsilon;
}

std::vector<double> StiffnessOperator::start_vector() const {
  std::vector<double> start(size());
  std::uint64_t seed = 0x9e3779b97f4a7c15ULL;
  for (double& s : start) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    s = static_cast<double>(seed >> 11) / 9007199254740992.0 - 0.5;
  }
  return start;
}

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
