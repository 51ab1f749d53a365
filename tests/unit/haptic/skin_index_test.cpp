#include "distal/haptic/skin_index.hpp"

#include <gtest/gtest.h>

#include "distal/simulation/simulation.hpp"
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
  index.update(state, 0.0);
  Points points(0.025);
  for (int n = 0; n < 5000; ++n) {
    const Vec3 p = points.next();
    const SkinPoint found = index.find(state, p);
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
    index.update(state, 0.0);
    Points points(0.006);
    int count = 0;
    for (int n = 0; n < 2000; ++n) {
      const Vec3 p = points.next();
      count += std::abs(index.find(state, p).distance_m - index.find_by_node(state, p).distance_m) > 1e-9 ? 1 : 0;
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
    index.update(state, 0.0);
    // Moved by less than makes new boxes: they are old and must do.
    for (std::size_t p = 0; p < model.particle_slots; ++p)
      state.x.add(p, 3e-4 * Vec3(std::sin(900.0 * state.x.get(p).y()), std::cos(700.0 * state.x.get(p).z()), 0.5));
    index.update(state, 4.5e-4);
    EXPECT_EQ(index.updates(), 1);
    SkinIndex fresh(model.soft[0]);
    fresh.update(state, 0.0);
    Points points(0.02);
    for (int n = 0; n < 500; ++n) {
      const Vec3 p = points.next();
      double nearest = 1e300;
      for (std::int32_t t = 0; t < static_cast<std::int32_t>(model.soft[0].skin_triangles.size()); t += 97)
        nearest = std::min(nearest, std::abs(fresh.find_from(state, p, t).distance_m));
      EXPECT_LE(std::abs(index.find(state, p).distance_m), nearest + 1e-12);
      EXPECT_NEAR(index.find(state, p).distance_m, fresh.find(state, p).distance_m, 1e-12);
    }
    index.update(state, 0.1);
    EXPECT_EQ(index.updates(), 2);
  }
}

TEST(SkinIndex, NormalsTurnSmoothly) {
  ModelDescription scene = test::tet_cuboid(Vec3::Constant(0.02), 0.004, soft_rubber());
  auto& ball = std::get<TetDescription>(scene.bodies[0].second);
  ball.shape = TetShape::sphere, ball.radius_m = 0.01, ball.edge_m = 0.003;
  const Model model = build_model(scene);
  const State state = make_initial_state(model);
  SkinIndex index(model.soft[0]);
  index.update(state, 0.0);
  Vec3 before = Vec3::Zero();
  for (int n = 0; n < 1000; ++n) {
    const double angle = 1e-3 * n;
    const Vec3 p = 0.0095 * Vec3(std::sin(angle), 0.1, std::cos(angle)).normalized();
    const Vec3 normal = index.smooth_normal(state, index.find(state, p));
    EXPECT_GT(normal.dot(p.normalized()), 0.97);
    if (n > 0) { EXPECT_LT((normal - before).norm(), 0.02); }
    before = normal;
  }
}

}  // namespace
}  // namespace distal
