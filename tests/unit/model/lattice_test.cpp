// What the builder promises: the body's volume and mass, a cell for every embedded point, any closed shape.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "distal/core/error.hpp"
#include "distal/geometry/shape.hpp"
#include "distal/model/model.hpp"

namespace distal {
namespace {

constexpr double kR = 0.01, kRod = 0.005, kL = 0.01, kDensity = 500.0;

ModelDescription finger(double cell_size, double shift) {
  ModelDescription d;
  MaterialDescription rubber;
  rubber.density_kg_m3 = kDensity;
  rubber.youngs_modulus_pa = 3922.66;
  rubber.poissons_ratio = 0.4286;
  d.materials["rubber"] = rubber;
  FingertipDescription f;
  f.lattice.material = "rubber";
  f.lattice.cell_size_m = cell_size;
  f.lattice.grid_shift_cells = Vec3::Constant(shift);
  d.bodies.emplace_back("finger", f);
  d.threads = 1;
  return d;
}

double total(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double v : values) sum += v;
  return sum;
}

Vec3 carried(const Lattice& lattice, const EmbeddedPoints& points, std::size_t p) {
  Vec3 sum = Vec3::Zero();
  for (int a = 0; a < kCorners; ++a)
    sum += points.weights(p)[static_cast<std::size_t>(a)] *
           lattice.grid.rest_position(points.node[p] + lattice.grid.corner_offset(a));
  return sum;
}

class GridShift : public testing::TestWithParam<double> {};

TEST_P(GridShift, VolumeAndMassAreThoseOfTheShape) {
  const double volume =
      std::numbers::pi * (2.0 / 3.0 * (std::pow(kR, 3) - std::pow(kRod, 3)) + (kR * kR - kRod * kRod) * kL);
  for (const double cell : {0.001, 0.002}) {
    const Model model = build_model(finger(cell, GetParam()));
    const Lattice& lattice = model.soft[0].lattice;
    EXPECT_NEAR(lattice.volume_m3 / volume, 1.0, 5e-4);
    // Mass moved to light nodes or from dropped cells is neither made nor lost.
    EXPECT_NEAR(total(lattice.mass) / (kDensity * lattice.volume_m3), 1.0, 1e-12);
    EXPECT_LT(model.soft[0].balanced_mass_kg, 0.01 * total(lattice.mass));
  }
}

TEST_P(GridShift, EveryEmbeddedPointHasACellThatCarriesIt) {
  const Model model = build_model(finger(0.001, GetParam()));
  const SoftBody& body = model.soft[0];
  ASSERT_GT(body.skin.size(), 1000u);
  ASSERT_GT(body.ligaments.size(), 500u);
  for (std::size_t p = 0; p < body.skin.size(); ++p) {
    ASSERT_LT((carried(body.lattice, body.skin, p) - body.skin_rest_m[p]).norm(), 1e-15);
    for (int a = 0; a < kCorners; ++a)
      ASSERT_GT(body.lattice.mass[static_cast<std::size_t>(body.skin.node[p] + body.lattice.grid.corner_offset(a))],
                0.0);
  }
  // Ligaments sit on the rod: its hemisphere in front of the frame's origin, its cylinder behind.
  for (std::size_t p = 0; p < body.ligaments.size(); ++p) {
    const Vec3 place = carried(body.lattice, body.ligaments, p);
    ASSERT_NEAR(place.z() > 0.0 ? place.norm() : std::hypot(place.x(), place.y()), kRod, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Shifts, GridShift, testing::Values(0.0, 0.25, 0.5));

TEST(PaperLattice, HasEqualMassesAndTwentySixNeighboursInside) {
  ModelDescription d = finger(0.001, 0.0);
  std::get<FingertipDescription>(d.bodies[0].second).lattice.lattice = LatticeKind::paper;
  const Model model = build_model(d);
  const Lattice& lattice = model.soft[0].lattice;
  double mass = 0.0;
  std::size_t most = 0;
  for (std::size_t n = 0; n < lattice.mass.size(); ++n) {
    if (lattice.mass[n] == 0.0) continue;
    if (mass == 0.0) mass = lattice.mass[n];
    EXPECT_EQ(lattice.mass[n], mass);
    most = std::max(most, static_cast<std::size_t>(lattice.springs.begin[n + 1] - lattice.springs.begin[n]));
  }
  EXPECT_EQ(most, 26u);
  EXPECT_NEAR(total(lattice.mass) / (kDensity * lattice.volume_m3), 1.0, 1e-12);
}

TEST(MeshPad, IsFilledAroundItsRod) {
  // A pad in the shape of a ball of 10 mm around a rod that enters it from behind.
  const TriangleMesh ball = make_shape_mesh(SphereShape{kR}, 1.0);
  const auto file = std::filesystem::temp_directory_path() / "distal_mesh_pad_test.stl";
  {
    std::ofstream out(file);
    out << "solid pad\n";
    for (const auto& t : ball.triangles) {
      out << "facet normal 0 0 0\nouter loop\n";
      for (const std::int32_t v : t) {
        const Vec3& p = ball.vertices[static_cast<std::size_t>(v)];
        out << "vertex " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
      }
      out << "endloop\nendfacet\n";
    }
    out << "endsolid pad\n";
  }
  ModelDescription d = finger(0.0025, 0.0);
  auto& f = std::get<FingertipDescription>(d.bodies[0].second);
  f.shape = FingertipShape::mesh;
  f.file = file.string();
  const Model model = build_model(d);
  std::filesystem::remove(file);
  // Ball minus hemisphere minus the cylinder that leaves it through the back.
  const double depth = std::sqrt(kR * kR - kRod * kRod);
  const double cap_beyond = std::numbers::pi / 3.0 * std::pow(kR - depth, 2) * (2.0 * kR + depth);
  const double rod = std::numbers::pi * (2.0 / 3.0 * std::pow(kRod, 3) + kRod * kRod * depth) + cap_beyond;
  const double volume = 4.0 / 3.0 * std::numbers::pi * std::pow(kR, 3) - rod;
  EXPECT_NEAR(model.soft[0].lattice.volume_m3 / volume, 1.0, 0.02);  // the ball is a polyhedron
  EXPECT_GT(model.soft[0].ligaments.size(), 200u);
}

TEST(Moduli, AnyTwoGiveTheThird) {
  MaterialDescription m;
  m.youngs_modulus_pa = 3922.66;
  m.shear_modulus_pa = 1372.93;
  EXPECT_NEAR(complete_moduli(m, "x").poisson, 0.42857, 1e-5);
  m.poissons_ratio = 0.3;
  EXPECT_THROW(complete_moduli(m, "x"), InputError);
  m = {};
  m.shear_modulus_pa = 1000.0;
  m.poissons_ratio = 0.25;
  EXPECT_DOUBLE_EQ(complete_moduli(m, "x").youngs_pa, 2500.0);
  EXPECT_DOUBLE_EQ(complete_moduli(m, "x").lame_lambda_pa, 1000.0);
}

TEST(Rod, HasTheInertiaOfCylinderAndHemisphere) {
  FingertipDescription f;
  const RigidBody rod = make_rod("finger", f);
  // Midpoint sums over the solid.
  const double l = f.rod_length_m, r = f.rod_radius_m, step = r / 40.0;
  double mass = 0.0, zz = 0.0, xx = 0.0;
  Vec3 centre = Vec3::Zero();
  for (int pass = 0; pass < 2; ++pass)
    for (double x = -r + step / 2; x < r; x += step)
      for (double y = -r + step / 2; y < r; y += step)
        for (double z = -l + step / 2; z < r; z += step) {
          if (x * x + y * y + (z > 0.0 ? z * z : 0.0) > r * r) continue;
          const Vec3 p(x, y, z);
          if (pass == 0)
            mass += 1.0, centre += p;
          else
            zz += x * x + y * y, xx += std::pow(y, 2) + std::pow(z - centre.z() / mass, 2);
        }
  EXPECT_NEAR(rod.centre_of_mass_m.z(), centre.z() / mass, 1e-5);
  EXPECT_NEAR(rod.inertia_kg_m2(2, 2) / (f.rod_mass_kg * zz / mass), 1.0, 5e-3);
  EXPECT_NEAR(rod.inertia_kg_m2(0, 0) / (f.rod_mass_kg * xx / mass), 1.0, 5e-3);
}

}  // namespace
}  // namespace distal
