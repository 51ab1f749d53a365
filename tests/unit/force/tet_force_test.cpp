// Forces of tetrahedra against difference quotients of their energy, and their tangent against those of the forces.
#include "distal/force/tet_force.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "distal/force/tet_tangent.hpp"
#include "support/shaken_state.hpp"

namespace distal {
namespace {

constexpr double kTetEdge = 2.5e-3;  // [m]

// A sphere: its vertices have all kinds of surroundings. 64 vertices a chunk: enough of them for four threads.
Model make_tet_ball(double poisson, double relaxation_time_s, int threads = 1) {
  ModelDescription description;
  description.threads = threads;
  MaterialDescription material;
  material.density_kg_m3 = 1000.0, material.youngs_modulus_pa = 4000.0, material.poissons_ratio = poisson;
  material.relaxation_time_s = relaxation_time_s;
  description.materials["rubber"] = material;
  TetDescription ball;
  ball.material = "rubber", ball.shape = TetShape::sphere, ball.radius_m = 0.01, ball.edge_m = kTetEdge;
  description.bodies = {{"ball", ball}};
  return build_model(description);
}

using test::random_moves;

// The vertex nearest to the centre, which has cells all around it.
std::size_t middle_vertex(const Model& model) {
  const auto& vertices = model.soft[0].tet->mesh.vertices;
  std::size_t middle = 0;
  for (std::size_t n = 0; n < vertices.size(); ++n)
    if (vertices[n].norm() < vertices[middle].norm()) middle = n;
  return middle;
}

enum class Middle { sound, crushed, inverted };

// Squeezed to 0.7 along one axis, sheared and shaken; what surrounds the middle vertex drawn together, or mirrored.
State distorted(const Model& model, Middle kind) {
  State state = test::shaken_state(model, 0.1 * kTetEdge);
  if (kind == Middle::sound) return state;
  const std::size_t middle = middle_vertex(model);
  const VertexGraph& graph = model.soft[0].tet->gradients.graph;
  const Vec3 scale = kind == Middle::crushed ? Vec3::Constant(0.3) : Vec3(-0.5, 0.7, 0.7);
  for (int e = graph.begin[middle]; e < graph.begin[middle + 1]; ++e) {
    const auto j = static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)]);
    state.x.set(j, state.x.get(middle) + scale.cwiseProduct(state.x.get(j) - state.x.get(middle)));
  }
  return state;
}

struct Evaluated {
  Vec3Array force;
  double elastic_j, dissipation_w, smallest_j;
};

Evaluated evaluate(const Model& model, const State& state) {
  Workspace ws(model);
  ws.want_energy = true;
  compute_tet_force(model, 0, state, ws);
  return {ws.force, ws.soft[0].elastic_j, ws.soft[0].dissipation_w, ws.soft[0].smallest_j};
}

State moved(State state, const Vec3Array& direction, double by_m, double speed_by_m_s = 0.0) {
  for (std::size_t p = 0; p < direction.size(); ++p) {
    state.x.add(p, by_m * direction.get(p));
    state.v.add(p, speed_by_m_s * direction.get(p));
  }
  return state;
}

double dot(const Vec3Array& a, const Vec3Array& b) {
  double sum = 0.0;
  for (std::size_t p = 0; p < a.size(); ++p) sum += a.get(p).dot(b.get(p));
  return sum;
}
double length(const Vec3Array& a) { return std::sqrt(dot(a, a)); }

// Zero but around the middle vertex, so that what happens there is not lost in the sum.
Vec3Array only_near_middle(const Model& model, const Vec3Array& moves) {
  Vec3Array result;
  result.resize(model.particle_slots);
  const VertexGraph& graph = model.soft[0].tet->gradients.graph;
  const std::size_t middle = middle_vertex(model);
  for (int e = graph.begin[middle]; e < graph.begin[middle + 1]; ++e) {
    const auto j = static_cast<std::size_t>(graph.neighbour[static_cast<std::size_t>(e)]);
    result.set(j, moves.get(j));
  }
  return result;
}

class TetForceAround : public testing::TestWithParam<Middle> {};

TEST_P(TetForceAround, IsMinusTheDerivativeOfTheEnergy) {
  for (const double poisson : {0.0, 0.25, 0.49}) {
    const Model model = make_tet_ball(poisson, 0.0);
    const State state = distorted(model, GetParam());
    const Evaluated here = evaluate(model, state);
    EXPECT_EQ(here.smallest_j < kLeastVolume, GetParam() != Middle::sound);
    EXPECT_EQ(here.smallest_j < 0.0, GetParam() == Middle::inverted);
    for (const unsigned seed : {1u, 2u, 3u})
      for (const bool near : {false, true}) {
        const Vec3Array all = random_moves(model, seed), direction = near ? only_near_middle(model, all) : all;
        const double by = 1e-6 * kTetEdge;
        const double slope = (evaluate(model, moved(state, direction, by)).elastic_j -
                              evaluate(model, moved(state, direction, -by)).elastic_j) /
                             (2.0 * by);
        const double scale = length(here.force) * length(direction);
        EXPECT_NEAR(slope, -dot(here.force, direction), 1e-6 * scale) << poisson << " near " << near;
        // The direction does feel the force: the agreement is not one of two zeros.
        EXPECT_GT(std::abs(slope), 1e-4 * scale);
      }
  }
}

TEST_P(TetForceAround, ForcesAndMomentsSumToZeroAndDampingTakesEnergy) {
  const Model model = make_tet_ball(0.45, 2e-3);
  const State state = moved(distorted(model, GetParam()), random_moves(model, 8), 0.0, 0.1);
  const Evaluated here = evaluate(model, state);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double sizes = 0.0;
  for (std::size_t p = 0; p < model.particle_slots; ++p) {
    force += here.force.get(p), moment += state.x.get(p).cross(here.force.get(p));
    sizes += here.force.get(p).norm();
  }
  EXPECT_LT(force.norm(), 1e-12 * sizes);
  EXPECT_LT(moment.norm(), 1e-12 * sizes * 0.01);
  // What damping takes is the power of the forces that velocities add.
  State still = state;
  still.v.fill(0.0);
  const double power = dot(here.force, state.v) - dot(evaluate(model, still).force, state.v);
  EXPECT_GT(here.dissipation_w, 0.0);
  EXPECT_NEAR(-power, here.dissipation_w, 1e-9 * here.dissipation_w);
}

// Position and velocity of a rigid motion, far from the origin.
TEST(TetForce, ARigidMotionCostsNothing) {
  const Model model = make_tet_ball(0.49, 2e-3);
  State state = make_initial_state(model);
  const Quat turn = Quat(0.3, 0.9, -0.2, 0.1).normalized();
  const Vec3 place(0.4, -0.3, 0.2), spin(30.0, -50.0, 80.0);
  for (std::size_t p = 0; p < model.soft[0].tet->mesh.vertices.size(); ++p) {
    const Vec3 arm = turn * state.x.get(p);
    state.x.set(p, place + arm), state.v.set(p, Vec3(1.0, 2.0, -3.0) + spin.cross(arm));
  }
  const Evaluated here = evaluate(model, state);
  const TetBody& body = *model.soft[0].tet;
  const double mu = body.moduli.shear_pa;
  EXPECT_NEAR(here.elastic_j, 0.0, 1e-9 * mu * body.volume_m3);
  EXPECT_NEAR(here.dissipation_w, 0.0, 1e-18 * mu * 2e-3 * body.volume_m3 * spin.squaredNorm());
  EXPECT_NEAR(here.smallest_j, 1.0, 1e-11);
  for (std::size_t p = 0; p < model.particle_slots; ++p)
    EXPECT_LT(here.force.get(p).norm(), 1e-9 * mu * kTetEdge * kTetEdge) << p;
}

struct Product {
  Product(const Model& model, const State& state, const TangentWeights& w)
      : weights(w), workspace(model), tangent(model.soft[0]) {
    for (auto* array : {&x, &p, &out, &straight, &mixed}) array->resize(model.particle_slots);
    narrow(state.x, x);
    share([&](int first, int last) { tangent.take(first, last, x); });
    tangent.set_weights(weights, workspace.soft[0]);
    share([&](int first, int last) { tangent.linearise(first, last); });
    share([&](int first, int last) { tangent.find_diagonal(first, last, straight, mixed); });
  }
  // (s K + d C) direction
  Vec3Array of(const Vec3Array& direction) {
    narrow(direction, p);
    share([&](int first, int last) { tangent.take(first, last, p); });
    share([&](int first, int last) { tangent.find_stress(first, last); });
    share([&](int first, int last) { tangent.give(first, last, out); });
    Vec3Array product;
    product.resize(direction.size());
    for (std::size_t i = 0; i < direction.size(); ++i) product.set(i, -out.get(i));
    return product;
  }
  static void narrow(const Vec3Array& from, BasicVec3Array<float>& to) {
    for (std::size_t i = 0; i < from.size(); ++i) to.set(i, from.get(i));
  }
  template <typename Work>
  void share(const Work& work) {
    const std::vector<int>& first = workspace.soft[0].first_plane;
    workspace.team->run(
        [&](int t) { work(first[static_cast<std::size_t>(t)], first[static_cast<std::size_t>(t) + 1]); });
  }
  TangentWeights weights;
  Workspace workspace;
  TetTangent tangent;
  BasicVec3Array<float> x, p, out, straight, mixed;
};

// Of the difference quotient. Positions are moved by s and velocities by d times the direction.
double tangent_error(const Model& model, const State& state, const Vec3Array& direction,
                     const TangentWeights& weights) {
  Product tangent(model, state, weights);
  const Vec3Array product = tangent.of(direction);
  const double by = 1e-5 * kTetEdge;
  const auto force = [&](double sign) {
    return evaluate(model, moved(state, direction, sign * by * weights.stiffness, sign * by * weights.damping)).force;
  };
  const Vec3Array up = force(1.0), down = force(-1.0);
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    const Vec3 wanted = (down.get(i) - up.get(i)) / (2.0 * by);
    error += (product.get(i) - wanted).squaredNorm(), size += wanted.squaredNorm();
  }
  return std::sqrt(error / size);
}

// Without lambda (nu = 0) the terms in mu stand alone, close to 0.5 those in lambda; around a crushed vertex the
// logarithm's stand-in rules.
TEST_P(TetForceAround, TangentIsTheDerivativeOfTheForce) {
  for (const double poisson : {0.0, 0.3, 0.49}) {
    const Model model = make_tet_ball(poisson, 2e-3);
    const State state = distorted(model, GetParam());
    for (const bool near : {false, true}) {
      const Vec3Array all = random_moves(model, 11), direction = near ? only_near_middle(model, all) : all;
      EXPECT_LT(tangent_error(model, state, direction, {1.0, 0.0, false}), 1e-4) << poisson << " near " << near;
      EXPECT_LT(tangent_error(model, state, direction, {0.0, 1.0, false}), 1e-4) << poisson << " near " << near;
    }
  }
}

// A strand takes more than all of mu/2 I1 at its edges, and the surplus back at its vertices.
TEST(TetForce, OfAStrandIsTheDerivativeOfItsEnergyAndTangentThatOfTheForce) {
  ModelDescription description;
  description.threads = 1;
  description.materials["rubber"].density_kg_m3 = 1000.0;
  description.materials["rubber"].youngs_modulus_pa = 4000.0, description.materials["rubber"].poissons_ratio = 0.3;
  StrandDescription strand;
  strand.material = "rubber", strand.length_m = 0.02;
  description.bodies = {{"strand", strand}};
  const Model model = build_model(description);
  ASSERT_LT(model.soft[0].tet->vertex_share, -0.1);
  const State state = distorted(model, Middle::sound);
  const Evaluated here = evaluate(model, state);
  const Vec3Array direction = random_moves(model, 2);
  const double by = 1e-6 * kTetEdge;
  const double slope = (evaluate(model, moved(state, direction, by)).elastic_j -
                        evaluate(model, moved(state, direction, -by)).elastic_j) /
                       (2.0 * by);
  EXPECT_NEAR(slope, -dot(here.force, direction), 1e-6 * length(here.force) * length(direction));
  EXPECT_LT(tangent_error(model, state, direction, {1.0, 0.0, false}), 1e-4);
  EXPECT_GT(dot(direction, Product(model, state, {1.0, 0.0, true}).of(direction)), 0.0);
}

// On a regular mesh groups of vertices share their weights; on this one lines end within groups.
TEST(TetTangentSharing, KeepsTheTangentOfARegularMesh) {
  ModelDescription description;
  description.threads = 1;
  description.materials["rubber"].density_kg_m3 = 1000.0;
  description.materials["rubber"].youngs_modulus_pa = 4000.0, description.materials["rubber"].poissons_ratio = 0.45;
  TetDescription block;
  block.material = "rubber", block.size_m = Vec3(0.026, 0.022, 0.018), block.edge_m = kTetEdge;
  description.bodies = {{"block", block}};
  const Model model = build_model(description);
  const State state = test::shaken_state(model, 0.1 * kTetEdge);
  EXPECT_LT(tangent_error(model, state, random_moves(model, 3), {1.0, 0.0, false}), 1e-4);
}

TEST_P(TetForceAround, DiagonalBlocksAreThoseOfTheProduct) {
  const Model model = make_tet_ball(0.4, 2e-3);
  for (const bool convex : {false, true}) {
    // Stiffness and viscosity weigh about the same.
    Product tangent(model, distorted(model, GetParam()), {1.0, 500.0, convex});
    std::vector<std::size_t> places = {middle_vertex(model)};
    for (std::size_t p = 0; p < model.soft[0].tet->mesh.vertices.size(); p += 17) places.push_back(p);
    EXPECT_GT(places.size(), 20u);
    for (const std::size_t p : places)
      for (int axis = 0; axis < 3; ++axis) {
        Vec3Array unit;
        unit.resize(model.particle_slots);
        unit.set(p, Vec3::Unit(axis));
        const Vec3 column = tangent.of(unit).get(p), s = tangent.straight.get(p), m = tangent.mixed.get(p);
        Mat3 block;
        block << s.x(), m.x(), m.y(), m.x(), s.y(), m.z(), m.y(), m.z(), s.z();
        EXPECT_LT((column - block.col(axis)).norm(), 1e-5 * block.norm()) << p;
      }
  }
}

TEST_P(TetForceAround, ConvexTangentHasNoNegativeCurvature) {
  const Model model = make_tet_ball(0.49, 0.0);
  Product tangent(model, distorted(model, GetParam()), {1.0, 0.0, true});
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Vec3Array all = random_moves(model, seed);
    for (const Vec3Array& direction : {all, only_near_middle(model, all)})
      EXPECT_GT(dot(direction, tangent.of(direction)), 0.0);
  }
}

// Blown up to 3.2 times its size, the logarithm gives way: W falls below its tangent. The convex stand-in does not.
TEST(TetTangentConvex, HoldsWhereTheBodyGivesWay) {
  const Model model = make_tet_ball(0.49, 0.0);
  const Vec3Array rest = make_initial_state(model).x;
  const State state = moved(make_initial_state(model), rest, 2.2);
  Product exact(model, state, {1.0, 0.0, false}), convex(model, state, {1.0, 0.0, true});
  EXPECT_LT(dot(rest, exact.of(rest)), 0.0);
  EXPECT_GT(dot(rest, convex.of(rest)), 0.0);
}

std::string middle_name(const testing::TestParamInfo<Middle>& info) {
  return info.param == Middle::sound ? "Sound" : info.param == Middle::crushed ? "Crushed" : "Inverted";
}
INSTANTIATE_TEST_SUITE_P(Middles, TetForceAround, testing::Values(Middle::sound, Middle::crushed, Middle::inverted),
                         middle_name);

TEST(TetForceThreads, DoNotChangeABit) {
  const TangentWeights weights{1e-6, 1e-3, false};
  const Model one = make_tet_ball(0.4, 2e-3);
  const State state = moved(distorted(one, Middle::inverted), random_moves(one, 8), 0.0, 0.1);
  const Vec3Array direction = random_moves(one, 4);
  const Evaluated wanted = evaluate(one, state);
  Product alone(one, state, weights);
  const Vec3Array product = alone.of(direction);
  for (const int threads : {2, 4}) {
    const Model many = make_tet_ball(0.4, 2e-3, threads);
    const Evaluated same = evaluate(many, state);
    EXPECT_EQ(same.elastic_j, wanted.elastic_j);
    EXPECT_EQ(same.dissipation_w, wanted.dissipation_w);
    Product split(many, state, weights);
    ASSERT_EQ(split.workspace.soft[0].first_plane.size(), static_cast<std::size_t>(threads) + 1);
    const Vec3Array again = split.of(direction);
    for (std::size_t i = 0; i < direction.size(); ++i) {
      ASSERT_EQ(same.force.get(i), wanted.force.get(i)) << threads << " threads";
      ASSERT_EQ(again.get(i), product.get(i)) << threads << " threads";
      ASSERT_EQ(split.straight.get(i), alone.straight.get(i));
      ASSERT_EQ(split.mixed.get(i), alone.mixed.get(i));
    }
  }
}

// Value, slope and curvature go on where the logarithm ends.
TEST(TetVolumeLog, IsSmoothWhereTheLogarithmEnds) {
  for (const double j : {1.3, 0.051, 0.0499, 0.01, -0.5}) {
    const double by = 1e-6;
    EXPECT_NEAR((volume_log(j + by).value - volume_log(j - by).value) / (2.0 * by), volume_log(j).slope, 1e-5);
    EXPECT_NEAR((volume_log(j + by).slope - volume_log(j - by).slope) / (2.0 * by), volume_log(j).curvature, 1e-3);
  }
  EXPECT_EQ(volume_log(0.3).value, std::log(0.3));
  const double above = std::nextafter(kLeastVolume, 1.0), below = std::nextafter(kLeastVolume, 0.0);
  EXPECT_NEAR(volume_log(above).value, volume_log(below).value, 1e-12);
  EXPECT_NEAR(volume_log(above).slope, volume_log(below).slope, 1e-10);
  EXPECT_NEAR(volume_log(above).curvature, volume_log(below).curvature, 1e-9);
}

}  // namespace
}  // namespace distal
