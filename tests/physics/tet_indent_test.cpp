// A block of tetrahedra, 50 x 50 x 20 mm, E = 57.6 kPa, nu = 0.49, bottom held, under a plate that holds its top and
// under a sphere without friction, against finite elements for that very geometry (tests/reference/case_c_block.csv).
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distal/contact/facet_law.hpp"
#include "support/reference_table.hpp"
#include "support/tet_scenes.hpp"

namespace distal::test {
namespace {

struct Pressed {
  double depth_m, force_n, bulge_m;
};

ModelDescription pressed_block(bool plate, double edge_m) {
  MaterialDescription material = rubber(0.49, 57.6e3);
  material.density_kg_m3 = 1000.0;
  ModelDescription scene = held_tet_cuboid(Vec3(0.05, 0.05, 0.02), edge_m, material);
  if (plate) {
    RigidDescription box;
    box.size_m = Vec3(0.06, 0.06, 0.01);
    box.placement.position_m = Vec3(0.0, 0.0, 0.015);
    box.mount = Mount::driven;
    scene.bodies.push_back({"plate", box});
  } else {
    add_sphere_on_top(scene, 0.01, 0.01);
  }
  scene.contact.static_friction = scene.contact.dynamic_friction = plate ? kNever : 0.0;
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.control_period_s = 0.005;
  scene.threads = 2;
  return scene;
}

std::vector<Pressed> press_block(bool plate, double edge_m, const std::vector<double>& depths_m) {
  Simulation simulation(pressed_block(plate, edge_m), true);
  const auto& vertices = simulation.model().soft[0].tet->mesh.vertices;
  // The middle of a side, half way up.
  std::size_t side = 0;
  for (std::size_t n = 0; n < vertices.size(); ++n)
    if ((vertices[n] - Vec3(0.025, 0.0, 0.0)).norm() < 1e-9) side = n;
  EXPECT_NEAR(vertices[side].x(), 0.025, 1e-9);
  MotionDescription motion;
  motion.body = plate ? "plate" : "sphere";
  motion.speed_m_s = 0.1;
  motion.depths_m = depths_m;
  std::vector<Pressed> rows;
  run_motion(simulation, motion, 0.0, [&](const Simulation& now, const CurveRow& row, const BodyReading&) {
    rows.push_back({row.depth_m, row.force_n, now.state().x.get(side).x() - 0.025});
  });
  return rows;
}

// Between two measured depths, by force.
Pressed at_force(const std::vector<Pressed>& rows, double force_n) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const Pressed &a = rows[i - 1], &b = rows[i];
    if (force_n < a.force_n || force_n > b.force_n) continue;
    const double t = (force_n - a.force_n) / (b.force_n - a.force_n);
    return {a.depth_m + t * (b.depth_m - a.depth_m), force_n, a.bulge_m + t * (b.bulge_m - a.bulge_m)};
  }
  ADD_FAILURE() << force_n << " N is outside of what was measured";
  return {};
}

class TetBlock : public testing::TestWithParam<bool> {};

TEST_P(TetBlock, DisplacementAndBulgeUnderFourWeightsMeetFiniteElements) {
  const bool plate = GetParam();
  // Around the four weights.
  const std::vector<double> depths = plate ? std::vector{0.37e-3, 0.45e-3, 0.65e-3, 0.73e-3, 0.94e-3, 1.05e-3}
                                           : std::vector{5.1e-3, 5.5e-3, 6.0e-3, 7.5e-3, 8.3e-3, 9.8e-3, 10.8e-3};
  const ReferenceRow wanted = plate ? ReferenceRow{{"load", "plate"}, {"formulation_n", "mixed_10"}}
                                    : ReferenceRow{{"load", "sphere"},
                                                   {"Rs_mm", "10"},
                                                   {"contact", "frictionless"},
                                                   {"geometry", "3D"},
                                                   {"formulation_n", "mixed_6"}};
  const auto weights = load_reference("case_c_block.csv", wanted);
  ASSERT_EQ(weights.size(), 4u);
  const std::vector<Pressed> rows = press_block(plate, 0.0025, depths);
  for (const ReferenceRow& weight : weights) {
    const Pressed found = at_force(rows, number(weight, "F_N"));
    const double depth = 1e3 * found.depth_m / number(weight, "d_mm") - 1.0;
    const double bulge = 1e3 * found.bulge_m / number(weight, "bulge_mid_mm") - 1.0;
    fmt::print("  {} {:.3f} kg: {:.4f} mm {:+.2f} %, bulge {:.4f} mm {:+.2f} %\n", plate ? "plate" : "sphere",
               number(weight, "mass_kg"), 1e3 * found.depth_m, 100.0 * depth, 1e3 * found.bulge_m, 100.0 * bulge);
    EXPECT_LE(std::abs(depth), 0.04);
    EXPECT_LE(std::abs(bulge), 0.06);
  }
  if (plate) return;
  // The same force on a mesh half as fine.
  const double fine = rows[2].force_n, coarse = press_block(false, 0.005, {depths[2]})[0].force_n;
  fmt::print("  sphere {:.1f} mm deep: {:.4f} N at edges of 5 mm, {:.4f} N at 2.5 mm\n", 1e3 * depths[2], coarse, fine);
  EXPECT_NEAR(fine, coarse, 0.03 * coarse);
}

INSTANTIATE_TEST_SUITE_P(Loads, TetBlock, testing::Bool(),
                         [](const auto& info) { return info.param ? "Plate" : "Sphere"; });

// A sphere inside of a block that has not given way yet, after Hunt and Crossley: what its facets bear.
double facet_force(double edge_m, double depth_m, bool per_facet) {
  ModelDescription scene = held_tet_cuboid(Vec3(0.02, 0.02, 0.005), edge_m, rubber(0.45, 57.6e3));
  auto& block = std::get<TetDescription>(scene.bodies[0].second);
  block.model = TetModel::paper2;
  add_sphere_on_top(scene, 0.01, 0.0025 - depth_m);
  scene.contact.normal = NormalLaw::hunt_crossley;
  scene.contact.facet.per_facet = per_facet;
  return Simulation(scene).measure()[0].feedback.contact.force.norm();
}

TEST(FacetContact, ForceByAreaIsTheClosedFormOnEveryMeshAndThePrintedOneGrows) {
  const ModelDescription rules = held_tet_cuboid(Vec3::Constant(0.02), 0.01, rubber(0.45, 57.6e3));
  const double stiffness =
      hunt_crossley_stiffness(rules.contact.facet, build_model(rules).soft[0].moduli(), SphereShape{0.01});
  for (const double depth : {0.0002, 0.001}) {
    const double exact = stiffness * std::pow(depth, 1.5) * (1.0 - depth / 0.01);
    double least = 1e300, most = 0.0, printed = 0.0;
    for (const double edge : {0.005, 0.004, 0.0025, 0.002, 0.00125, 0.001}) {
      const double force = facet_force(edge, depth, false), next = facet_force(edge, depth, true);
      fmt::print(
          "  {:.1f} mm deep, edge {:.2f} mm: {:.4f} N by area, {:+.2f} % of the closed form; {:.3g} N as printed\n",
          1e3 * depth, 1e3 * edge, force, 100.0 * (force / exact - 1.0), next);
      least = std::min(least, force), most = std::max(most, force);
      EXPECT_GE(next, printed);
      if (edge == 0.005) printed = next;
      if (edge == 0.001) { EXPECT_GT(next, 3.0 * printed); }
      EXPECT_NEAR(force, exact, 0.003 * exact);
    }
    EXPECT_LT(most, 1.03 * least);
  }
}

// Implicit steps find the same rest whatever their length: they know how the force grows and what it damps.
TEST(FacetContact, APressComesToTheSameRestWithStepsOfAnyLength) {
  std::vector<double> force_n;
  for (const double period_s : {0.005, 0.001}) {
    ModelDescription scene = held_tet_cuboid(Vec3(0.04, 0.04, 0.02), 0.005, rubber(0.45, 57.6e3));
    std::get<TetDescription>(scene.bodies[0].second).model = TetModel::paper2;
    std::get<TetDescription>(scene.bodies[0].second).paper2.limit_stiffness_ratio = 10.0;
    add_sphere_on_top(scene, 0.006, 0.01);
    scene.contact.normal = NormalLaw::hunt_crossley;
    scene.contact.static_friction = scene.contact.dynamic_friction = 0.0;
    scene.integrator.kind = IntegratorKind::implicit_euler;
    scene.control_period_s = period_s;
    Simulation simulation(scene);
    MotionDescription motion;
    motion.body = "sphere";
    motion.depths_m = {0.002};
    motion.settle_tolerance = 1e-3;
    run_motion(simulation, motion, 0.0,
               [&](const Simulation&, const CurveRow& row, const BodyReading&) { force_n.push_back(row.force_n); });
  }
  ASSERT_EQ(force_n.size(), 2U);
  fmt::print("  {:.5f} N with steps of 5 ms, {:.5f} N with 1 ms\n", force_n[0], force_n[1]);
  EXPECT_GT(force_n[0], 0.1);
  EXPECT_NEAR(force_n[0], force_n[1], 0.01 * force_n[0]);
}

// The force of the sphere at one depth, on finer and finer meshes.
TEST(LongTetRefinement, HardlyChangesTheContactForce) {
  double before = 0.0;
  for (const double edge : {0.005, 0.0025, 0.00125}) {
    const double force = press_block(false, edge, {0.006})[0].force_n;
    fmt::print("  edge {:.2f} mm: {:.4f} N{}\n", 1e3 * edge, force,
               before > 0.0 ? fmt::format(", {:+.2f} %", 100.0 * (force / before - 1.0)) : "");
    if (before > 0.0) { EXPECT_NEAR(force, before, 0.03 * before); }
    before = force;
  }
}

}  // namespace
}  // namespace distal::test
