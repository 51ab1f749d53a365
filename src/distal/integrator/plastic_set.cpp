#include "distal/integrator/plastic_set.hpp"

#include <cmath>

namespace distal {

void apply_plastic_set(const Model& model, State& state, Workspace& ws) {
  for (std::size_t s = 0; s < state.spring_rest_m.size(); ++s) {
    std::vector<double>& rest = state.spring_rest_m[s];
    if (rest.empty()) continue;
    const SoftBody& soft = model.soft[s];
    const StrandSprings& springs = soft.tet->strand;
    const AlignedVector<double>& factor = ws.soft[s].node_factor;
    double lost = 0.0;
    for (std::size_t f = 0; f < springs.families.size(); ++f) {
      const SpringFamily& family = springs.families[f];
      for (int r = 0; r + family.step < springs.rings; ++r) {
        const auto i = static_cast<std::size_t>(family.from * springs.rings + r),
                   j = static_cast<std::size_t>(family.to * springs.rings + r + family.step);
        const auto first = static_cast<std::size_t>(soft.first_particle);
        const std::size_t slot = springs.slot(f, r);
        const double length = (state.x.get(first + j) - state.x.get(first + i)).norm(), stretch = length - rest[slot];
        const double most = soft.tet->paper4.yield_strain * springs.rest_m[slot];
        if (!(std::abs(stretch) > most)) continue;
        const double share = factor.empty() ? 1.0 : 0.5 * (factor[i] + factor[j]);
        lost += 0.5 * share * springs.stiffness_n_m[slot] * (stretch * stretch - most * most);
        rest[slot] = length - std::copysign(most, stretch);
        ws.forces_are_current = false;
      }
    }
    state.energy.dissipated += lost;
  }
}

}  // namespace distal
