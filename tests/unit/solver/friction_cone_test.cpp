#include "distal/solver/friction_cone.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "distal/core/error.hpp"
#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

// Docs: the table of errors is what this prints.
TEST(FrictionCone, ErrorFallsWithTheNumberOfVertices) {
  double last = 1.0;
  for (const int u : {6, 8, 10, 12, 16, 20, 24, 32, 40, 60, 80}) {
    const FrictionCone inscribed = make_friction_cone(u, ConeFit::inscribed);
    const FrictionCone balanced = make_friction_cone(u, ConeFit::balanced);
    fmt::print("u = {:3}: inscribed {:5.1f} % weak at most, balanced +-{:4.1f} %\n", u,
               100.0 * (1.0 - inscribed.weakest), 100.0 * (balanced.strongest - 1.0));
    EXPECT_EQ(inscribed.vertices.size(), static_cast<std::size_t>(u));
    EXPECT_EQ(inscribed.strongest, 1.0);
    EXPECT_NEAR(balanced.strongest - 1.0, 1.0 - balanced.weakest, 1e-12);
    // (Five pairs stand badly, and four no better than three.)
    EXPECT_LT(1.0 - inscribed.weakest, last + (u <= 10 ? 0.05 : 1e-3));
    last = 1.0 - inscribed.weakest;
  }
  EXPECT_NEAR(make_friction_cone(6, ConeFit::inscribed).weakest, 1.0 / std::sqrt(3.0), 1e-3);  // an octahedron
  EXPECT_GE(make_friction_cone(40, ConeFit::inscribed).weakest, 1.0 - 0.08);
  EXPECT_LE(make_friction_cone(80, ConeFit::balanced).strongest, 1.02);
}

// The stated bounds hold for sliding, spinning and everything between.
TEST(FrictionCone, LimitLiesBetweenWeakestAndStrongest) {
  for (const ConeFit fit : {ConeFit::inscribed, ConeFit::balanced}) {
    const FrictionCone cone = make_friction_cone(24, fit);
    double weakest = 2.0, strongest = 0.0;
    for (std::uint64_t i = 0; i < 400; ++i) {
      Vec3 load(random_normal(5, i, 0), random_normal(5, i, 1), random_normal(5, i, 2));
      const double limit = 1.0 / find_hull_use(cone, load.normalized());
      weakest = std::min(weakest, limit), strongest = std::max(strongest, limit);
    }
    EXPECT_GE(weakest, cone.weakest - 1e-9);
    EXPECT_LE(strongest, cone.strongest + 1e-9);
    EXPECT_LT(weakest, cone.weakest + 0.02);
    EXPECT_GT(strongest, cone.strongest - 0.02);
    for (const Vec3& vertex : cone.vertices) EXPECT_NEAR(find_hull_use(cone, vertex), 1.0, 1e-6);
  }
}

TEST(FrictionCone, VerticesComeInOppositePairs) {
  const FrictionCone cone = make_friction_cone(32, ConeFit::balanced);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ((cone.vertices[i] + cone.vertices[i + 16]).norm(), 0.0);
  const Vec3 wrench = cone_wrench(Vec3(0.5, -0.2, 0.7), 0.003);
  EXPECT_NEAR(wrench.z(), 0.0021, 1e-15);
  EXPECT_EQ(wrench.x(), 0.5);
}

TEST(FrictionCone, RefusesOddAndExtremeNumbers) {
  for (const int u : {0, 4, 7, 402}) EXPECT_THROW(make_friction_cone(u, ConeFit::inscribed), InputError);
}

}  // namespace
}  // namespace distal
