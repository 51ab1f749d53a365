#include "distal/force/strand_force.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "distal/force/forces.hpp"
#include "distal/force/paper2_tangent.hpp"
#include "distal/math/counter_random.hpp"
#include "support/strand_scenes.hpp"

namespace distal {
namespace {

using namespace test;

StrandDescription bent_strand(CrossSection section) {
  StrandDescription strand;
  strand.model = TetModel::paper4;
  strand.points_m = {Vec3::Zero(), Vec3(0.04, 0.0, 0.0), Vec3(0.08, 0.02, 0.01), Vec3(0.1, 0.06, 0.0)};
  strand.cross_section = section;
  strand.spacing_m = 0.002;
  strand.paper4.spring_damping_s = 1e-3;
  return strand;
}

// Every node moved by up to a tenth of a millimetre, and moving.
void shake(const Model& model, State& state) {
  const SoftBody& body = model.soft[0];
  for (std::size_t n = 0; n < body.tet->mesh.vertices.size(); ++n) {
    const auto random = [&](std::size_t k) { return random_share(11, 6 * n + k, 0) - 0.5; };
    const std::size_t p = static_cast<std::size_t>(body.first_particle) + n;
    state.x.add(p, 2e-4 * Vec3(random(0), random(1), random(2)));
    state.v.set(p, Vec3(random(3), random(4), random(5)));
  }
}

// A field that softens, unevenly.
void add_heat(ModelDescription& scene) {
  FieldDescription field;
  field.body = "strand", field.softening_per_unit = 0.005;
  scene.fields = {{"temperature", field}};
  FieldValueDescription hot;
  hot.field = "temperature", hot.value = 373.15, hot.max_m.x() = 0.05;
  scene.field_values = {{"left", hot}};
}

class StrandForces : public testing::TestWithParam<CrossSection> {};

TEST_P(StrandForces, VectorLoopIsThePlainSum) {
  ModelDescription scene = strand_alone(bent_strand(GetParam()), strand_material(1e5));
  add_heat(scene);
  const Model model = build_model(scene);
  State state = make_initial_state(model);
  shake(model, state);
  Workspace ws(model);
  compute_forces(model, state, ws);
  const Vec3Array fast = ws.force;
  compute_strand_force_plainly(model, 0, state, ws);
  double largest = 0.0, difference = 0.0;
  for (std::size_t p = 0; p < model.soft[0].tet->mesh.vertices.size(); ++p) {
    largest = std::max(largest, ws.force.get(p).norm());
    difference = std::max(difference, (fast.get(p) - ws.force.get(p)).norm());
  }
  EXPECT_GT(largest, 0.0);
  EXPECT_LT(difference, 1e-12 * largest);
}

// Long and straight: inner blocks share their springs, but not the rest lengths of a strand that sets.
TEST_P(StrandForces, SharedSpringsGiveThePlainSum) {
  for (const double yield : {std::numeric_limits<double>::infinity(), 0.05}) {
    StrandDescription strand = bent_strand(GetParam());
    strand.points_m.clear();
    strand.length_m = 0.4;
    strand.paper4.yield_strain = yield;
    const Model model = build_model(strand_alone(strand, strand_material(1e5)));
    ASSERT_TRUE(model.soft[0].tet->strand.alike);
    State state = make_initial_state(model);
    shake(model, state);
    if (std::isfinite(yield))
      for (std::size_t k = 0; k < state.spring_rest_m[0].size(); ++k)
        state.spring_rest_m[0][k] *= 1.0 + 0.02 * random_share(3, k, 0);
    Workspace ws(model);
    compute_forces(model, state, ws);
    const Vec3Array fast = ws.force;
    compute_strand_force_plainly(model, 0, state, ws);
    double largest = 0.0, difference = 0.0;
    for (std::size_t p = 0; p < model.soft[0].tet->mesh.vertices.size(); ++p) {
      largest = std::max(largest, ws.force.get(p).norm());
      difference = std::max(difference, (fast.get(p) - ws.force.get(p)).norm());
    }
    EXPECT_LT(difference, 1e-12 * largest);
  }
  EXPECT_FALSE(build_model(strand_alone(bent_strand(GetParam()), strand_material(1e5))).soft[0].tet->strand.alike);
}

TEST_P(StrandForces, SpringsPushNothingButThemselves) {
  StrandDescription strand = bent_strand(GetParam());
  strand.paper4.velocity_damping_n_s_m = 0.0;
  ModelDescription scene = strand_alone(strand, strand_material(1e5));
  add_heat(scene);
  const Model model = build_model(scene);
  State state = make_initial_state(model);
  Workspace ws(model);
  compute_forces(model, state, ws);
  const std::size_t nodes = model.soft[0].tet->mesh.vertices.size();
  for (std::size_t p = 0; p < nodes; ++p) EXPECT_LT(ws.force.get(p).norm(), 1e-12) << "at rest, node " << p;
  shake(model, state);
  compute_forces(model, state, ws);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double size = 0.0;
  for (std::size_t p = 0; p < nodes; ++p) {
    force += ws.force.get(p), torque += state.x.get(p).cross(ws.force.get(p));
    size += ws.force.get(p).norm();
  }
  EXPECT_LT(force.norm(), 1e-13 * size);
  EXPECT_LT(torque.norm(), 1e-13 * size);
}

TEST_P(StrandForces, ThreadsChangeNoBit) {
  ModelDescription scene = strand_alone(bent_strand(GetParam()), strand_material(1e5));
  add_heat(scene);
  Vec3Array one;
  double dissipation = 0.0;
  for (const int threads : {1, 2, 3}) {
    scene.threads = threads;
    const Model model = build_model(scene);
    State state = make_initial_state(model);
    shake(model, state);
    Workspace ws(model);
    compute_forces(model, state, ws);
    if (threads == 1) one = ws.force, dissipation = ws.soft[0].dissipation_w;
    EXPECT_EQ(ws.soft[0].dissipation_w, dissipation);
    for (std::size_t p = 0; p < model.particle_slots; ++p) ASSERT_EQ(ws.force.get(p), one.get(p));
  }
}

TEST_P(StrandForces, PowerIsTheLossOfEnergy) {
  ModelDescription scene = strand_alone(bent_strand(GetParam()), strand_material(1e5));
  add_heat(scene);
  const Model model = build_model(scene);
  State state = make_initial_state(model);
  shake(model, state);
  Workspace ws(model);
  ws.want_energy = true;
  const auto elastic_after = [&](double dt) {
    State moved = state;
    for (std::size_t p = 0; p < model.particle_slots; ++p) moved.x.add(p, dt * state.v.get(p));
    compute_forces(model, moved, ws);
    return ws.soft[0].elastic_j;
  };
  const double rate = (elastic_after(1e-8) - elastic_after(-1e-8)) / 2e-8;
  compute_forces(model, state, ws);
  double power = 0.0;
  for (std::size_t p = 0; p < model.particle_slots; ++p) power += ws.force.get(p).dot(state.v.get(p));
  EXPECT_NEAR(-power, rate + ws.soft[0].dissipation_w, 1e-6 * std::abs(power));
}

TEST_P(StrandForces, TangentIsTheDerivative) {
  StrandDescription strand = bent_strand(GetParam());
  ModelDescription scene = strand_alone(strand, strand_material(1e5));
  add_heat(scene);
  const Model model = build_model(scene);
  State state = make_initial_state(model);
  shake(model, state);
  for (int axis = 0; axis < 3; ++axis) std::fill_n(state.v.data(axis), state.v.size(), 0.0);
  Workspace ws(model);
  compute_forces(model, state, ws);
  const SoftBody& body = model.soft[0];
  const std::size_t nodes = body.tet->mesh.vertices.size();
  Paper2Tangent tangent(body);
  BasicVec3Array<float> place, direction, product;
  for (auto* array : {&place, &direction, &product}) array->resize(model.particle_slots);
  for (std::size_t p = 0; p < nodes; ++p) {
    place.set(p, state.x.get(p));
    direction.set(p, Vec3(random_share(3, 3 * p, 0), random_share(3, 3 * p + 1, 0), random_share(3, 3 * p + 2, 0)));
  }
  for (const bool damping : {false, true}) {
    tangent.linearise(0, body.planes(), place, {damping ? 0.0 : 1.0, damping ? 1.0 : 0.0, false},
                      {nullptr, ws.soft[0].node_factor.data()});
    tangent.multiply(0, body.planes(), direction, product);
    const auto force_at = [&](double step) {
      State moved = state;
      for (std::size_t p = 0; p < nodes; ++p) (damping ? moved.v : moved.x).add(p, step * direction.get(p));
      compute_forces(model, moved, ws);
      return ws.force;
    };
    const double step = damping ? 1.0 : 1e-8;
    const Vec3Array ahead = force_at(step), behind = force_at(-step);
    double error = 0.0, size = 0.0;
    for (std::size_t p = 0; p < nodes; ++p) {
      const Vec3 slope = (ahead.get(p) - behind.get(p)) / (2.0 * step);
      error += (slope - product.get(p)).squaredNorm(), size += slope.squaredNorm();
    }
    EXPECT_LT(std::sqrt(error / size), 1e-4) << (damping ? "damping" : "stiffness");
  }
}

INSTANTIATE_TEST_SUITE_P(All, StrandForces,
                         testing::Values(CrossSection::eight_plus_centre, CrossSection::grid,
                                         CrossSection::concentric));

// Table 1: node 1 on the surface, 2 beside it, 3 behind it in the next ring, 4 behind 2, 5 and 6 the centres.
TEST(Paper4, TableOfStiffnesses) {
  const Model model = build_model(strand_alone(paper4_strand(20), strand_material(kPaper4_pa, kPaper4Heavy_kg_m3)));
  const TetBody& body = *model.soft[0].tet;
  const auto stiffness = [&](int from, int from_ring, int to, int to_ring) {
    const auto i = static_cast<std::size_t>(from * 20 + from_ring);
    for (auto e = static_cast<std::size_t>(body.edges.begin[i]); e < static_cast<std::size_t>(body.edges.begin[i + 1]);
         ++e)
      if (body.edges.neighbour[e] == to * 20 + to_ring) return body.edges.stiffness[e];
    return 0.0;
  };
  // Place 0 is the centre, 1 and 5 are neighbours on the surface.
  EXPECT_NEAR(stiffness(1, 9, 5, 9), 1.98, 0.005);
  EXPECT_NEAR(stiffness(1, 9, 1, 10), 5.86, 0.005);
  EXPECT_NEAR(stiffness(1, 9, 5, 10), 0.74, 0.005);
  EXPECT_NEAR(stiffness(1, 9, 0, 9), 2.32, 0.005);
  EXPECT_NEAR(stiffness(1, 9, 0, 10), 0.97, 0.005);   // printed: 0.96
  EXPECT_NEAR(stiffness(0, 9, 0, 10), 23.44, 0.015);  // four times the 5.86; printed: 23.24
}

TEST(Paper4, NeighboursAndMassOfAWholeStrand) {
  const Model model = build_model(strand_alone(paper4_strand(20), strand_material(kPaper4_pa, kPaper4Heavy_kg_m3)));
  const TetBody& body = *model.soft[0].tet;
  ASSERT_EQ(body.mesh.vertices.size(), 180U);
  for (int place = 0; place < 9; ++place)
    for (int ring = 1; ring < 19; ++ring) {
      const auto n = static_cast<std::size_t>(place * 20 + ring);
      EXPECT_EQ(body.edges.begin[n + 1] - body.edges.begin[n], place == 0 ? 26 : 11);
    }
  double mass = 0.0;
  for (const double m : body.mass) mass += m;
  EXPECT_NEAR(mass, kPaper4Heavy_kg_m3 * body.volume_m3, 1e-12 * mass);
}

}  // namespace
}  // namespace distal
