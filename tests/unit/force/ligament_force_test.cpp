// The stencil of all ligaments against one ligament after the other.
#include <gtest/gtest.h>

#include <random>

#include "distal/force/forces.hpp"

namespace distal {
namespace {

struct Pulls {
  Vec3Array force;
  Wrench on_rod, on_rod_damping;
  double energy_j = 0.0, power_w = 0.0;
};

// The equations as they stand in ligament_force.cpp, ligament by ligament.
Pulls pull_one_by_one(const Model& model, const State& state, const std::vector<double>& stiffness,
                      const std::vector<double>& damping) {
  const SoftBody& body = model.soft[0];
  const RigidBody& rod_body = model.rigid[static_cast<std::size_t>(body.rod)];
  const RigidState& rod = state.rigid[static_cast<std::size_t>(body.rod)];
  Pulls pulls;
  pulls.force.resize(model.particle_slots);
  for (std::size_t l = 0; l < body.ligaments.size(); ++l) {
    Vec3 point = Vec3::Zero(), velocity = Vec3::Zero(), rest = Vec3::Zero();
    const auto corner = [&](int a) { return body.ligaments.node[l] + body.lattice.grid.corner_offset(a); };
    for (int a = 0; a < kCorners; ++a) {
      const double w = body.ligaments.weights(l)[static_cast<std::size_t>(a)];
      point += w * state.x.get(static_cast<std::size_t>(body.first_particle + corner(a)));
      velocity += w * state.v.get(static_cast<std::size_t>(body.first_particle + corner(a)));
      rest += w * body.lattice.grid.rest_position(corner(a));
    }
    const Vec3 arm = rod.q * (rest - rod_body.centre_of_mass_m), from_centre = point - rod.centre_of_mass;
    const Vec3 u = from_centre - arm, rate = velocity - rod.velocity - rod.angular_velocity.cross(arm);
    const Vec3 spring = stiffness[l] * u, damper = damping[l] * rate, both = spring + damper;
    for (int a = 0; a < kCorners; ++a)
      pulls.force.add(static_cast<std::size_t>(body.first_particle + corner(a)),
                      -body.ligaments.weights(l)[static_cast<std::size_t>(a)] * both);
    pulls.on_rod += Wrench{both, from_centre.cross(both)};
    pulls.on_rod_damping += Wrench{damper, from_centre.cross(damper)};
    pulls.energy_j += 0.5 * spring.dot(u);
    pulls.power_w += damper.dot(rate);
  }
  return pulls;
}

TEST(LigamentForce, IsThatOfAllLigamentsOneByOne) {
  ModelDescription description;
  MaterialDescription rubber;
  rubber.density_kg_m3 = 500.0, rubber.youngs_modulus_pa = 4000.0, rubber.poissons_ratio = 0.43;
  description.materials["rubber"] = rubber;
  FingertipDescription finger;
  finger.lattice.material = "rubber", finger.lattice.cell_size_m = 0.9e-3;  // rows of ligaments longer than a tile
  description.bodies.push_back({"finger", finger});
  Model model = build_model(description);
  SoftBody& body = model.soft[0];
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto any = [&] { return Vec3(unit(engine), unit(engine), unit(engine)); };
  std::vector<double> stiffness, damping;
  for (std::size_t l = 0; l < body.ligaments.size(); ++l)
    stiffness.push_back(2.0 + unit(engine)), damping.push_back(0.02 + 0.01 * unit(engine));
  body.ligament_matrix = make_ligament_matrix(body.lattice, body.ligaments, stiffness, damping);
  ASSERT_GT(body.ligament_matrix.count[0], kLigamentLanes);
  State state = make_initial_state(model);
  for (std::size_t p = 0; p < model.particle_slots; ++p) state.x.add(p, 1e-4 * any()), state.v.set(p, 0.1 * any());
  RigidState& rod = state.rigid[static_cast<std::size_t>(body.rod)];
  rod.q = (Quat(0.99, 0.05, -0.08, 0.1).normalized() * rod.q).normalized();
  rod.centre_of_mass += 1e-3 * any(), rod.velocity = 0.1 * any(), rod.angular_velocity = 5.0 * any();

  const Pulls plain = pull_one_by_one(model, state, stiffness, damping);
  Workspace ws(model);
  add_ligament_force(model, 0, state, ws);
  double largest = 0.0, difference = 0.0;
  for (std::size_t p = 0; p < model.particle_slots; ++p) {
    largest = std::max(largest, plain.force.get(p).norm());
    difference = std::max(difference, (plain.force.get(p) - ws.force.get(p)).norm());
  }
  EXPECT_LT(difference, 1e-6 * largest);  // weights are stored in single precision
  const auto close = [](const Wrench& a, const Wrench& b) {
    EXPECT_LT((a.force - b.force).norm(), 1e-6 * b.force.norm());
    EXPECT_LT((a.torque - b.torque).norm(), 1e-6 * b.torque.norm());
  };
  close(ws.soft[0].tip, plain.on_rod);
  close(ws.soft[0].tip_damping, plain.on_rod_damping);
  EXPECT_NEAR(ws.soft[0].ligament_j, plain.energy_j, 1e-6 * plain.energy_j);
  EXPECT_NEAR(ws.soft[0].ligament_w, plain.power_w, 1e-6 * plain.power_w);
}

}  // namespace
}  // namespace distal
