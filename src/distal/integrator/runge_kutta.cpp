// Dormand and Prince, "A family of embedded Runge-Kutta formulae", J. Comp. Appl. Math. 6 (1980) 19-26.
#include <algorithm>
#include <cmath>

#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "distal/integrator/integrators.hpp"
#include "distal/integrator/rigid_update.hpp"

namespace distal {
namespace {

constexpr int kStages = 7;
constexpr double kNode[kStages][6] = {{},
                                      {1.0 / 5},
                                      {3.0 / 40, 9.0 / 40},
                                      {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                      {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                      {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                      {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
// Fifth minus fourth order weights.
constexpr double kError[kStages] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                    -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

// Rates of change of one rigid body; rotation as the rate of the quaternion's coefficients.
struct RigidRate {
  Vec3 position, velocity, angular;
  Eigen::Vector4d q;
};

RigidRate rigid_rate(const RigidState& s, const Twist& acceleration) {
  const Quat spin(0.0, s.angular_velocity.x(), s.angular_velocity.y(), s.angular_velocity.z());
  return {s.velocity, acceleration.linear, acceleration.angular, 0.5 * (spin * s.q).coeffs()};
}

struct Rates {
  std::vector<RigidRate> rigid;
  double control_power = 0.0, dissipation = 0.0;
};

Rates evaluate(const Model& model, State& state, Workspace& ws, int stage) {
  find_contacts(model, state, ws);
  compute_forces(model, state, ws);
  compute_rigid_acceleration(model, state, ws);
  Rates rates;
  rates.dissipation = dissipation_power(model, state, ws);
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    const RigidState& s = state.rigid[b];
    rates.rigid.push_back(rigid_rate(s, model.rigid[b].moves_freely() ? ws.rigid_acceleration[b] : Twist{}));
    Wrench drive = ws.applied[b];
    if (model.rigid[b].mount == Mount::driven) {
      drive = -ws.rigid_force[b];
      drive.force -= model.rigid[b].mass_kg * model.gravity_m_s2;
    }
    rates.control_power += drive.force.dot(s.velocity) + drive.torque.dot(s.angular_velocity);
  }
  Vec3Array& dx = ws.stage_x[static_cast<std::size_t>(stage)];
  Vec3Array& dv = ws.stage_v[static_cast<std::size_t>(stage)];
  for (int c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < model.particle_slots; ++i) {
      const double w = model.inverse_mass_per_kg[i];
      dx.data(c)[i] = w > 0.0 ? state.v.data(c)[i] : 0.0;
      dv.data(c)[i] = w > 0.0 ? ws.force.data(c)[i] * w + model.gravity_m_s2[c] : 0.0;
    }
  return rates;
}

// state = start + h sum_j weight_j rate_j
void combine(const Model& model, const State& start, const std::vector<Rates>& rates, const double* weight, int count,
             double h, State& state, Workspace& ws) {
  for (int c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < model.particle_slots; ++i) {
      double x = start.x.data(c)[i], v = start.v.data(c)[i];
      for (int j = 0; j < count; ++j) {
        x += h * weight[j] * ws.stage_x[static_cast<std::size_t>(j)].data(c)[i];
        v += h * weight[j] * ws.stage_v[static_cast<std::size_t>(j)].data(c)[i];
      }
      state.x.data(c)[i] = x, state.v.data(c)[i] = v;
    }
  for (std::size_t b = 0; b < model.rigid.size(); ++b) {
    if (model.rigid[b].mount == Mount::fixed) continue;
    RigidState s = start.rigid[b];
    if (model.rigid[b].mount == Mount::driven) {  // its motion is known
      double share = 0.0;
      for (int j = 0; j < count; ++j) share += weight[j];
      State one = start;
      drift_rigid(model, h * share, one);
      state.rigid[b] = one.rigid[b];
      continue;
    }
    for (int j = 0; j < count; ++j) {
      const RigidRate& rate = rates[static_cast<std::size_t>(j)].rigid[b];
      s.centre_of_mass += h * weight[j] * rate.position;
      s.velocity += h * weight[j] * rate.velocity;
      s.angular_velocity += h * weight[j] * rate.angular;
      s.q.coeffs() += h * weight[j] * rate.q;
    }
    s.q.normalize();
    state.rigid[b] = s;
  }
}

double error_norm(const Model& model, double h, const Workspace& ws) {
  double length = 0.01;
  for (const SoftBody& body : model.soft) length = std::min(length, body.spacing_m());
  double worst = 0.0;
  for (int c = 0; c < 3; ++c)
    for (std::size_t i = 0; i < model.particle_slots; ++i) {
      double ex = 0.0, ev = 0.0;
      for (int j = 0; j < kStages; ++j) {
        ex += kError[j] * ws.stage_x[static_cast<std::size_t>(j)].data(c)[i];
        ev += kError[j] * ws.stage_v[static_cast<std::size_t>(j)].data(c)[i];
      }
      // Velocity errors count by how far they carry in one step.
      const double e = std::max(std::abs(h * ex), std::abs(h * h * ev));
      worst = e <= worst ? worst : e;
    }
  return worst / length;
}

}  // namespace

void take_runge_kutta_step(const Model& model, double h, State& state, Workspace& ws) {
  if (ws.stage_x.size() != kStages) {
    ws.stage_x.resize(kStages), ws.stage_v.resize(kStages);
    for (auto* stages : {&ws.stage_x, &ws.stage_v})
      for (Vec3Array& stage : *stages) stage.resize(model.particle_slots);
  }
  ws.step_start = state;
  std::vector<Rates> rates;
  rates.push_back(evaluate(model, state, ws, 0));
  for (int stage = 1; stage < kStages; ++stage) {
    combine(model, ws.step_start, rates, kNode[stage], stage, h, state, ws);
    // Stages may lie anywhere near: lists are made again for each.
    ws.travel_left_m = -1.0;
    rates.push_back(evaluate(model, state, ws, stage));
  }
  for (int j = 0; j < kStages - 1; ++j) {
    state.energy.dissipated += h * kNode[6][j] * rates[static_cast<std::size_t>(j)].dissipation;
    state.energy.control_work += h * kNode[6][j] * rates[static_cast<std::size_t>(j)].control_power;
  }
}

Advance advance_runge_kutta(const Model& model, double most_s, State& state, Workspace& ws) {
  Advance result;
  const double smallest = kSmallestShare * model.stable_step_s;
  const bool fixed = !std::isnan(model.integrator.time_step_s);
  if (!(state.adaptive_step_s > 0.0)) state.adaptive_step_s = 0.5 * model.stable_step_s;
  double h = fixed ? std::min(model.integrator.time_step_s, most_s) : std::min(state.adaptive_step_s, most_s);
  while (true) {
    take_runge_kutta_step(model, h, state, ws);
    const double ratio = error_norm(model, h, ws) / model.integrator.tolerance;
    const double factor = std::isfinite(ratio) ? std::clamp(0.9 * std::pow(ratio + 1e-12, -0.2), 0.2, 3.0) : 0.2;
    if (fixed || ratio <= 1.0 || h <= smallest) {
      commit_contacts(model, ws, state);  // the seventh stage stands at the new state
      result.taken_s = h;
      const double next = factor * h;
      state.adaptive_step_s = h < most_s ? next : std::max(state.adaptive_step_s, next);
      ws.travel_left_m = -1.0;
      return result;
    }
    state = ws.step_start;
    ws.travel_left_m = -1.0;
    ++result.rejected;
    h = std::max(factor * h, smallest);
  }
}

}  // namespace distal
