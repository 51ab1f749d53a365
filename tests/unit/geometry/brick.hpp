// A brick of eight vertices and 12 triangles, exact in single precision: written to files of every kind and read back.
#pragma once
#include <gtest/gtest.h>

#include "distal/geometry/shape.hpp"
#include "mesh_checks.hpp"

namespace distal::test {

inline const Vec3 kBrickHalfSize(0.5, 0.25, 0.125);

inline TriangleMesh make_brick() { return make_shape_mesh(BoxShape{kBrickHalfSize}, 1.0); }

inline void expect_brick(const TriangleMesh& mesh) {
  EXPECT_EQ(mesh.vertices.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(count_edges(mesh).other, 0);
  EXPECT_EQ(volume_of(mesh), 8.0 * kBrickHalfSize.prod());
}

}  // namespace distal::test
