// A rigid sphere of radius 10 mm pressed into a block of 50 x 50 x 20 mm, E = 57.6 kPa, nu = 0.49, bottom held, against
// finite elements for that very geometry (tests/reference/case_c_curves.csv).
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "support/reference_table.hpp"
#include "support/scenes.hpp"

namespace distal::test {
namespace {

class SphereInBlock : public testing::TestWithParam<const char*> {};

TEST_P(SphereInBlock, ForceMeetsFiniteElements) {
  const std::string contact = GetParam();
  MaterialDescription material = rubber(0.49, 57.6e3);
  material.density_kg_m3 = 1000.0;
  ModelDescription scene = held_block(Vec3(0.05, 0.05, 0.02), 0.002, material);
  RigidDescription sphere;
  sphere.shape = RigidShapeKind::sphere;
  sphere.radius_m = 0.01;
  sphere.placement.position_m = Vec3(0.0, 0.0, 0.02);
  sphere.mount = Mount::driven;
  scene.bodies.push_back({"sphere", sphere});
  scene.contact.static_friction = scene.contact.dynamic_friction = contact == "noslip" ? kNever : 0.0;
  Simulation simulation(scene, true);
  const auto reference = load_reference(
      "case_c_curves.csv",
      {{"load", "sphere"}, {"Rs_mm", "10"}, {"contact", contact}, {"geometry", "3D"}, {"formulation_n", "mixed_6"}});
  MotionDescription motion;
  motion.body = "sphere";
  motion.speed_m_s = 0.05;
  std::vector<double> forces_n;
  for (const ReferenceRow& row : reference) {
    const double depth_m = 1e-3 * number(row, "d_mm");
    if (depth_m < 2e-3 || depth_m > 5.5e-3) continue;
    motion.depths_m.push_back(depth_m);
    forces_n.push_back(number(row, "F_N"));
  }
  ASSERT_GE(forces_n.size(), 4u);
  std::size_t i = 0;
  run_motion(simulation, motion, 0.0, [&](const Simulation&, const CurveRow& row, const BodyReading&) {
    const double error = row.force_n / forces_n[i++] - 1.0;
    fmt::print("  {} depth {:.2f} mm: force {:.4f} N {:+.2f} %\n", contact, 1e3 * row.depth_m, row.force_n,
               100.0 * error);
    EXPECT_LE(std::abs(error), 0.04) << row.depth_m;
  });
}

INSTANTIATE_TEST_SUITE_P(Contacts, SphereInBlock, testing::Values("frictionless", "noslip"));

}  // namespace
}  // namespace distal::test
