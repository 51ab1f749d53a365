// Bending stiffness of strands' meshes, and the vertices' share that follows from it.
#include "distal/model/strand_bending.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace distal {
namespace {

constexpr double kStrandRadius = 0.002;  // [m]

StrandSection round_section(StrandSection section) {
  section.scale(kStrandRadius * std::sqrt(std::numbers::pi / section.area()));
  return section;
}
ElasticModuli strand_moduli(double nu) {
  constexpr double youngs = 7e5;
  return {youngs, nu, 0.5 * youngs / (1.0 + nu), youngs * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))};
}
double round_stiffness(const ElasticModuli& moduli) {
  return moduli.youngs_pa * 0.25 * std::numbers::pi * std::pow(kStrandRadius, 4);
}

TEST(StrandSectionMoment, IsThatOfTheOctagonAndNearTheCircles) {
  StrandSection octagon = make_eight_plus_centre();
  // A regular polygon of n sides on the unit circle: n/48 sin(a) (4 + 2 cos(a)), a = 2 pi / n.
  const double a = std::numbers::pi / 4.0;
  EXPECT_NEAR(octagon.second_moment(), 8.0 / 48.0 * std::sin(a) * (4.0 + 2.0 * std::cos(a)), 1e-14);
  EXPECT_NEAR(round_section(octagon).second_moment() / (0.25 * std::numbers::pi * std::pow(kStrandRadius, 4)), 1.0023,
              1e-4);
}

// On a fine section hardly anything depends on the share, and the stiffness is the beam's.
TEST(StrandBendingStiffness, OfAFineSectionIsTheBeams) {
  for (const double nu : {0.0, 0.3}) {
    const ElasticModuli moduli = strand_moduli(nu);
    const StrandBending bending(round_section(make_grid_section(29)), kStrandRadius / 8.0, moduli);
    EXPECT_NEAR(bending.stiffness_n_m2(0.15) / round_stiffness(moduli), 1.0, 0.03) << nu;
  }
}

// Scaled in all lengths it goes as the fourth power; a stiffer rubber needs the same share.
TEST(StrandBendingStiffness, HasItsDimension) {
  StrandSection section = round_section(make_eight_plus_centre());
  const ElasticModuli moduli = strand_moduli(0.3);
  const double small = StrandBending(section, 0.001, moduli).stiffness_n_m2(0.1);
  section.scale(3.0);
  EXPECT_NEAR(StrandBending(section, 0.003, moduli).stiffness_n_m2(0.1), 81.0 * small, 1e-9 * 81.0 * small);
}

TEST(StrandVertexShare, GivesTheWantedStiffnessOrTheNearest) {
  for (const double nu : {0.0, 0.3, 0.45, 0.49}) {
    const ElasticModuli moduli = strand_moduli(nu);
    const double wanted = round_stiffness(moduli);
    const StrandBending coarse(round_section(make_eight_plus_centre()), 0.5 * kStrandRadius, moduli);
    EXPECT_GT(coarse.stiffness_n_m2(0.0), coarse.stiffness_n_m2(0.3)) << "vertices are softer than edges";
    EXPECT_NEAR(coarse.stiffness_n_m2(coarse.find_vertex_share(wanted)), wanted, 1e-4 * wanted);
    EXPECT_EQ(coarse.find_vertex_share(1e3 * wanted), kLeastVertexShare);
    EXPECT_EQ(coarse.find_vertex_share(1e-3 * wanted), kMostVertexShare);
  }
}

double twisting_ratio(const StrandSection& section, double per_radius, double nu) {
  const ElasticModuli moduli = strand_moduli(nu);
  const StrandBending strand(round_section(section), kStrandRadius / per_radius, moduli);
  const double share = strand.find_vertex_share(round_stiffness(moduli));
  return strand.torsion_n_m2(share) / (moduli.shear_pa * 0.5 * std::numbers::pi * std::pow(kStrandRadius, 4));
}

// A fine section with a share that hardly matters twists as a round bar.
TEST(StrandTorsion, OfAFineSectionIsTheBars) {
  const ElasticModuli moduli = strand_moduli(0.3);
  const StrandBending strand(round_section(make_grid_section(29)), kStrandRadius / 8.0, moduli);
  EXPECT_NEAR(strand.torsion_n_m2(0.15) / (moduli.shear_pa * 0.5 * std::numbers::pi * std::pow(kStrandRadius, 4)), 1.0,
              0.05);
}

// The share is chosen for bending; what comes of it in torsion, over G J of the round bar (docs/models/strand.md).
TEST(StrandTorsion, WithTheShareOfBendingIsAsDocumented) {
  struct Case {
    StrandSection section;
    double per_radius, nu, ratio;
  };
  for (const Case& c :
       {Case{make_eight_plus_centre(), 2.0, 0.0, 1.198}, Case{make_eight_plus_centre(), 2.0, 0.3, 1.249},
        Case{make_eight_plus_centre(), 2.0, 0.45, 1.183}, Case{make_eight_plus_centre(), 2.0, 0.49, 1.157},
        Case{make_eight_plus_centre(), 1.0, 0.3, 1.226}, Case{make_eight_plus_centre(), 4.0, 0.3, 1.301},
        Case{make_grid_section(29), 2.0, 0.3, 1.029}, Case{make_grid_section(13), 2.0, 0.3, 1.092},
        Case{make_grid_section(5), 2.0, 0.3, 1.384}, Case{make_concentric_section(3), 2.0, 0.3, 1.086},
        Case{make_concentric_section(3), 4.0, 0.3, 1.097}}) {
    const double ratio = twisting_ratio(c.section, c.per_radius, c.nu);
    fmt::print("  {} nodes, R/{}, nu {}: {:.3f} of G J\n", c.section.points.size(), c.per_radius, c.nu, ratio);
    EXPECT_NEAR(ratio, c.ratio, 0.005);
  }
}

}  // namespace
}  // namespace distal
