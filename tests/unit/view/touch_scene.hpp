// A coarse finger over a table, for hands and pointers.
#pragma once
#include "support/scenes.hpp"

namespace distal::test {

inline ModelDescription touchable_finger(Mount mount, double height_m) {
  FingertipDescription finger = reference_finger(0.0025);
  finger.mount = mount;
  finger.placement.position_m.z() = height_m;
  ModelDescription scene = finger_over_table(finger, 0.4286);
  scene.gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  scene.contact.static_friction = 0.9;
  scene.contact.dynamic_friction = 0.7;
  return scene;
}

}  // namespace distal::test
