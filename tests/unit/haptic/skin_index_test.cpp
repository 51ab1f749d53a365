#include "distal/haptic/skin_index.hpp"

#include <gtest/gtest.h>

#include "distal/simulation/simulation.hpp"
#include "support/cases.hpp"
#include "support/shaken_state.hpp"
#include "support/tet_scenes.hpp"

namespace distal {
namespace {

MaterialDescription soft_rubber() {
  MaterialDescription material;
  material.youngs_modulus_pa = 20000.0;
  material.poissons_ratio = 0.4;
  return material;
}

class Points {
 public:
  explicit Points(double reach) : reach_(reach) {}
  Vec3 next() {
    Vec3 p;
    for (double& c : p) {
      bits_ = bits_ * 6364136223846793005ULL + 1442695040888963407ULL;
      c = reach_ * (2.0 * static_cast<double>(bits_ >> 11) * 0x1p-53 - 1.0);
    }
    return p;
  }

 private:
  double reach_;
  std::uint64_t bits_ = 5;
};

double box_distance(const Vec3& p, const Vec3& half) {
  const Vec3 d = p.cwiseAbs() - half;
  return d.cwiseMax(0.0).norm() + std::min(0.0, d.maxCoeff());
}

// Sparse nodes and sharp edges, where the nearest node alone errs (paper 4, Fig. 8): the signed distance of a box.
TEST(SkinIndex, KnowsInsideFromOutsideAtEdgesAndCorners) {
  const Vec3 size(0.02, 0.03, 0.01);
  const Model model = build_model(test::tet_cuboid(size, 0.01, soft_rubber()));
  const State state = make_initial_state(model);
  SkinIndex index(model.soft[0]);
  index.update(state.x, 0.0);
  Points points(0.025);
  for (int n = 0; n < test::cases(5000); ++n) {
    const Vec3 p = points.next();
    const SkinPoint found = index.find(state.x, p);
    ASSERT_NEAR(found.distance_m, box_distance(p, 0.5 * size), 1e-12) << p.transpose();
    ASSERT_NEAR((found.place - p).norm(), std::abs(found.distance_m), 1e-12);
    ASSERT_NEAR(found.weight.sum(), 1.0, 1e-12);
  }
}

// What the paper prints finds the same where nodes are dense, and errs where they are sparse.
TEST(SkinIndex, TheNearestNodeIsEnoughOnFineMeshesOnly) {
  const auto wrong = [](double edge_m) {
    ModelDescription scene = test::tet_cuboid(Vec3::Constant(0.02), edge_m, soft_rubber());
    auto& ball = std::get<TetDescription>(scene.bodies[0].second);
    ball.shape = TetShape::capsule, ball.radius_m = 0.004, ball.height_m = 0.06;
    const Model model = build_model(scene);
    const State state = make_initial_state(model);
    SkinIndex index(model.soft[0]);
    index.update(state.x, 0.0);
    Points points(0.006);
    int count = 0;
    for (int n = 0; n < 2000; ++n) {
      const Vec3 p = points.next();
      count += std::abs(index.find(state.x, p).distance_m - index.find_by_node(state.x, p).distance_m) > 1e-9 ? 1 : 0;
    }
    return count;
  };
  EXPECT_LT(wrong(0.0015), 60);
}

TEST(SkinIndex, FindsInADeformedBodyWhatAllTrianglesWouldGive) {
  for (const bool lattice : {false, true}) {
    ModelDescription scene = test::tet_cuboid(Vec3::Constant(0.02), 0.004, soft_rubber());
    if (lattice) {
      FingertipDescription finger;
      finger.lattice.material = "rubber";
      finger.lattice.cell_size_m = 0.0025;
      scene.bodies = {{"finger", finger}};
    }
    const Model model = build_model(scene);
    State state = make_initial_state(model);
    SkinIndex index(model.soft[0]);
    index.update(state.x, 0.0);
    // Moved by less than makes new boxes: they are old and must do.
    for (std::size_t p = 0; p < model.particle_slots; ++p)
      state.x.add(p, 3e-4 * Vec3(std::sin(900.0 * state.x.get(p).y()), std::cos(700.0 * state.x.get(p).z()), 0.5));
    index.update(state.x, 4.5e-4);
    EXPECT_EQ(index.updates(), 1);
    SkinIndex fresh(model.soft[0]);
    fresh.update(state.x, 0.0);
    Points points(0.02);
    for (int n = 0; n < test::cases(500); ++n) {
      const Vec3 p = points.next();
      double nearest = 1e300;
      for (std::int32_t t = 0; t < static_cast<std::int32_t>(model.soft[0].skin_triangles.size()); t += 97)
        nearest = std::min(nearest, std::abs(fresh.find_from(state.x, p, t).distance_m));
      EXPECT_LE(std::abs(index.find(state.x, p).distance_m), nearest + 1e-12);
      EXPECT_NEAR(index.find(state.x, p).distance_m, fresh.find(state.x, p).distance_m, 1e-12);
    }
    index.update(state.x, 0.1);
    EXPECT_EQ(index.updates(), 2);
  }
}

ModelDescription soft_cuboid() { return test::tet_cuboid(Vec3(0.02, 0.016, 0.012), 0.003, soft_rubber()); }

ModelDescription soft_fingertip() {
  ModelDescription scene = soft_cuboid();
  FingertipDescription finger;
  finger.lattice.material = "rubber";
  finger.lattice.cell_size_m = 0.0025;
  scene.bodies = {{"finger", finger}};
  return scene;
}

// Faces are found, and triangles of the skin told: both must be the same place.
TEST(SkinIndex, TellsTheTriangleThatCarriesThePoint) {
  for (const ModelDescription& scene : {soft_cuboid(), soft_fingertip()}) {
    const Model model = build_model(scene);
    const SoftBody& body = model.soft[0];
    State state = make_initial_state(model);
    for (std::size_t p = 0; p < model.particle_slots; ++p)
      state.x.add(p, 3e-4 * Vec3(std::sin(900.0 * state.x.get(p).y()), std::cos(700.0 * state.x.get(p).z()), 0.5));
    SkinIndex index(body);
    index.update(state.x, 0.0);
    const CellCorners corners(body);
    Points points(0.015);
    std::vector<bool> hit(body.skin_triangles.size(), false);
    for (int n = 0; n < test::cases(3000); ++n) {
      const SkinPoint found = index.find(state.x, points.next());
      ASSERT_GE(found.weight.minCoeff(), 0.0);
      ASSERT_NEAR(found.weight.sum(), 1.0, 1e-14);
      Vec3 place = Vec3::Zero();
      for (std::size_t a = 0; a < 3; ++a)
        place +=
            found.weight[static_cast<Eigen::Index>(a)] *
            corners.interpolate(
                body.skin, static_cast<std::size_t>(body.skin_triangles[static_cast<std::size_t>(found.triangle)][a]),
                state.x);
      ASSERT_LT((place - found.place).norm(), 1e-15);
      ASSERT_LT((index.place(state.x, found) - found.place).norm(), 1e-15);
      hit[static_cast<std::size_t>(found.triangle)] = true;
    }
    EXPECT_GT(std::count(hit.begin(), hit.end(), true), 200);
  }
}

// Normals of a body that is stretched and turned as a whole follow from those at rest.
TEST(SkinIndex, MeanNormalsTurnWithTheCofactorOfTheDeformation) {
  Mat3 stretch;
  stretch << 1.1, 0.3, -0.1, -0.2, 0.9, 0.15, 0.05, -0.25, 1.2;
  const Mat3 cofactor = stretch.determinant() * stretch.inverse().transpose();
  for (const ModelDescription& scene : {soft_cuboid(), soft_fingertip()}) {
    const Model model = build_model(scene);
    State state = make_initial_state(model);
    const Vec3Array rest = state.x;
    for (std::size_t p = 0; p < model.particle_slots; ++p) state.x.set(p, stretch * rest.get(p));
    SkinIndex index(model.soft[0]);
    index.update(rest, 0.0);
    Points points(0.015);
    for (int n = 0; n < test::cases(300); ++n) {
      const SkinPoint point = index.find(rest, points.next());
      const Vec3 before = index.mean_normal(rest, point), after = index.mean_normal(state.x, point);
      ASSERT_LT((after - (cofactor * before).normalized()).norm(), 1e-6);
      ASSERT_GT(before.dot(point.normal), 0.3);
    }
  }
}

// All facets of the body are looked at, as the formula says it.
TEST(SkinIndex, TheMeanNormalIsThatOfAllUnderTheTip) {
  const Model model = build_model(soft_cuboid());
  const SoftBody& body = model.soft[0];
  const State state = make_initial_state(model);
  SkinIndex index(body);
  index.update(state.x, 0.0);
  const auto& rest = body.tet->mesh.vertices;
  const double tip = kTipOfSpacing * body.spacing_m();
  Points points(0.0045);
  int dented = 0;
  for (int n = 0; n < test::cases(300); ++n) {
    // On the top, far from its edges, one vertex pushed in: what looks along is known.
    Vec3 p = points.next();
    p.z() = 0.0065;
    const SkinPoint point = index.find(state.x, p);
    State pushed = state;
    const auto lowered = static_cast<std::size_t>(
        body.skin.facet[static_cast<std::size_t>(body.skin_triangles[static_cast<std::size_t>(point.triangle)][0])][0]);
    pushed.x.add(static_cast<std::size_t>(body.first_particle) + lowered, Vec3(2e-4, 0.0, -5e-4));
    Vec3 sum = Vec3::Zero();
    for (const auto& facet : body.tet->facets) {
      const auto at = [&](std::size_t a) { return static_cast<std::size_t>(facet[a]); };
      const Vec3 middle = (rest[at(0)] + rest[at(1)] + rest[at(2)]) / 3.0;
      const auto now = [&](std::size_t a) {
        return pushed.x.get(static_cast<std::size_t>(body.first_particle) + at(a));
      };
      const double rim = 1.0 - (middle - point.place).squaredNorm() / (tip * tip);
      const bool up = (rest[at(1)] - rest[at(0)]).cross(rest[at(2)] - rest[at(0)]).normalized().z() > 0.99;
      if (rim > 0.0 && up) sum += rim * rim * (now(1) - now(0)).cross(now(2) - now(0));
    }
    const Vec3 normal = index.mean_normal(pushed.x, point);
    ASSERT_LT((normal - sum.normalized()).norm(), 1e-5) << p.transpose();
    dented += (normal - Vec3::UnitZ()).norm() > 1e-3 ? 1 : 0;
  }
  EXPECT_GT(dented, test::cases(300) / 6);
}

TEST(SkinIndex, NormalsTurnSmoothly) {
  ModelDescription scene = test::tet_cuboid(Vec3::Constant(0.02), 0.004, soft_rubber());
  auto& ball = std::get<TetDescription>(scene.bodies[0].second);
  ball.shape = TetShape::sphere, ball.radius_m = 0.01, ball.edge_m = 0.003;
  const Model model = build_model(scene);
  const State state = make_initial_state(model);
  SkinIndex index(model.soft[0]);
  index.update(state.x, 0.0);
  Vec3 before = Vec3::Zero();
  for (int n = 0; n < 1000; ++n) {
    const double angle = 1e-3 * n;
    const Vec3 p = 0.0095 * Vec3(std::sin(angle), 0.1, std::cos(angle)).normalized();
    const Vec3 normal = index.mean_normal(state.x, index.find(state.x, p));
    EXPECT_GT(normal.dot(p.normalized()), 0.97);
    if (n > 0) { EXPECT_LT((normal - before).norm(), 0.02); }
    before = normal;
  }
}

}  // namespace
}  // namespace distal
