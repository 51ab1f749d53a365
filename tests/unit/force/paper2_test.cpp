#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "distal/force/forces.hpp"
#include "distal/force/paper2_force.hpp"
#include "distal/force/paper2_tangent.hpp"
#include "distal/integrator/spring_limits.hpp"
#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

ModelDescription paper2_block(const Paper2Description& paper2 = {}) {
  ModelDescription scene;
  scene.gravity_m_s2.setZero();
  MaterialDescription material;
  material.youngs_modulus_pa = 57600.0;
  material.poissons_ratio = 0.45;
  scene.materials["rubber"] = material;
  TetDescription block;
  block.material = "rubber";
  block.size_m = Vec3(0.02, 0.02, 0.01);
  block.edge_m = 0.005;
  block.model = TetModel::paper2;
  block.paper2 = paper2;
  scene.bodies = {{"block", block}};
  scene.threads = 1;
  return scene;
}

Paper2Description without_limits() {
  Paper2Description d;
  d.stretch_limit = std::numeric_limits<double>::infinity();
  d.compression_limit = 1.0;
  return d;
}

// Every vertex moved by up to a tenth of an edge, and moving.
State shaken(const Model& model) {
  State state = make_initial_state(model);
  const auto random = [](std::size_t n) { return random_share(7, n, 0); };
  for (std::size_t p = 0; p < model.soft[0].tet->mesh.vertices.size(); ++p) {
    Vec3 x, v;
    for (int c = 0; c < 3; ++c) {
      x[c] = 1e-3 * (random(6 * p + static_cast<std::size_t>(c)) - 0.5);
      v[c] = random(6 * p + 3 + static_cast<std::size_t>(c)) - 0.5;
    }
    state.x.add(p, x);
    state.v.set(p, v);
  }
  return state;
}

Vec3 sum_of(const Vec3Array& forces, std::size_t count) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t p = 0; p < count; ++p) sum += forces.get(p);
  return sum;
}

Vec3 momentum(const Model& model, const State& state) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t p = 0; p < model.soft[0].tet->mesh.vertices.size(); ++p) sum += model.mass_kg[p] * state.v.get(p);
  return sum;
}

// Eqs 6 to 8 for the edge of one regular cell, by hand: l_e is its edge.
TEST(Paper2, MassAndStiffnessOfARegularCell) {
  const double edge = 0.01, youngs = 1e5;
  TetMesh mesh;
  mesh.vertices = {Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)};
  for (Vec3& v : mesh.vertices) v *= edge / std::sqrt(8.0);
  mesh.cells = {{0, 2, 1, 3}};
  if (cell_volume(mesh, 0) < 0.0) std::swap(mesh.cells[0][0], mesh.cells[0][1]);
  TetDescription description;
  description.model = TetModel::paper2;
  const TetBody body = make_tet_body(mesh, {youngs, 0.3, 0.0, 0.0}, 1000.0, 0.0, description);
  ASSERT_EQ(body.edges.count(), 6U);
  for (const double k : body.edges.stiffness) EXPECT_NEAR(k, 2.0 * std::sqrt(2.0) / 25.0 * edge * youngs, 1e-9);
  for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(body.mass[v], 250.0 * edge * edge * edge / std::sqrt(72.0), 1e-15);
  // Critical damping of the reduced mass, which is half of one.
  for (const double d : body.edges.damping)
    EXPECT_NEAR(d, 2.0 * std::sqrt(body.edges.stiffness[0] * body.mass[0] / 2.0), 1e-12);
}

TEST(Paper2, ForceIsMinusTheGradientOfTheEnergy) {
  for (const TetVolume volume : {TetVolume::gradient, TetVolume::material, TetVolume::vertex}) {
    Paper2Description d = without_limits();
    d.volume = volume;
    if (volume == TetVolume::vertex) d.stretch_limit = 0.03, d.compression_limit = 0.02, d.limit_stiffness_ratio = 10.0;
    const Model model = build_model(paper2_block(d));
    Workspace ws(model);
    ws.want_energy = true;
    State state = shaken(model);
    state.v.fill(0.0);
    compute_forces(model, state, ws);
    const Vec3Array force = ws.force;
    for (const std::size_t p : {0UL, 7UL, 20UL})
      for (int c = 0; c < 3; ++c) {
        const double h = 1e-7;
        double energy[2];
        for (const int side : {0, 1}) {
          state.x.data(c)[p] += side == 0 ? h : -2.0 * h;
          compute_forces(model, state, ws);
          energy[side] = ws.soft[0].elastic_j;
        }
        state.x.data(c)[p] += h;
        const double wanted = -(energy[0] - energy[1]) / (2.0 * h);
        EXPECT_NEAR(force.get(p)[c], wanted, 1e-6 * force.get(p).norm() + 1e-9);
      }
  }
}

// The printed direction pushes the body as a whole; along the gradient it does not.
TEST(Paper2, OnlyTheBarycentreFormMakesMomentum) {
  for (const TetVolume volume : {TetVolume::gradient, TetVolume::material, TetVolume::vertex, TetVolume::barycentre}) {
    Paper2Description d = without_limits();
    d.volume = volume;
    const Model model = build_model(paper2_block(d));
    Workspace ws(model);
    const State state = shaken(model);
    compute_forces(model, state, ws);
    const std::size_t count = model.soft[0].tet->mesh.vertices.size();
    double size = 0.0;
    for (std::size_t p = 0; p < count; ++p) size += ws.force.get(p).norm();
    const double net = sum_of(ws.force, count).norm() / size;
    if (volume == TetVolume::barycentre)
      EXPECT_GT(net, 1e-6);
    else
      EXPECT_LT(net, 1e-14);
    EXPECT_GE(ws.soft[0].dissipation_w, 0.0);
  }
}

// A swollen body pulls itself together, whichever form.
TEST(Paper2, VolumeForcesOpposeTheChange) {
  for (const TetVolume volume : {TetVolume::gradient, TetVolume::barycentre, TetVolume::material, TetVolume::vertex}) {
    Paper2Description d = without_limits();
    d.volume = volume, d.volume_stiffness_n_m3 = 1e9;
    const Model model = build_model(paper2_block(d));
    Workspace ws(model);
    State state = make_initial_state(model);
    for (int c = 0; c < 3; ++c)
      for (std::size_t p = 0; p < state.x.size(); ++p) state.x.data(c)[p] *= 1.05;
    compute_forces(model, state, ws);
    double inwards = 0.0;
    for (std::size_t p = 0; p < model.soft[0].tet->mesh.vertices.size(); ++p)
      inwards -= ws.force.get(p).dot(state.x.get(p));
    EXPECT_GT(inwards, 0.0);
  }
}

// Energy of a block whose every point x moves to (I + strain) x.
double energy_at(const Paper2Description& d, const Mat3& strain) {
  const Model model = build_model(paper2_block(d));
  Workspace ws(model);
  ws.want_energy = true;
  State state = make_initial_state(model);
  for (std::size_t p = 0; p < state.x.size(); ++p) state.x.add(p, strain * state.x.get(p));
  compute_forces(model, state, ws);
  return ws.soft[0].elastic_j;
}

// The five independent changes of shape of equal size, averaged, tell the shear modulus G of an anisotropic body:
// energy 2 G e^2 a volume. Lloyd's rule is 24/25 of 2/5 E for regular cells, and more for these.
TEST(Paper2, SpringsByShearModulusHaveIt) {
  const double e = 1e-4, volume = 0.02 * 0.02 * 0.01, shear = 57600.0 / 2.9;
  std::array<Mat3, 5> shapes;
  for (Mat3& s : shapes) s.setZero();
  for (int n = 0; n < 3; ++n) shapes[static_cast<std::size_t>(n)]((n + 1) % 3, (n + 2) % 3) = e;
  for (std::size_t n = 0; n < 3; ++n) shapes[n] = (shapes[n] + shapes[n].transpose()).eval();
  shapes[3].diagonal() = Vec3(e, -e, 0.0);
  shapes[4].diagonal() = Vec3(e, e, -2.0 * e) / std::sqrt(3.0);
  for (const EdgeStiffness rule : {EdgeStiffness::shear_modulus, EdgeStiffness::lloyd}) {
    Paper2Description d = without_limits();
    d.edge_stiffness = rule, d.volume_stiffness_n_m3 = 0.0;
    double sum = 0.0;
    for (const Mat3& s : shapes) sum += 0.5 * (energy_at(d, s) + energy_at(d, -s));
    const double found = sum / (10.0 * e * e * volume);
    if (rule == EdgeStiffness::shear_modulus)
      EXPECT_NEAR(found / shear, 1.0, 1e-5);
    else
      EXPECT_GT(found / shear, 1.2);
  }
}

// Cells that all grow alike resist alike, whether each by itself or around vertices.
TEST(Paper2, VolumesAroundVerticesMeanWhatVolumesOfCellsMean) {
  double energy[2];
  for (const TetVolume volume : {TetVolume::gradient, TetVolume::vertex}) {
    Paper2Description d = without_limits();
    d.volume = volume, d.volume_stiffness_n_m3 = 0.0;
    const Mat3 growth = 0.01 * Mat3::Identity();
    const double springs = energy_at(d, growth);
    d.volume_stiffness_n_m3 = 1e8;
    energy[volume == TetVolume::vertex] = energy_at(d, growth) - springs;
  }
  EXPECT_GT(energy[0], 0.0);
  EXPECT_NEAR(energy[1] / energy[0], 1.0, 1e-10);
}

TEST(Paper2, SpringsBeyondALimitAreStiffer) {
  Paper2Description d;
  d.stretch_limit = 0.2, d.compression_limit = 0.1, d.limit_stiffness_ratio = 4.0;
  const Model model = build_model(paper2_block(d));
  const TetBody& body = *model.soft[0].tet;
  const double k = body.edges.stiffness[0], rest = body.edges.rest_length[0];
  EXPECT_NEAR(edge_pull(body, 0, 1.2 * rest).force_n, 0.2 * k * rest, 1e-12);
  EXPECT_NEAR(edge_pull(body, 0, 1.3 * rest).force_n, (0.3 + 4.0 * 0.1) * k * rest, 1e-12);
  EXPECT_NEAR(edge_pull(body, 0, 0.7 * rest).force_n, (-0.3 - 4.0 * 0.2) * k * rest, 1e-12);
  EXPECT_NEAR(edge_pull(body, 0, 0.7 * rest).slope_n_m, 5.0 * k, 1e-9);
  EXPECT_FALSE(has_spring_limits(model)) << "not moved as well";
}

TEST(Paper2, TangentIsTheDerivativeOfTheForce) {
  Paper2Description limited = without_limits();
  limited.stretch_limit = 0.02, limited.compression_limit = 0.015, limited.limit_stiffness_ratio = 3.0;
  const Model model = build_model(paper2_block(limited));
  Workspace ws(model);
  // Volumes as at rest but turned and sheared: what the tangent leaves out is then small.
  State state = make_initial_state(model);
  for (std::size_t p = 0; p < state.x.size(); ++p) {
    const Vec3 x = state.x.get(p);
    state.x.set(p, rotation_from_vector(Vec3(0.3, 0.2, 0.1)) * Vec3(x.x() + 0.1 * x.y(), x.y(), x.z()));
  }
  const std::size_t count = model.soft[0].tet->mesh.vertices.size();
  BasicVec3Array<float> place, p, out;
  for (auto* array : {&place, &p, &out}) array->resize(model.particle_slots);
  const auto random = [](std::size_t n) { return random_share(3, n, 0); };
  for (std::size_t n = 0; n < count; ++n) {
    place.set(n, state.x.get(n));
    p.set(n, Vec3(random(3 * n), random(3 * n + 1), random(3 * n + 2)) - Vec3::Constant(0.5));
  }
  Paper2Tangent tangent(model.soft[0]);
  const int chunks = model.soft[0].planes();
  const double h = 1e-7;
  const auto force_at = [&](double sx, double sv) {
    State moved = state;
    for (std::size_t n = 0; n < count; ++n) moved.x.add(n, sx * p.get(n)), moved.v.add(n, sv * p.get(n));
    compute_forces(model, moved, ws);
    return ws.force;
  };
  for (const bool damping : {false, true}) {
    tangent.linearise(0, chunks, place, {damping ? 0.0 : 1.0, damping ? 1.0 : 0.0, false});
    tangent.multiply(0, chunks, p, out);
    const Vec3Array plus = force_at(damping ? 0.0 : h, damping ? h : 0.0),
                    minus = force_at(damping ? 0.0 : -h, damping ? -h : 0.0);
    double wrong = 0.0, size = 0.0;
    for (std::size_t n = 0; n < count; ++n) {
      const Vec3 slope = (plus.get(n) - minus.get(n)) / (2.0 * h);
      wrong += (slope - out.get(n)).squaredNorm();
      size += slope.squaredNorm();
    }
    EXPECT_LT(std::sqrt(wrong / size), 1e-4) << damping;
  }
}

TEST(Paper2, LimitsShortenWhatIsTooLongAndKeepMomentum) {
  for (const bool printed : {false, true}) {
    Paper2Description d;
    d.stretch_limit = 0.05, d.compression_limit = 0.05, d.limits_as_printed = printed, d.limit_iterations = 50;
    const Model model = build_model(paper2_block(d));
    Workspace ws(model);
    State state = shaken(model);
    const auto worst = [&] {
      const SpringNetwork& edges = model.soft[0].tet->edges;
      double most = 0.0;
      for (std::size_t i = 0; i + 1 < edges.begin.size(); ++i)
        for (auto e = static_cast<std::size_t>(edges.begin[i]); e < static_cast<std::size_t>(edges.begin[i + 1]); ++e) {
          const double length = (state.x.get(static_cast<std::size_t>(edges.neighbour[e])) - state.x.get(i)).norm();
          most = std::max(most, std::abs(length / edges.rest_length[e] - 1.0));
        }
      return most;
    };
    const double before = worst();
    const Vec3 old = momentum(model, state);
    Vec3 centre = Vec3::Zero(), moved_centre = Vec3::Zero();
    const std::size_t count = model.soft[0].tet->mesh.vertices.size();
    for (std::size_t p = 0; p < count; ++p) centre += model.mass_kg[p] * state.x.get(p);
    apply_spring_limits(model, 1e-3, state, ws);
    for (std::size_t p = 0; p < count; ++p) moved_centre += model.mass_kg[p] * state.x.get(p);
    EXPECT_LT(worst(), 0.6 * before);
    const double change = (momentum(model, state) - old).norm(), shift = (moved_centre - centre).norm();
    EXPECT_LT(change, 1e-15);
    // The printed mean moves the body as a whole.
    if (printed)
      EXPECT_GT(shift, 1e-9);
    else
      EXPECT_LT(shift, 1e-16);
  }
}

}  // namespace
}  // namespace distal
