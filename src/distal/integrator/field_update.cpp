#include "distal/integrator/field_update.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

constexpr double kStableShare = 0.9;

// Explicit steps: what flows out of one node flows into the other.
void conduct(const BodyField& field, double period, std::vector<double>& value) {
  if (field.fastest_per_s == 0.0) return;
  const int steps = std::max(1, static_cast<int>(std::ceil(period * field.fastest_per_s / (2.0 * kStableShare))));
  const double h = period / steps;
  std::vector<double> flow(value.size());
  for (int k = 0; k < steps; ++k) {
    for (std::size_t n = 0; n < value.size(); ++n) {
      double sum = 0.0;
      for (auto e = static_cast<std::size_t>(field.begin[n]); e < static_cast<std::size_t>(field.begin[n + 1]); ++e)
        sum += field.conductance_w_k[e] * (value[static_cast<std::size_t>(field.neighbour[e])] - value[n]);
      flow[n] = sum;
    }
    for (std::size_t n = 0; n < value.size(); ++n)
      if (!field.held[n]) value[n] += h * flow[n] / field.capacity_j_k[n];
  }
}

// Through the samples that touch, each over its own area. A node never passes the value of what heats it.
void exchange(const Model& model, const BodyField& field, double period, const Workspace& ws,
              std::vector<double>& value) {
  const SoftBody& body = model.soft[static_cast<std::size_t>(field.soft)];
  std::vector<double> conductance(value.size(), 0.0);
  for (std::size_t p = 0; p < model.pairs.size(); ++p) {
    const ContactPair& pair = model.pairs[p];
    if (!pair.sampled_is_soft || pair.sampled != field.soft || pair.partner != field.contact_rigid || pair.by_facets())
      continue;
    for (const Contact& contact : ws.pairs[p].near) {
      if (contact.touch == Touch::none) continue;
      const auto s = static_cast<std::size_t>(contact.sample);
      for (std::size_t a = 0; a < 3; ++a)
        conductance[static_cast<std::size_t>(body.skin.facet[s][a])] +=
            field.law.contact_exchange_w_m2_k * body.skin_area_m2[s] * body.skin.place[s][a];
    }
  }
  for (std::size_t n = 0; n < value.size(); ++n)
    if (conductance[n] > 0.0 && !field.held[n])
      value[n] += (field.law.contact_value - value[n]) * -std::expm1(-period * conductance[n] / field.capacity_j_k[n]);
}

}  // namespace

void advance_fields(const Model& model, double period, State& state, const Workspace& ws) {
  for (std::size_t f = 0; f < model.fields.size(); ++f) {
    conduct(model.fields[f], period, state.fields[f]);
    if (model.fields[f].contact_rigid >= 0) exchange(model, model.fields[f], period, ws, state.fields[f]);
  }
}

}  // namespace distal
