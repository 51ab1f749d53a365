// Fields: conduction, energy, softening.
#include <gtest/gtest.h>

#include <cmath>

#include "distal/force/forces.hpp"
#include "distal/integrator/field_update.hpp"
#include "support/scenes.hpp"
#include "support/strand_scenes.hpp"

namespace distal {
namespace {

using namespace test;

constexpr double kLength = 0.1, kDiffusivity = 1e-6;

ModelDescription warm_strand(TetModel model) {
  StrandDescription strand;
  strand.model = model;
  strand.length_m = kLength;
  strand.spacing_m = 0.002;
  ModelDescription scene = strand_alone(strand, strand_material(1e5));
  FieldDescription field;
  field.body = "strand", field.diffusivity_m2_s = kDiffusivity, field.initial = 300.0, field.reference = 300.0;
  scene.fields = {{"temperature", field}};
  return scene;
}

void add_value(ModelDescription& scene, const std::string& name, double low, double high, double value, bool held) {
  FieldValueDescription part;
  part.field = "temperature", part.value = value, part.held = held;
  part.min_m.x() = low, part.max_m.x() = high;
  scene.field_values.emplace_back(name, part);
}

double energy_of(const BodyField& field, const State& state) {
  double sum = 0.0;
  for (std::size_t n = 0; n < state.fields[0].size(); ++n) sum += field.capacity_j_k[n] * state.fields[0][n];
  return sum;
}

// Mean over the nodes of a ring.
double ring_value(const SoftBody& body, const State& state, int ring) {
  double sum = 0.0;
  for (int p = 0; p < body.tet->strand.places; ++p)
    sum += state.fields[0][static_cast<std::size_t>(p * body.tet->strand.rings + ring)];
  return sum / body.tet->strand.places;
}

// Both ends held at 0, the rest starts at 1: the Fourier series of the heat equation.
double series(double x, double time) {
  double sum = 0.0;
  for (int n = 1; n < 400; n += 2)
    sum += 4.0 / (n * kPi) * std::sin(n * kPi * x / kLength) *
           std::exp(-kDiffusivity * std::pow(n * kPi / kLength, 2) * time);
  return sum;
}

TEST(Field, ConductionIsTheSeries) {
  ModelDescription scene = warm_strand(TetModel::paper4);
  scene.fields[0].second.initial = 1.0;
  add_value(scene, "left", -1.0, 1e-6, 0.0, true);
  add_value(scene, "right", kLength - 1e-6, 1.0, 0.0, true);
  const Model model = build_model(scene);
  State state = make_initial_state(model);
  const Workspace ws(model);
  const int rings = model.soft[0].tet->strand.rings;
  double time = 0.0;
  for (const double until : {100.0, 400.0, 1500.0}) {
    for (; time < until - 1e-9; time += 1.0) advance_fields(model, 1.0, state, ws);
    for (int r = 0; r < rings; ++r)
      EXPECT_NEAR(ring_value(model.soft[0], state, r), series(kLength * r / (rings - 1), until), 0.01)
          << "ring " << r << " after " << until << " s";
  }
}

TEST(Field, ConductionKeepsEnergy) {
  for (const TetModel kind : {TetModel::paper4, TetModel::neo_hookean}) {
    ModelDescription scene = warm_strand(kind);
    add_value(scene, "left", -1.0, 0.5 * kLength, 370.0, false);
    const Model model = build_model(scene);
    State state = make_initial_state(model);
    const Workspace ws(model);
    const double before = energy_of(model.fields[0], state);
    const double spread = state.fields[0][0] - state.fields[0].back();
    // A step a thousand times the stable one, and a small one.
    advance_fields(model, 1000.0, state, ws);
    advance_fields(model, 1e-3, state, ws);
    EXPECT_NEAR(energy_of(model.fields[0], state), before, 1e-12 * before);
    EXPECT_LT(std::abs(state.fields[0][0] - state.fields[0].back()), std::abs(spread));
    for (const double value : state.fields[0]) {
      EXPECT_GE(value, 300.0 - 1e-9);
      EXPECT_LE(value, 370.0 + 1e-9);
    }
  }
}

// Forces of a strand pulled by a tenth, over those at the reference: the law, to its floor.
TEST(Field, StiffnessFollowsTheLaw) {
  for (const TetModel kind : {TetModel::paper4, TetModel::neo_hookean}) {
    const auto elastic = [&](double value) {
      ModelDescription scene = warm_strand(kind);
      scene.fields[0].second.initial = value;
      scene.fields[0].second.softening_per_unit = 0.01;
      scene.fields[0].second.softest_share = 0.2;
      const Model model = build_model(scene);
      State state = make_initial_state(model);
      for (std::size_t p = 0; p < model.particle_slots; ++p) state.x.data(0)[p] *= 1.1;
      Workspace ws(model);
      compute_forces(model, state, ws);
      return ws.force.get(0).norm();  // at an end: within, all springs balance
    };
    const double cold = elastic(300.0);
    ASSERT_GT(cold, 0.0);
    for (const auto& [value, share] :
         {std::pair{310.0, 0.9}, {350.0, 0.5}, {379.0, 0.21}, {381.0, 0.2}, {900.0, 0.2}, {290.0, 1.1}})
      EXPECT_NEAR(elastic(value) / cold, share, 1e-6) << value;
  }
}

// A step of temperature within the body leaves it at rest.
TEST(Field, UnevenSoftnessMovesNothingAtRest) {
  ModelDescription scene = warm_strand(TetModel::neo_hookean);
  scene.fields[0].second.softening_per_unit = 0.01;
  add_value(scene, "left", -1.0, 0.5 * kLength, 350.0, false);
  const Model model = build_model(scene);
  State state = make_initial_state(model);
  Workspace ws(model);
  compute_forces(model, state, ws);
  for (std::size_t p = 0; p < model.particle_slots; ++p) ASSERT_LT(ws.force.get(p).norm(), 1e-12) << p;
}

// A hot body that lies on the strand heats what it touches, towards its own value and not past it.
TEST(Field, ContactHeats) {
  ModelDescription scene = warm_strand(TetModel::paper4);
  RigidDescription rod;
  rod.shape = RigidShapeKind::box;
  rod.size_m = Vec3(0.02, 0.02, 0.01);
  rod.placement.position_m = Vec3(0.05, 0.0, 0.0087);
  rod.mount = Mount::fixed;
  scene.bodies.push_back({"rod", rod});
  PlaneDescription floor;
  floor.placement.position_m.z() = -0.0039;
  scene.bodies.push_back({"floor", floor});
  FieldDescription& field = scene.fields[0].second;
  field.contact_body = "rod", field.contact_value = 400.0, field.contact_exchange_w_m2_k = 1e5;
  field.diffusivity_m2_s = 0.0;
  Simulation simulation(scene);
  for (int k = 0; k < 200; ++k) ASSERT_EQ(simulation.advance({}).status, StepStatus::good);
  const SoftBody& body = simulation.model().soft[0];
  double hottest = 0.0;
  for (std::size_t n = 0; n < body.tet->mesh.vertices.size(); ++n) {
    const double value = simulation.state().fields[0][n];
    hottest = std::max(hottest, value);
    const Vec3& rest = body.tet->mesh.vertices[n];
    if (rest.z() < 0.0 || std::abs(rest.x() - 0.05) > 0.013) { EXPECT_EQ(value, 300.0) << rest.transpose(); }
  }
  EXPECT_GT(hottest, 390.0);
  EXPECT_LE(hottest, 400.0);
}

}  // namespace
}  // namespace distal
