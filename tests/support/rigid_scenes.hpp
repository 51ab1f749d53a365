// Rigid bodies and joints, described in code.
#pragma once
#include <string>
#include <vector>

#include "distal/simulation/simulation.hpp"

namespace distal::test {

inline constexpr double kGravity = 9.81;

inline ModelDescription rigid_scene() {
  ModelDescription description;
  description.integrator.kind = IntegratorKind::complementarity;
  description.threads = 1;
  return description;
}

inline RigidDescription box(const Vec3& size_m, const Vec3& position_m, double mass_kg) {
  RigidDescription body;
  body.size_m = size_m;
  body.placement.position_m = position_m;
  body.mass_kg = mass_kg;
  return body;
}

inline RigidDescription sphere(double radius_m, const Vec3& position_m, double mass_kg) {
  RigidDescription body = box(Vec3::Ones(), position_m, mass_kg);
  body.shape = RigidShapeKind::sphere;
  body.radius_m = radius_m;
  return body;
}

// Pivot or slide at a place of the world, for bodies that are not turned at the start.
template <class Joint>
Joint joint_at(const std::string& parent, const std::string& child, const Vec3& child_position_m, const Vec3& at_m,
               const Vec3& axis) {
  Joint joint;
  joint.place = {parent, child, at_m - child_position_m, axis};
  return joint;
}

// Periods without commands; fails the test at trouble.
inline void run(Simulation& simulation, double seconds, const std::vector<BodyCommand>* commands = nullptr) {
  const std::vector<BodyCommand> none(simulation.body_count());
  const auto periods = static_cast<int>(std::lround(seconds / simulation.model().control_period_s));
  for (int n = 0; n < periods; ++n) {
    const StepReport report = simulation.advance(commands != nullptr ? *commands : none);
    ASSERT_EQ(report.status, StepStatus::good) << report.message;
  }
}

inline const RigidState& rigid(const Simulation& simulation, const std::string& name) {
  return simulation.state().rigid[simulation.rigid_index(simulation.body_index(name))];
}

}  // namespace distal::test
