#include "distal/contact/facet_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace distal {
namespace {

const std::array<Vec3, 3> kFacet{Vec3(0.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0)};

Vec3 nearest(const Vec3& p) {
  const auto w = nearest_in_facet(kFacet, p);
  EXPECT_NEAR(w[0] + w[1] + w[2], 1.0, 1e-15);
  return w[0] * kFacet[0] + w[1] * kFacet[1] + w[2] * kFacet[2];
}

TEST(FacetPoint, IsOnTheFaceElseOnAnEdgeElseAtACorner) {
  EXPECT_TRUE(nearest(Vec3(0.2, 0.3, 0.7)).isApprox(Vec3(0.2, 0.3, 0.0), 1e-14));
  EXPECT_TRUE(nearest(Vec3(0.4, -2.0, 1.0)).isApprox(Vec3(0.4, 0.0, 0.0), 1e-14));
  EXPECT_TRUE(nearest(Vec3(1.0, 1.0, -1.0)).isApprox(Vec3(0.5, 0.5, 0.0), 1e-14));
  EXPECT_TRUE(nearest(Vec3(3.0, -1.0, 0.0)).isApprox(Vec3(1.0, 0.0, 0.0), 1e-14));
  // Without an area every point of the line is as good as the nearest.
  const std::array<Vec3, 3> line{Vec3(0.0, 0.0, 0.0), Vec3(1.0, 0.0, 0.0), Vec3(2.0, 0.0, 0.0)};
  const auto w = nearest_in_facet(line, Vec3(1.5, 1.0, 0.0));
  EXPECT_NEAR((w[0] * line[0] + w[1] * line[1] + w[2] * line[2]).x(), 1.5, 1e-14);
}

TEST(FacetPoint, AFlatFacetTouchesAPlateAtItsMiddle) {
  const std::array<Vec3, 3> facet{Vec3(0.0, 0.0, -0.1), Vec3(1.0, 0.0, -0.1), Vec3(0.0, 1.0, -0.1)};
  EXPECT_TRUE(find_facet_point(PlaneShape{}, facet).place.isApprox(Vec3(1.0 / 3.0, 1.0 / 3.0, -0.1), 1e-12));
  const std::array<Vec3, 3> tilted{Vec3(0.0, 0.0, -0.3), Vec3(1.0, 0.0, -0.1), Vec3(0.0, 1.0, -0.1)};
  EXPECT_TRUE(find_facet_point(PlaneShape{}, tilted).place.isApprox(tilted[0], 1e-12));
}

// Eqs 27 and 28 by hand: both moduli 1 Pa, both ratios 0: 4 / (3 * 2) sqrt(R).
TEST(HuntCrossley, StiffnessFollowsTheMaterials) {
  FacetContactDescription d;
  d.finger_youngs_modulus_pa = 1.0, d.finger_poissons_ratio = 0.0;
  EXPECT_NEAR(hunt_crossley_stiffness(d, {1.0, 0.0, 0.5, 0.0}, SphereShape{0.04}), 4.0 / 6.0 * 0.2, 1e-15);
}

constexpr double kFingerStiffness = 1e4;

Contact touch(const ContactDescription& law, double depth, const Vec3& velocity, Touch before = Touch::none,
              double first = 0.0, const Vec3& anchor = Vec3::Zero(), double along = 0.0) {
  Contact out;
  apply_facet_law(law, find_printed_load(law.facet, kFingerStiffness, depth), 1.0, first,
                  {Vec3(along, 0.0, -depth), velocity},
                  {depth, Vec3::UnitZ(), Vec3(along, 0.0, -depth), velocity, before, anchor, 0.0}, out);
  return out;
}

ContactDescription paper_law() {
  ContactDescription law;
  law.normal = NormalLaw::hunt_crossley;
  law.tangential = TangentialLaw::smooth_stick_slip;
  law.static_friction = 0.5, law.dynamic_friction = 0.3;
  return law;
}

TEST(HuntCrossley, IsEquation26WithTheSpeedBoundedAndNeverPulls) {
  const ContactDescription law = paper_law();
  const double depth = 2e-3, spring = kFingerStiffness * std::pow(depth, 1.5);
  // First touch at 0.1 m/s: the whole of 3 (1 - e) / 2 is added.
  EXPECT_NEAR(touch(law, depth, Vec3(0.0, 0.0, -0.1)).normal_force_n, spring * 1.75, 1e-12);
  EXPECT_NEAR(touch(law, depth, Vec3(0.0, 0.0, -0.05), Touch::sticks, 0.1).normal_force_n, spring * 1.375, 1e-12);
  // A start from rest has a finite force.
  EXPECT_NEAR(touch(law, depth, Vec3::Zero()).normal_force_n, spring, 1e-12);
  EXPECT_EQ(touch(law, depth, Vec3(0.0, 0.0, 10.0), Touch::sticks, 0.1).normal_force_n, 0.0);
  EXPECT_EQ(touch(law, -1e-6, Vec3(0.0, 0.0, -1.0)).touch, Touch::none);
}

TEST(HuntCrossley, SlopesAreTheDerivativesOfTheForce) {
  const ContactDescription law = paper_law();
  const double depth = 2e-3, h = 1e-8;
  const Vec3 v(0.0, 0.0, -0.02);
  const auto force = [&](double d, const Vec3& velocity) {
    return touch(law, d, velocity, Touch::sticks, 0.1).normal_force_n;
  };
  const Contact at = touch(law, depth, Vec3::Zero(), Touch::sticks, 0.1);
  EXPECT_NEAR((force(depth + h, Vec3::Zero()) - force(depth - h, Vec3::Zero())) / (2.0 * h), at.stiffness_n_m,
              1e-5 * at.stiffness_n_m);
  EXPECT_NEAR((force(depth, v) - force(depth, -v)) / 0.04, at.damping_n_s_m, 1e-9 * at.damping_n_s_m);
}

// A sphere in a flat square of facets bears K depth^n (1 - depth/R) in all: the integral of the pressure over the cap,
// whose normals lean.
FacetLoad load_of_flat(const FacetContactDescription& law, double radius, double depth, int across, const Vec3& off) {
  const double side = 4.0 * radius, step = side / across;
  FacetLoad sum;
  const auto corner = [&](int i, int j) {
    return Vec3(off + Vec3(i * step - 0.5 * side, j * step - 0.5 * side, -(radius - depth)));
  };
  const auto add = [&](const std::array<Vec3, 3>& facet) {
    const FacetPoint deepest = find_facet_point(SphereShape{radius}, facet);
    if (deepest.place.norm() >= radius) return;
    const FacetLoad load = find_pressure_load(law, kFingerStiffness, SphereShape{radius}, facet, deepest.place);
    sum.normal += load.force_n * load.normal;
    sum.stiffness_n_m += load.stiffness_n_m, sum.energy_j += load.energy_j;
  };
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j) {
      add({corner(i, j), corner(i + 1, j), corner(i, j + 1)});
      add({corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)});
    }
  sum.force_n = sum.normal.norm();
  return sum;
}

class PressureOfFacets : public testing::TestWithParam<double> {};

TEST_P(PressureOfFacets, SumsToTheClosedFormOnEveryMesh) {
  FacetContactDescription law;
  law.exponent = GetParam();
  const double radius = 0.01, n = law.exponent;
  double force_error = 0.0, slope_error = 0.0, energy_error = 0.0;
  for (const double depth : {1e-6, 1e-5, 1e-4, 1e-3, 2e-3})
    for (const int across : {3, 8, 20, 57})
      for (const double off : {0.0, 0.31e-3, 1.7e-3}) {
        const auto find = [&](double d) { return load_of_flat(law, radius, d, across, Vec3(off, 0.7 * off, 0.0)); };
        const FacetLoad found = find(depth);
        const double whole = kFingerStiffness * std::pow(depth, n), h = 1e-4 * depth;
        const double force = whole * (1.0 - depth / radius);
        // Of K depth^n: the energy of a cap, up to depth/R.
        const double energy = whole * depth * (1.0 / (n + 1.0) - depth / radius / (n + 2.0));
        const double slope = (find(depth + h).force_n - find(depth - h).force_n) / (2.0 * h);
        force_error = std::max(force_error, std::abs(found.force_n / force - 1.0));
        energy_error = std::max(energy_error, std::abs(found.energy_j / energy - 1.0));
        // It leaves out that the normals lean more as the cap grows.
        const double slope_off = found.stiffness_n_m / slope - 1.0;
        slope_error = std::max(slope_error, std::abs(slope_off));
        if (n > 1.0) { EXPECT_NEAR(slope_off, 0.0, 0.002 + 2.5 * depth / radius); }
        EXPECT_NEAR(found.normal.z(), -found.force_n, 1e-2 * found.force_n);
      }
  std::printf("  n %.1f: largest error of the force %.2g, energy %.2g, slope %.2g\n", n, force_error, energy_error,
              slope_error);
  EXPECT_LT(force_error, 0.003);
  EXPECT_LT(energy_error, 0.006);
}

INSTANTIATE_TEST_SUITE_P(Exponents, PressureOfFacets, testing::Values(1.0, 1.5, 2.0));

TEST(SmoothStickSlip, IsCappedFollowsWhenItSlipsAndOpposesTheSlip) {
  const ContactDescription law = paper_law();
  const double depth = 2e-3, normal = kFingerStiffness * std::pow(depth, 1.5);
  // A small offset at rest: the spring alone.
  const Contact stuck = touch(law, depth, Vec3::Zero(), Touch::sticks, 0.1, Vec3(0.0, 0.0, -depth), 1e-4);
  EXPECT_NEAR(stuck.force.x(), -law.facet.stick_stiffness_n_m * 1e-4, 1e-12);
  EXPECT_EQ(stuck.touch, Touch::sticks);
  // A large one is held by no more than mu_s N, and the anchor comes along.
  const Contact dragged = touch(law, depth, Vec3::Zero(), Touch::sticks, 0.1, Vec3(0.0, 0.0, -depth), 1.0);
  EXPECT_NEAR(dragged.force.x(), -0.5 * normal, 1e-9);
  EXPECT_NEAR(1.0 - dragged.anchor_m.x(), 0.5 * normal / law.facet.stick_stiffness_n_m, 1e-9);
  EXPECT_EQ(dragged.touch, Touch::slides);
  // Fast: Coulomb with mu_d against the velocity, and power is taken.
  const Contact sliding = touch(law, depth, Vec3(0.3, -0.4, 0.0), Touch::slides, 0.1, Vec3(0.0, 0.0, -depth));
  EXPECT_TRUE(Vec3(sliding.force - sliding.normal_force_n * Vec3::UnitZ())
                  .isApprox(-0.3 * sliding.normal_force_n * Vec3(0.6, -0.8, 0.0), 1e-9));
  EXPECT_GT(sliding.damping_w, 0.0);
}

}  // namespace
}  // namespace distal
