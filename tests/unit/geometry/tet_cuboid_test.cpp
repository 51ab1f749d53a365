#include <gtest/gtest.h>

#include <limits>

#include "distal/core/error.hpp"
#include "distal/geometry/tet_shapes.hpp"
#include "mesh_checks.hpp"
#include "tet_checks.hpp"

namespace distal {
namespace {

const Vec3 plate_size(0.03, 0.02, 0.011);

TEST(CuboidMesh, FillsTheCuboid) {
  const TetMesh mesh = make_cuboid_mesh(plate_size, 0.0025);
  check_tet_mesh(mesh, "cuboid");
  // 14 x 10 x 6 bricks of about 2.07 mm: 11 mm are 5.3 of them, and 6 is the nearest even number.
  EXPECT_EQ(mesh.vertices.size(), 15u * 11u * 7u);
  EXPECT_EQ(mesh.cells.size(), 5u * 14u * 10u * 6u);
  EXPECT_NEAR(measure_quality(mesh).mean_edge_m, 0.0025, 0.05 * 0.0025);
  EXPECT_NEAR(test::sum_of_volumes(mesh), plate_size.prod(), 1e-12 * plate_size.prod());
}

TEST(CuboidMesh, BoundaryIsTheClosedSurface) {
  const TriangleMesh surface = test::boundary_surface(make_cuboid_mesh(plate_size, 0.0025));
  EXPECT_EQ(test::count_edges(surface).other, 0);
  EXPECT_NEAR(test::volume_of(surface), plate_size.prod(), 1e-12 * plate_size.prod());
  const double area =
      2.0 * (plate_size.x() * plate_size.y() + plate_size.y() * plate_size.z() + plate_size.z() * plate_size.x());
  EXPECT_NEAR(test::total_area(surface), area, 1e-12 * area);
}

TEST(CuboidMesh, VerticesAreAGridWithXFastest) {
  const TetMesh mesh = make_cuboid_mesh({0.4, 0.2, 0.2}, 0.1);
  ASSERT_EQ(mesh.vertices.size(), 5u * 3u * 3u);
  std::size_t v = 0;
  for (int k = -1; k <= 1; ++k) {
    for (int j = -1; j <= 1; ++j) {
      for (int i = -2; i <= 2; ++i) { EXPECT_LT((mesh.vertices[v++] - 0.1 * Vec3(i, j, k)).norm(), 1e-16); }
    }
  }
}

TEST(CuboidMesh, MirrorsAboutItsMidPlanes) {
  const TetMesh mesh = make_cuboid_mesh(plate_size, 0.0041);
  for (int axis = 0; axis < 3; ++axis) EXPECT_TRUE(test::is_mirror_symmetric(mesh, axis)) << axis;
}

TEST(CuboidMesh, CellsOfACubeAreCornersAndRegularTetrahedra) {
  const TetQuality quality = measure_quality(make_cuboid_mesh(Vec3::Constant(0.02), 0.005));
  EXPECT_NEAR(quality.smallest_angle_deg, std::atan(std::sqrt(2.0)) * 180.0 / M_PI, 1e-9);
  EXPECT_NEAR(quality.largest_angle_deg, 90.0, 1e-9);
  EXPECT_NEAR(quality.shortest_edge_m, 0.005, 1e-15);
  EXPECT_NEAR(quality.longest_edge_m, 0.005 * std::sqrt(2.0), 1e-15);
}

TEST(CuboidMesh, ThinPlateHasTwoLayers) {
  const TetMesh mesh = make_cuboid_mesh({0.02, 0.02, 0.0001}, 0.01);
  EXPECT_EQ(mesh.cells.size(), 5u * 2u * 2u * 2u);
  check_tet_mesh(mesh, "plate");
}

TEST(CuboidMesh, BadSizesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(make_cuboid_mesh({0.0, 1.0, 1.0}, 0.1), InputError);
  EXPECT_THROW(make_cuboid_mesh({1.0, nan, 1.0}, 0.1), InputError);
  EXPECT_THROW(make_cuboid_mesh({1.0, 1.0, -1.0}, 0.1), InputError);
  EXPECT_THROW(make_cuboid_mesh({1.0, 1.0, 1.0}, 0.0), InputError);
  // Would not fit: said before anything is allocated.
  EXPECT_THROW(make_cuboid_mesh({1.0, 1.0, 1.0}, 1e-3), InputError);
  EXPECT_THROW(make_cuboid_mesh({1.0, 1.0, 1.0}, 1e-300), InputError);
}

}  // namespace
}  // namespace distal
