#include "distal/integrator/spring_limits.hpp"

#include <algorithm>
#include <cmath>

#include "distal/force/paper2_force.hpp"

namespace distal {
namespace {

bool has_limits(const SoftBody& body) {
  return body.tet && body.tet->model == TetModel::paper2 && body.tet->paper2.limit_iterations > 0 &&
         body.tet->paper2.limit_stiffness_ratio == 0.0 &&
         (std::isfinite(body.tet->paper2.stretch_limit) || body.tet->paper2.compression_limit < 1.0);
}

struct Projection {
  const Model& model;
  const SoftBody& soft;
  const TetBody& body;
  std::size_t first;

  double inverse_mass(std::size_t i) const { return model.inverse_mass_per_kg[first + i]; }
  double edges_at(std::size_t i) const { return body.edges.begin[i + 1] - body.edges.begin[i]; }

  // How far vertex i moves for edge e to (i, j) with the offset d: the mean over its edges, eqs 13 to 17.
  Vec3 correction(std::size_t i, std::size_t e, const Vec3& d) const {
    const Paper2Description& limits = body.paper2;
    const double length = d.norm(), excess = beyond_m(limits, length, body.edges.rest_length[e]);
    if (excess == 0.0 || inverse_mass(i) == 0.0) return Vec3::Zero();
    const auto j = static_cast<std::size_t>(body.edges.neighbour[e]);
    if (limits.limits_as_printed) return 0.5 * excess / edges_at(i) / length * d;
    // Both ends by the same count and against their masses: the centre of mass stays.
    const double share = inverse_mass(i) / (inverse_mass(i) + inverse_mass(j));
    return share * excess / std::max(edges_at(i), edges_at(j)) / length * d;
  }

  double energy(const State& state) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < body.mesh.vertices.size(); ++i) {
      const Vec3 x = state.x.get(first + i);
      sum += model.mass_kg[first + i] * (0.5 * state.v.get(first + i).squaredNorm() - model.gravity_m_s2.dot(x));
      for (auto e = static_cast<std::size_t>(body.edges.begin[i]);
           e < static_cast<std::size_t>(body.edges.begin[i + 1]); ++e) {
        const double length = (state.x.get(first + static_cast<std::size_t>(body.edges.neighbour[e])) - x).norm();
        sum += 0.5 * edge_pull(body, e, length).energy_j;
      }
    }
    return sum + find_volume_energy(soft, state);
  }
};

}  // namespace

bool has_spring_limits(const Model& model) {
  for (const SoftBody& body : model.soft)
    if (has_limits(body)) return true;
  return false;
}

void apply_spring_limits(const Model& model, double h, State& state, Workspace& ws) {
  for (const SoftBody& soft : model.soft) {
    if (!has_limits(soft)) continue;
    const Projection projection{model, soft, *soft.tet, static_cast<std::size_t>(soft.first_particle)};
    const TetBody& body = *soft.tet;
    const double before = projection.energy(state);
    std::vector<Vec3>& moved = ws.spring_moves;
    moved.resize(body.mesh.vertices.size());
    for (int n = 0; n < body.paper2.limit_iterations; ++n) {
      double largest = 0.0;
      for (std::size_t i = 0; i < moved.size(); ++i) {
        moved[i].setZero();
        const Vec3 x = state.x.get(projection.first + i);
        for (auto e = static_cast<std::size_t>(body.edges.begin[i]);
             e < static_cast<std::size_t>(body.edges.begin[i + 1]); ++e)
          moved[i] += projection.correction(
              i, e, state.x.get(projection.first + static_cast<std::size_t>(body.edges.neighbour[e])) - x);
        largest = std::max(largest, moved[i].squaredNorm());
      }
      if (largest == 0.0) break;
      ws.forces_are_current = false;
      ws.travel_left_m -= std::sqrt(largest);
      for (std::size_t i = 0; i < moved.size(); ++i) {
        state.x.add(projection.first + i, moved[i]);
        if (!body.paper2.limits_as_printed) state.v.add(projection.first + i, moved[i] / h);
      }
    }
    state.energy.integrator += before - projection.energy(state);
  }
}

}  // namespace distal
