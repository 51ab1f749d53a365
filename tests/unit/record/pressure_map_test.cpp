// Where the pressed patch is looked at from.
#include "distal/record/pressure_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "distal/geometry/box_mesh.hpp"
#include "distal/record/svg.hpp"
#include "unit/record/pressed_sphere.hpp"

namespace distal {
namespace {

// A cube of 20 mm, its two faces across x pressed, on a table that does not press it.
Frame gripped_cube() {
  BodySnapshot cube;
  cube.name = "cube", cube.kind = "tet";
  cube.surface = make_box_mesh(Vec3::Constant(0.02), 0.005);
  for (const Vec3& p : cube.surface.vertices) {
    const bool pressed = std::abs(p.x()) > 0.0099;
    cube.pressure_pa.push_back(pressed ? 100.0 : 0.0);
    cube.contact_force_n.push_back(pressed ? Vec3(p.x() > 0.0 ? -1.0 : 1.0, 0.0, 0.0) : Vec3::Zero());
  }
  Frame frame;
  frame.bodies = {cube, test::table_snapshot()};
  return frame;
}

// Triangles in the colour of the largest pressure.
long count_pressed(const std::string& svg) {
  const std::string path = "<path color=\"" + hex(viridis(1.0)) + "\"";
  long count = 0;
  for (std::size_t at = svg.find(path); at != std::string::npos; at = svg.find(path, at + 1))
    count += std::count(svg.begin() + static_cast<long>(at), svg.begin() + static_cast<long>(svg.find("/>", at)), 'M');
  return count;
}

TEST(PressureMap, AGripIsSeenFromTheSideThatIsPressed) {
  EXPECT_GE(count_pressed(pressure_map_svg(gripped_cube())), 32);  // four by four squares of two triangles
}

TEST(PressureMap, WhatATablePressesIsSeenFromBelow) {
  Frame frame = gripped_cube();
  for (std::size_t v = 0; v < frame.bodies[0].pressure_pa.size(); ++v) {
    const bool pressed = frame.bodies[0].surface.vertices[v].z() < -0.0099;
    frame.bodies[0].pressure_pa[v] = pressed ? 100.0 : 0.0;
    frame.bodies[0].contact_force_n[v] = pressed ? Vec3(0.3, 0.0, 1.0) : Vec3::Zero();
  }
  EXPECT_GE(count_pressed(pressure_map_svg(frame)), 32);
}

}  // namespace
}  // namespace distal
