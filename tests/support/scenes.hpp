// Small scenes that the physics tests share, and how they are driven.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <span>

#include "distal/controller/prescribed_motion.hpp"
#include "distal/sensor/measure.hpp"
#include "distal/simulation/simulation.hpp"

namespace distal::test {

inline constexpr double kPi = 3.14159265358979323846;
inline constexpr double kRubber_pa = 3922.66;  // 40 gf/cm^2, the paper's rubber
inline constexpr double kNever = std::numeric_limits<double>::infinity();

inline MaterialDescription rubber(double poissons_ratio, double youngs_modulus_pa = kRubber_pa) {
  MaterialDescription material;
  material.density_kg_m3 = 500.0;
  material.youngs_modulus_pa = youngs_modulus_pa;
  material.poissons_ratio = poissons_ratio;
  return material;
}

// The reference finger (R 10, r 5, L 10 mm), pointing down, 0.1 mm above the table; no slip, no gravity.
inline FingertipDescription reference_finger(double cell_m) {
  FingertipDescription finger;
  finger.lattice.material = "rubber";
  finger.lattice.cell_size_m = cell_m;
  finger.placement.position_m = Vec3(0.0, 0.0, 0.0101);
  finger.placement.q_xyzw = Quat(0.0, 1.0, 0.0, 0.0);
  finger.mount = Mount::driven;
  return finger;
}

inline ModelDescription finger_over_table(const FingertipDescription& finger, double poissons_ratio) {
  ModelDescription scene;
  scene.gravity_m_s2.setZero();
  scene.materials["rubber"] = rubber(poissons_ratio);
  scene.bodies = {{"finger", finger}, {"table", PlaneDescription{}}};
  scene.contact.static_friction = scene.contact.dynamic_friction = kNever;
  scene.threads = 1;
  return scene;
}

// A block of `size` with its bottom face (lowest z) held.
inline ModelDescription held_block(const Vec3& size_m, double cell_m, const MaterialDescription& material) {
  ModelDescription scene;
  scene.gravity_m_s2.setZero();
  scene.materials["rubber"] = material;
  BlockDescription block;
  block.lattice.material = "rubber";
  block.lattice.cell_size_m = cell_m;
  block.size_m = size_m;
  scene.bodies = {{"block", block}};
  FixDescription fix;
  fix.body = "block";
  fix.max_m.z() = -0.5 * size_m.z();
  scene.fixes = {{"bottom", fix}};
  scene.threads = 1;
  return scene;
}

using Watch = std::function<void(const Simulation&, const BodyReading&)>;
using OnRow = std::function<void(const Simulation&, const CurveRow&, const BodyReading&)>;

// Runs a prescribed motion of the first body to its end; every state must settle and every period succeed.
inline void run_motion(Simulation& simulation, const MotionDescription& motion, double gap_m, const OnRow& on_row,
                       const Watch& watch = {}) {
  PrescribedMotion drive(motion, gap_m);
  while (!drive.finished()) {
    const auto readings = simulation.measure();
    std::vector<BodyCommand> commands(simulation.body_count());
    commands[0] = drive.update(readings[0].feedback, simulation.model().control_period_s);
    if (const auto row = drive.take_row()) {
      EXPECT_TRUE(drive.last_settled()) << drive.message();
      on_row(simulation, *row, readings[0]);
    }
    if (drive.finished()) break;
    const StepReport report = simulation.advance(commands);
    ASSERT_EQ(report.status, StepStatus::good) << report.message;
    if (watch) watch(simulation, simulation.measure()[0]);
  }
}

inline double find_gap_below(const Simulation& simulation) {
  return find_gap(simulation.model(), 0, simulation.state(), Vec3(0.0, 0.0, -1.0));
}

inline bool is_finite(const State& state) {
  for (int axis = 0; axis < 3; ++axis)
    for (std::size_t i = 0; i < state.x.size(); ++i)
      if (!std::isfinite(state.x.data(axis)[i]) || !std::isfinite(state.v.data(axis)[i])) return false;
  for (const RigidState& body : state.rigid)
    if (!body.centre_of_mass.allFinite() || !body.velocity.allFinite() || !body.angular_velocity.allFinite())
      return false;
  return true;
}

}  // namespace distal::test
