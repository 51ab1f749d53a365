// The tangent of the lattice against difference quotients of the plain force, for fingertip and block.
#include "distal/force/lattice_tangent.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "distal/force/lattice_force.hpp"
#include "support/shaken_state.hpp"

namespace distal {
namespace {

constexpr double kTangentCell = 1.5e-3;  // [m]

Model make_tangent_body(bool fingertip, int threads, double relaxation_time_s, double poisson) {
  ModelDescription description;
  description.threads = threads;
  MaterialDescription material;
  material.density_kg_m3 = 500.0, material.youngs_modulus_pa = 4000.0, material.poissons_ratio = poisson;
  material.relaxation_time_s = relaxation_time_s;
  description.materials["rubber"] = material;
  if (fingertip) {
    FingertipDescription finger;
    finger.lattice.material = "rubber", finger.lattice.cell_size_m = kTangentCell;
    finger.placement.q_xyzw = Quat(0.3, 0.9, -0.2, 0.1).normalized();
    description.bodies.push_back({"finger", finger});
  } else {
    BlockDescription block;
    block.lattice.material = "rubber", block.lattice.cell_size_m = kTangentCell;
    block.size_m = kTangentCell * Vec3(18.0, 6.0, 10.0);
    description.bodies.push_back({"block", block});
  }
  return build_model(description);
}

using test::random_moves;

State deformed(const Model& model, double shake) { return test::shaken_state(model, shake * kTangentCell); }

template <typename T>
struct Tangent {
  explicit Tangent(const Model& model) : workspace(model), tangent(model.soft[0], model.threads) {
    for (auto* array : {&x, &p, &out, &straight, &mixed}) array->resize(model.particle_slots);
  }
  void linearise(const State& state, const TangentWeights& weights) {
    for (int c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < state.x.size(); ++i) x.data(c)[i] = static_cast<T>(state.x.data(c)[i]);
    share([&](int t, int first, int last) { tangent.linearise(t, first, last, x, weights, straight, mixed); });
  }
  // (s K + d C) direction
  Vec3Array multiply(const Vec3Array& direction, const TangentWeights& weights) {
    for (int c = 0; c < 3; ++c)
      for (std::size_t i = 0; i < direction.size(); ++i) p.data(c)[i] = static_cast<T>(direction.data(c)[i]);
    share([&](int t, int first, int last) { tangent.multiply(t, first, last, p, weights, out); });
    Vec3Array product;
    product.resize(direction.size());
    for (std::size_t i = 0; i < direction.size(); ++i) product.set(i, -out.get(i));
    return product;
  }
  // Work on planes of nodes, split among the threads of the model.
  template <typename Work>
  void share(const Work& work) {
    std::vector<int> first = workspace.soft[0].first_plane;
    ++first.back();  // of cells: there is one more plane of nodes
    workspace.team->run(
        [&](int t) { work(t, first[static_cast<std::size_t>(t)], first[static_cast<std::size_t>(t) + 1]); });
  }
  Workspace workspace;
  LatticeTangent<T> tangent;
  BasicVec3Array<T> x, p, out, straight, mixed;
};

Vec3Array force_at(const Model& model, Workspace& ws, const State& state) {
  compute_lattice_force_plain(model, 0, state, ws);
  return ws.force;
}

double norm(const Vec3Array& a) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.get(i).squaredNorm();
  return std::sqrt(sum);
}

double relative_difference(const Model& model, const Vec3Array& a, const Vec3Array& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (model.mass_kg[i] > 0.0) sum += (a.get(i) - b.get(i)).squaredNorm();
  return std::sqrt(sum) / norm(b);
}

// Minus the central difference of the force, positions moved by s and velocities by d times the direction.
Vec3Array difference(const Model& model, const State& at, const Vec3Array& direction, const TangentWeights& w) {
  Workspace ws(model);
  const double epsilon = 1e-5 * kTangentCell;
  State plus = at, minus = at;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    plus.x.add(i, epsilon * w.stiffness * direction.get(i)), minus.x.add(i, -epsilon * w.stiffness * direction.get(i));
    plus.v.add(i, epsilon * w.damping * direction.get(i)), minus.v.add(i, -epsilon * w.damping * direction.get(i));
  }
  const Vec3Array up = force_at(model, ws, plus), down = force_at(model, ws, minus);
  Vec3Array result;
  result.resize(direction.size());
  for (std::size_t i = 0; i < direction.size(); ++i) result.set(i, (down.get(i) - up.get(i)) / (2.0 * epsilon));
  return result;
}

class LatticeTangentOf : public testing::TestWithParam<bool> {};

TEST_P(LatticeTangentOf, StiffnessIsTheDerivativeOfTheForce) {
  for (const double poisson : {0.25, 0.4286, 0.49}) {
    const Model model = make_tangent_body(GetParam(), 1, 0.0, poisson);
    const State state = deformed(model, 0.1);
    const TangentWeights weights{1.0, 0.0, false};
    Tangent<double> tangent(model);
    tangent.linearise(state, weights);
    const Vec3Array direction = random_moves(model, 11), product = tangent.multiply(direction, weights);
    EXPECT_LT(relative_difference(model, product, difference(model, state, direction, weights)), 1e-6) << poisson;
  }
}

// In cells that are parallelepipeds; elsewhere a part of the hourglass damping is left out.
TEST_P(LatticeTangentOf, DampingIsTheDerivativeByVelocity) {
  const Model model = make_tangent_body(GetParam(), 1, 2e-3, 0.4);
  const State state = deformed(model, 0.0);
  const TangentWeights weights{0.0, 1.0, false};
  Tangent<double> tangent(model);
  tangent.linearise(state, weights);
  const Vec3Array direction = random_moves(model, 12), product = tangent.multiply(direction, weights);
  EXPECT_LT(relative_difference(model, product, difference(model, state, direction, weights)), 1e-6);
}

TEST_P(LatticeTangentOf, ARigidRotationCostsNothing) {
  const Model model = make_tangent_body(GetParam(), 1, 2e-3, 0.45);
  const State state = make_initial_state(model);
  const TangentWeights weights{1.0, 1.0, false};
  Tangent<double> tangent(model);
  tangent.linearise(state, weights);
  Vec3Array spin;
  spin.resize(model.particle_slots);
  for (std::size_t i = 0; i < model.particle_slots; ++i)
    spin.set(i, Vec3(1e-2, 0.0, 2e-2) + Vec3(0.3, -0.5, 0.8).cross(state.x.get(i)));
  const double stretch_cost = norm(tangent.multiply(random_moves(model, 3), weights));
  EXPECT_LT(norm(tangent.multiply(spin, weights)), 1e-11 * stretch_cost);
}

TEST_P(LatticeTangentOf, DiagonalBlocksAreThoseOfTheMatrix) {
  const Model model = make_tangent_body(GetParam(), 1, 2e-3, 0.4);
  const State state = deformed(model, 0.05);
  const TangentWeights weights{1.0, 1e-3, false};
  Tangent<double> tangent(model);
  tangent.linearise(state, weights);
  const auto straight = tangent.straight, mixed = tangent.mixed;
  int checked = 0;
  for (std::size_t p = 0; p < model.particle_slots; p += 37) {
    if (model.mass_kg[p] == 0.0) continue;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3Array unit;
      unit.resize(model.particle_slots);
      unit.set(p, Vec3::Unit(axis));
      const Vec3 column = tangent.multiply(unit, weights).get(p);
      const Vec3 s = straight.get(p), m = mixed.get(p);
      Mat3 block;
      block << s.x(), m.x(), m.y(), m.x(), s.y(), m.z(), m.y(), m.z(), s.z();
      EXPECT_LT((column - block.col(axis)).norm(), 1e-11 * block.norm());
    }
    ++checked;
  }
  EXPECT_GT(checked, 10);
}

TEST_P(LatticeTangentOf, SinglePrecisionAgreesAndThreadsDoNotChangeABit) {
  const TangentWeights weights{1e-6, 1e-3, false};
  const Model one = make_tangent_body(GetParam(), 1, 2e-3, 0.4);
  const State state = deformed(one, 0.1);
  const Vec3Array direction = random_moves(one, 4);
  Tangent<double> wide(one);
  wide.linearise(state, weights);
  Tangent<float> narrow(one);
  narrow.linearise(state, weights);
  const Vec3Array product = narrow.multiply(direction, weights);
  EXPECT_LT(relative_difference(one, product, wide.multiply(direction, weights)), 1e-5);
  for (const int threads : {2, 4}) {
    const Model many = make_tangent_body(GetParam(), threads, 2e-3, 0.4);
    Tangent<float> split(many);
    split.linearise(state, weights);
    const Vec3Array same = split.multiply(direction, weights);
    for (std::size_t i = 0; i < direction.size(); ++i) {
      ASSERT_EQ(same.get(i), product.get(i)) << threads << " threads";
      ASSERT_EQ(split.straight.get(i), narrow.straight.get(i));
      ASSERT_EQ(split.mixed.get(i), narrow.mixed.get(i));
    }
  }
}

// Squeezed to 40 %, a free block has directions of negative curvature (physics of the model); the convex tangent none.
TEST(LatticeTangentConvex, HasNoNegativeCurvature) {
  const Model model = make_tangent_body(false, 1, 0.0, 0.4286);
  State state = make_initial_state(model);
  for (std::size_t p = 0; p < model.particle_slots; ++p)
    state.x.set(p, Vec3(1.0, 1.0, 0.4).cwiseProduct(state.x.get(p)));
  const auto curvature = [&](bool convex, const Vec3Array& direction) {
    const TangentWeights weights{1.0, 0.0, convex};
    Tangent<double> tangent(model);
    tangent.linearise(state, weights);
    const Vec3Array product = tangent.multiply(direction, weights);
    double sum = 0.0;
    for (std::size_t i = 0; i < direction.size(); ++i) sum += direction.get(i).dot(product.get(i));
    return sum;
  };
  // A short-waved rotation: neighbouring layers turn against each other.
  Vec3Array buckle;
  buckle.resize(model.particle_slots);
  for (std::size_t p = 0; p < model.particle_slots; ++p)
    if (model.mass_kg[p] > 0.0)
      buckle.set(p, std::sin(2.0 * state.x.get(p).z() / kTangentCell) * Vec3(1.0, 0.0, 0.0) +
                        std::cos(2.0 * state.x.get(p).x() / kTangentCell) * Vec3(0.0, 0.0, 0.7));
  for (unsigned seed = 1; seed < 6; ++seed) EXPECT_GT(curvature(true, random_moves(model, seed)), 0.0);
  EXPECT_GT(curvature(true, buckle), 0.0);
  EXPECT_LT(curvature(false, buckle), curvature(true, buckle) * 1.0001);
}

INSTANTIATE_TEST_SUITE_P(Bodies, LatticeTangentOf, testing::Bool(),
                         [](const auto& info) { return info.param ? "Fingertip" : "Block"; });

}  // namespace
}  // namespace distal
