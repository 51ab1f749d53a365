#include "distal/contact/pressure_patch.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kTolerance = 1e-6;  // the issue's; quadrature here is finer

PressureLaw winkler(double foundation_pa_m = 2e8) { return {PressureModel::winkler, foundation_pa_m, 0.0}; }
PressureLaw hertz(double contact_modulus_pa = 1e6) { return {PressureModel::hertz, 0.0, contact_modulus_pa}; }
PatchGeometry pair_of_radii(double r1, double r2, double bound1 = kInfinite, double bound2 = kInfinite) {
  return {{1.0 / r1, 1.0 / r2}, {bound1, bound2}};
}

// Integral over the ellipse. Radius = sin(t), so that neither a root nor its inverse at the rim costs digits;
// midpoints.
double integrate(const PressurePatch& patch, const std::function<double(double, double)>& weight) {
  const int radial = 1000, around = 400;
  const auto [a, b] = patch.semi_axes_m;
  double sum = 0.0;
  for (int i = 0; i < radial; ++i) {
    const double t = (i + 0.5) * std::numbers::pi / 2.0 / radial, radius = std::sin(t);
    for (int j = 0; j < around; ++j) {
      const double angle = (j + 0.5) * 2.0 * std::numbers::pi / around;
      const double x = a * radius * std::cos(angle), y = b * radius * std::sin(angle);
      sum += weight(x, y) * patch.pressure_pa(x, y) * radius * std::cos(t);
    }
  }
  return sum * a * b * (std::numbers::pi / 2.0 / radial) * (2.0 * std::numbers::pi / around);
}
double integrated_load(const PressurePatch& patch) {
  return integrate(patch, [](double, double) { return 1.0; });
}
double integrated_arm(const PressurePatch& patch) {
  return integrate(patch, [](double x, double y) { return std::hypot(x, y); }) / patch.load_n;
}

// Sinking of a half-space of modulus E* at a point inside the patch (Boussinesq), in polar coordinates about it.
double sinking(const PressurePatch& patch, double modulus, double x, double y) {
  const int around = 800, along = 400;
  const auto [a, b] = patch.semi_axes_m;
  double sum = 0.0;
  for (int j = 0; j < around; ++j) {
    const double angle = (j + 0.5) * std::numbers::pi / around, c = std::cos(angle), s = std::sin(angle);
    // The chord through the point: from -half to half about `middle`.
    const double q2 = c * c / (a * a) + s * s / (b * b), q1 = x * c / (a * a) + y * s / (b * b);
    const double q0 = 1.0 - x * x / (a * a) - y * y / (b * b);
    const double middle = -q1 / q2, half = std::sqrt(q1 * q1 / (q2 * q2) + q0 / q2);
    for (int i = 0; i < along; ++i) {
      const double t = -std::numbers::pi / 2.0 + (i + 0.5) * std::numbers::pi / along,
                   place = middle + half * std::sin(t);
      sum += patch.pressure_pa(x + place * c, y + place * s) * half * std::cos(t);
    }
  }
  return sum * (std::numbers::pi / along) * (std::numbers::pi / around) / (std::numbers::pi * modulus);
}

double stiffness_by_difference(const PressureLaw& law, const PatchGeometry& geometry, double load) {
  const double step = 1e-4 * load;
  return 2.0 * step /
         (find_pressure_patch(law, geometry, load + step).compression_m -
          find_pressure_patch(law, geometry, load - step).compression_m);
}

#define EXPECT_SAME(a, b) EXPECT_NEAR((a) / (b), 1.0, kTolerance)

TEST(PressurePatch, WinklerIsTheClosedFormOfTheAppendix) {
  for (const double ratio : {1.0, 9.0}) {  // semi-axes 1:1 and 1:3
    const double r1 = 0.01 * ratio, r2 = 0.01, load = 5.0, k = 2e8;
    const PressurePatch patch = find_pressure_patch(winkler(k), pair_of_radii(r1, r2), load);
    const double delta = std::sqrt(load / (k * std::numbers::pi * std::sqrt(r1 * r2)));  // (11)
    EXPECT_SAME(patch.compression_m, delta);
    EXPECT_SAME(patch.semi_axes_m[0], std::sqrt(2.0 * delta * r1));
    EXPECT_SAME(patch.semi_axes_m[1], std::sqrt(2.0 * delta * r2));
    EXPECT_SAME(patch.centre_pressure_pa, k * delta);
    EXPECT_SAME(patch.pressure_pa(0.0, 0.6 * patch.semi_axes_m[1]), k * delta * 0.64);  // (12)
    EXPECT_EQ(patch.pressure_pa(1.001 * patch.semi_axes_m[0], 0.0), 0.0);
    EXPECT_SAME(integrated_load(patch), load);
    EXPECT_SAME(integrated_arm(patch), patch.friction_arm_m);
    EXPECT_SAME(patch.stiffness_n_m, 2.0 * load / delta);
    EXPECT_SAME(stiffness_by_difference(winkler(k), pair_of_radii(r1, r2), load), patch.stiffness_n_m);
  }
}

// The pressure is Hertz' if the half-space sinks under it by delta - x^2/2R' - y^2/2R''.
void expect_hertz(double r1, double r2, double load) {
  const double modulus = 1e6;
  const PressurePatch patch = find_pressure_patch(hertz(modulus), pair_of_radii(r1, r2), load);
  const auto [a, b] = patch.semi_axes_m;
  EXPECT_SAME(sinking(patch, modulus, 0.0, 0.0), patch.compression_m);
  for (const double share : {0.3, 0.8}) {
    const double x = share * a, y = share * b;
    EXPECT_SAME(patch.compression_m - sinking(patch, modulus, x, 0.0), x * x / (2.0 * r1));
    EXPECT_SAME(patch.compression_m - sinking(patch, modulus, 0.0, y), y * y / (2.0 * r2));
  }
  EXPECT_SAME(integrated_load(patch), load);
  EXPECT_SAME(integrated_arm(patch), patch.friction_arm_m);
  EXPECT_SAME(patch.centre_pressure_pa, 1.5 * load / (std::numbers::pi * a * b));
  EXPECT_SAME(stiffness_by_difference(hertz(modulus), pair_of_radii(r1, r2), load), patch.stiffness_n_m);
}

TEST(PressurePatch, HertzCircleIsTheClosedForm) {
  const PressurePatch patch = find_pressure_patch(hertz(), pair_of_radii(0.01, 0.01), 2.0);
  const double a = std::cbrt(3.0 * 2.0 * 0.01 / (4.0 * 1e6));
  EXPECT_SAME(patch.semi_axes_m[0], a);
  EXPECT_SAME(patch.semi_axes_m[1], a);
  EXPECT_SAME(patch.compression_m, a * a / 0.01);
  EXPECT_SAME(patch.stiffness_n_m, 2.0 * a * 1e6);
  EXPECT_SAME(patch.friction_arm_m, 3.0 * std::numbers::pi / 16.0 * a);
  expect_hertz(0.01, 0.01, 2.0);
}

TEST(PressurePatch, HertzEllipseSinksAsThePairNeeds) {
  // Radii for which the semi-axes are 1:3, from the ratio (K - D) / (D/9) at e^2 = 8/9.
  const double modulus = std::sqrt(8.0 / 9.0), k = std::comp_ellint_1(modulus), e = std::comp_ellint_2(modulus);
  const double ratio = (9.0 * e - k) / (k - e);
  const PressurePatch patch = find_pressure_patch(hertz(), pair_of_radii(0.005 * ratio, 0.005), 2.0);
  EXPECT_SAME(patch.semi_axes_m[0], 3.0 * patch.semi_axes_m[1]);
  expect_hertz(0.005 * ratio, 0.005, 2.0);
  expect_hertz(0.005, 0.005 * ratio, 2.0);  // the long axis may be the second
  expect_hertz(0.01, 0.0100001, 2.0);
}

TEST(PressurePatch, PrintedMomentsAreExactForCirclesOnly) {
  for (const PressureLaw& law : {winkler(), hertz()}) {
    const PressurePatch circle = find_pressure_patch(law, pair_of_radii(0.01, 0.01), 3.0);
    EXPECT_NEAR(eccentricity_m(circle, MomentForm::printed) / eccentricity_m(circle), 1.0, 1e-12);
    EXPECT_SAME(max_friction_moment(circle, 0.5), 0.5 * 3.0 * circle.friction_arm_m);
    fmt::print("{}: (9)/(10) against the exact moment\n", law.model == PressureModel::winkler ? "Winkler" : "Hertz");
    double last = 1.0;
    for (const double wanted : {1.5, 2.0, 3.0, 5.0, 10.0}) {
      // Bounded flat patches have any proportions; the printed form sees only semi-axes and model.
      PressurePatch patch = circle;
      patch.semi_axes_m = {wanted * 1e-3, 1e-3};
      const double e = std::comp_ellint_2(std::sqrt(1.0 - 1.0 / (wanted * wanted)));
      const double exact =
          (law.model == PressureModel::winkler ? 16.0 / (15.0 * std::numbers::pi) : 0.375) * wanted * 1e-3 * e;
      const double share = eccentricity_m(patch, MomentForm::printed) / exact;
      fmt::print("  axes 1:{:<4} {:+.1f} %\n", wanted, 100.0 * (share - 1.0));
      EXPECT_LT(share, last);
      last = share;
    }
    EXPECT_NEAR(last, 0.4890, 1e-3);
  }
  const PressurePatch three = find_pressure_patch(winkler(), pair_of_radii(0.09, 0.01), 3.0);
  EXPECT_NEAR(eccentricity_m(three, MomentForm::printed) / eccentricity_m(three), 0.8143, 1e-3);
}

// ---- flat and conforming pairs ----

TEST(PressurePatch, FlatWinklerPairPressesEvenlyOverItsBound) {
  for (const double curvature : {0.0, -20.0}) {
    const PressurePatch patch = find_pressure_patch(winkler(1e8), {{curvature, 0.0}, {0.006, 0.003}}, 4.0);
    const double area = std::numbers::pi * 0.006 * 0.003;
    EXPECT_SAME(patch.centre_pressure_pa, 4.0 / area);
    EXPECT_SAME(patch.pressure_pa(0.004, 0.001), 4.0 / area);
    EXPECT_SAME(patch.stiffness_n_m, 1e8 * area);
    EXPECT_SAME(integrated_arm(patch), patch.friction_arm_m);
    EXPECT_TRUE(patch.bounded[0] && patch.bounded[1]);
  }
}

TEST(PressurePatch, FlatHertzPairIsAPunch) {
  const PressurePatch patch = find_pressure_patch(hertz(1e6), {{0.0, -5.0}, {0.006, 0.002}}, 4.0);
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {0.004, 0.0}, {0.0, 0.0015}})
    EXPECT_SAME(sinking(patch, 1e6, x, y), patch.compression_m);
  EXPECT_SAME(integrated_load(patch), 4.0);
  EXPECT_SAME(integrated_arm(patch), patch.friction_arm_m);
  EXPECT_SAME(patch.stiffness_n_m, 4.0 / patch.compression_m);
}

// A cylinder of some length on a plane, a shallow dome that outgrows its rim: load, arm and stiffness stay consistent.
TEST(PressurePatch, BoundedPatchesBearTheirLoad) {
  for (const PressureLaw& law : {winkler(1e8), hertz(1e6)}) {
    for (const PatchGeometry& geometry : {PatchGeometry{{0.0, 100.0}, {0.005, 0.004}},
                                          {{20.0, 100.0}, {0.002, kInfinite}},
                                          {{50.0, 50.0}, {0.002, 0.002}},
                                          {{100.0, 0.0}, {0.004, 0.005}}}) {
      for (const double load : {0.05, 0.5, 5.0, 50.0}) {
        const PressurePatch patch = find_pressure_patch(law, geometry, load);
        EXPECT_SAME(integrated_load(patch), load);
        EXPECT_SAME(integrated_arm(patch), patch.friction_arm_m);
        EXPECT_NEAR(stiffness_by_difference(law, geometry, load) / patch.stiffness_n_m, 1.0, 1e-5);
        for (int i : {0, 1}) EXPECT_LE(patch.semi_axes_m[i], geometry.bound_m[i]);
      }
    }
  }
}

// Reaching the bound changes nothing at once: compression and arm are continuous in the load.
TEST(PressurePatch, GrowsIntoItsBoundWithoutAJump) {
  const PatchGeometry geometry{{30.0, 100.0}, {0.0025, 0.002}};
  for (const PressureLaw& law : {winkler(1e8), hertz(1e6)}) {
    PressurePatch last = find_pressure_patch(law, geometry, 0.01);
    for (double load = 0.01; load < 30.0; load *= 1.002) {
      const PressurePatch patch = find_pressure_patch(law, geometry, load);
      EXPECT_LT(patch.compression_m / last.compression_m, 1.0021);
      EXPECT_GE(patch.compression_m, last.compression_m);
      EXPECT_GE(patch.friction_arm_m, last.friction_arm_m * (1.0 - 1e-9));
      EXPECT_LT(patch.friction_arm_m / last.friction_arm_m, 1.0021);
      // The ellipse leaves out corners between the free one and the bound: what they would have borne is missing once
      // both axes have ended.
      EXPECT_GE(patch.stiffness_n_m, last.stiffness_n_m * (patch.bounded == last.bounded ? 1.0 - 1e-6 : 0.8));
      last = patch;
    }
    EXPECT_TRUE(last.bounded[0] && last.bounded[1]);
  }
}

// A rounded punch (Johnson 1985, 5.2): a dome and a flat punch share the load exactly when the pair is round.
TEST(PressurePatch, RoundHertzPatchInARoundBoundIsExact) {
  const PatchGeometry geometry{{50.0, 50.0}, {0.002, 0.002}};
  const PressurePatch patch = find_pressure_patch(hertz(1e6), geometry, 5.0);
  EXPECT_TRUE(patch.bounded[0] && patch.bounded[1]);
  for (const double r : {0.0005, 0.0015}) EXPECT_SAME(patch.compression_m - sinking(patch, 1e6, r, 0.0), r * r * 25.0);
}

// Docs: the ellipse of a rectangle's area bears less moment than the rectangle, by what is printed here.
TEST(PressurePatch, EllipseForARectangleBearsALittleLessMoment) {
  for (const auto& [length, share] : {std::pair{1.0, 0.9831}, {3.0, 0.9719}}) {
    const PressurePatch patch =
        find_pressure_patch(winkler(), {{0.0, 0.0}, bound_of_rectangle(0.001 * length, 0.001)}, 1.0);
    const int n = 1000;
    double mean = 0.0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) mean += std::hypot(length * (i + 0.5) / n, (j + 0.5) / n) * 0.001 / (1.0 * n * n);
    fmt::print("rectangle 1:{}: the ellipse's moment is {:+.2f} %\n", length,
               100.0 * (patch.friction_arm_m / mean - 1.0));
    EXPECT_SAME(patch.semi_axes_m[0] * patch.semi_axes_m[1] * std::numbers::pi, 4e-6 * length);
    EXPECT_NEAR(patch.friction_arm_m / mean, share, 1e-4);
  }
}

TEST(PressurePatch, NoLoadNoPatch) {
  const PressurePatch patch = find_pressure_patch(hertz(), pair_of_radii(0.01, 0.02), 0.0);
  EXPECT_EQ(patch.semi_axes_m[0], 0.0);
  EXPECT_EQ(eccentricity_m(patch), 0.0);
  EXPECT_EQ(patch.pressure_pa(0.0, 0.0), 0.0);
}

TEST(PressurePatch, RefusesBadInput) {
  EXPECT_THROW(find_pressure_patch(winkler(0.0), pair_of_radii(0.01, 0.01), 1.0), InputError);
  EXPECT_THROW(find_pressure_patch(hertz(-1.0), pair_of_radii(0.01, 0.01), 1.0), InputError);
  EXPECT_THROW(find_pressure_patch(winkler(), pair_of_radii(0.01, 0.01), -1.0), InputError);
  EXPECT_THROW(find_pressure_patch(winkler(), {{0.0, 100.0}, {kInfinite, kInfinite}}, 1.0), InputError);
  EXPECT_THROW(find_pressure_patch(winkler(), pair_of_radii(0.01, 0.01, 0.0, 0.01), 1.0), InputError);
}

}  // namespace
}  // namespace distal
