#include <gtest/gtest.h>

#include "distal/geometry/solid.hpp"
#include "mesh_checks.hpp"

namespace distal {
namespace {

const Vec3 size(0.010, 0.020, 0.045);

TEST(BlockSolid, DistanceIsExact) {
  const auto distance = make_block_solid(size, 0.002).signed_distance;
  EXPECT_NEAR(distance(Vec3::Zero()), -0.005, 1e-17);
  EXPECT_NEAR(distance({0.001, -0.0095, 0.0}), -0.0005, 1e-17);
  EXPECT_NEAR(distance({0.008, 0.014, 0.0}), 0.005, 1e-17);
  EXPECT_NEAR(distance({-0.007, -0.012, -0.0235}), 0.003, 1e-17);
}

TEST(BlockSolid, SurfaceIsClosedRegularAndOutward) {
  const Solid block = make_block_solid(size, 0.002);
  const TriangleMesh& mesh = block.surface;
  EXPECT_EQ(block.bounds.min, -0.5 * size);
  EXPECT_EQ(block.bounds.max, 0.5 * size);
  // 5, 10 and 23 intervals (45 / 23 is nearer 2 than 45 / 22).
  EXPECT_EQ(mesh.triangles.size(), 4u * (5 * 10 + 10 * 23 + 23 * 5));
  const test::EdgeCount edges = test::count_edges(mesh);
  EXPECT_EQ(edges.other, 0);
  EXPECT_EQ(static_cast<int>(mesh.vertices.size() + mesh.triangles.size()) - edges.paired, 2);
  EXPECT_NEAR(test::volume_of(mesh), size.prod(), 1e-18);
  EXPECT_NEAR(test::total_area(mesh), 2.0 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x()), 1e-16);
  for (const Vec3& p : mesh.vertices) EXPECT_EQ(block.signed_distance(p), 0.0);
}

TEST(BlockSolid, VerticesInsideAFaceOwnOneCellEach) {
  const TriangleMesh mesh = make_block_solid(size, 0.002).surface;
  const auto areas = vertex_areas(mesh);
  int inside_top = 0;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    const Vec3& p = mesh.vertices[i];
    if (p.z() < 0.0225 || std::abs(p.x()) > 0.0045 || std::abs(p.y()) > 0.0095) continue;
    EXPECT_NEAR(areas[i], 4e-6, 1e-18);
    ++inside_top;
  }
  EXPECT_EQ(inside_top, 4 * 9);
}

TEST(BlockSolid, AnEdgeLongerThanTheBlockGivesOneCellAFace) {
  EXPECT_EQ(make_block_solid(size, 1.0).surface.triangles.size(), 12u);
}

TEST(TriangleMesh, EachVertexOwnsAThirdOfItsTriangles) {
  const TriangleMesh mesh{{{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 0, 6}}, {{0, 1, 2}, {0, 1, 3}}};
  const auto areas = vertex_areas(mesh);
  EXPECT_DOUBLE_EQ(areas[0], 3.0);
  EXPECT_DOUBLE_EQ(areas[1], 3.0);
  EXPECT_DOUBLE_EQ(areas[2], 1.0);
  EXPECT_DOUBLE_EQ(areas[3], 2.0);
}

}  // namespace
}  // namespace distal
