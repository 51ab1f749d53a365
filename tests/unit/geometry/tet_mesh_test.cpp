#include <gtest/gtest.h>

#include <limits>

#include "distal/core/error.hpp"
#include "distal/geometry/tet_shapes.hpp"
#include "mesh_checks.hpp"
#include "tet_checks.hpp"

namespace distal {
namespace {

using test::make_one_tet;

// Two that share the facet of vertices 1, 2, 3.
TetMesh make_two_tets() {
  TetMesh mesh = make_one_tet();
  mesh.vertices.emplace_back(1, 1, 1);
  mesh.cells.push_back({4, 1, 3, 2});
  return mesh;
}

void expect_mesh_refused(const TetMesh& mesh, const std::string& message) {
  try {
    check_tet_mesh(mesh, "pad.msh");
    FAIL() << "accepted, but expected: " << message;
  } catch (const InputError& error) { EXPECT_EQ(std::string(error.what()).substr(0, message.size()), message); }
}

TEST(TetMesh, VolumeIsSigned) {
  TetMesh mesh = make_one_tet();
  EXPECT_EQ(cell_volume(mesh, 0), 1.0 / 6.0);
  std::swap(mesh.cells[0][1], mesh.cells[0][2]);
  EXPECT_EQ(cell_volume(mesh, 0), -1.0 / 6.0);
}

TEST(TetMesh, BoundaryFacesOutwardsInTheOrderOfCells) {
  const auto one = find_boundary(make_one_tet());
  EXPECT_EQ(one, (std::vector<std::array<std::int32_t, 3>>{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}));
  const TriangleMesh two = test::boundary_surface(make_two_tets());
  EXPECT_EQ(two.triangles.size(), 6u);
  EXPECT_EQ(test::count_edges(two).other, 0);
  // The second tetrahedron has twice the first one's height over the shared facet.
  EXPECT_NEAR(test::volume_of(two), 1.0 / 6.0 + 1.0 / 3.0, 1e-15);
}

TEST(TetMesh, QualityOfACorner) {
  const TetQuality quality = measure_quality(make_one_tet());
  EXPECT_NEAR(quality.smallest_angle_deg, std::atan(std::sqrt(2.0)) * 180.0 / M_PI, 1e-12);
  EXPECT_NEAR(quality.largest_angle_deg, 90.0, 1e-12);
  EXPECT_EQ(quality.smallest_volume_m3, 1.0 / 6.0);
  EXPECT_EQ(quality.shortest_edge_m, 1.0);
  EXPECT_EQ(quality.longest_edge_m, std::sqrt(2.0));
  EXPECT_NEAR(quality.mean_edge_m, 0.5 * (1.0 + std::sqrt(2.0)), 1e-15);
  EXPECT_EQ(quality.vertices, 4u);
  EXPECT_EQ(quality.cells, 1u);
}

TEST(TetMesh, QualityCountsSharedEdgesOnce) {
  const TetQuality quality = measure_quality(make_two_tets());
  // Three edges of 1 and three of sqrt(2) in the first; three of sqrt(2) more in the second.
  EXPECT_NEAR(quality.mean_edge_m, (3.0 + 6.0 * std::sqrt(2.0)) / 9.0, 1e-15);
  EXPECT_NEAR(quality.total_volume_m3, 0.5, 1e-15);
  EXPECT_NEAR(quality.largest_volume_m3, 1.0 / 3.0, 1e-15);
  // The second is regular: acos(1/3) everywhere.
  EXPECT_NEAR(quality.smallest_angle_deg, std::atan(std::sqrt(2.0)) * 180.0 / M_PI, 1e-12);
  EXPECT_EQ(measure_quality({}).longest_edge_m, 0.0);
}

TEST(TetMesh, RegularTetrahedronHasEqualAngles) {
  const TetQuality quality = measure_quality({{{0, 0, 0}, {1, 0, 1}, {1, 1, 0}, {0, 1, 1}}, {{0, 1, 2, 3}}});
  EXPECT_NEAR(quality.smallest_angle_deg, std::acos(1.0 / 3.0) * 180.0 / M_PI, 1e-12);
  EXPECT_NEAR(quality.largest_angle_deg, std::acos(1.0 / 3.0) * 180.0 / M_PI, 1e-12);
}

TEST(TetMesh, GoodMeshesPass) {
  check_tet_mesh(make_one_tet(), "pad.msh");
  check_tet_mesh(make_two_tets(), "pad.msh");
  // A tiny one is not a flat one.
  TetMesh tiny = make_one_tet();
  for (Vec3& p : tiny.vertices) p *= 1e-9;
  check_tet_mesh(tiny, "pad.msh");
}

TEST(TetMesh, NoCellsAreRefused) { expect_mesh_refused({}, "pad.msh: no tetrahedra"); }

TEST(TetMesh, VertexThatIsNotFiniteIsRefused) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    TetMesh mesh = make_one_tet();
    mesh.vertices[2].z() = bad;
    expect_mesh_refused(mesh, "pad.msh: vertex 2 is not a point");
  }
}

TEST(TetMesh, IndexOutOfRangeIsRefused) {
  for (const int bad : {-1, 4}) {
    TetMesh mesh = make_one_tet();
    mesh.cells[0][3] = bad;
    expect_mesh_refused(mesh, "pad.msh: cell 0 (vertices 0, 1, 2, " + std::to_string(bad) + "): vertex " +
                                  std::to_string(bad) + " does not exist, there are 4");
  }
}

TEST(TetMesh, RepeatedVertexIsRefused) {
  TetMesh mesh = make_two_tets();
  mesh.cells[1] = {4, 1, 3, 4};
  expect_mesh_refused(mesh, "pad.msh: cell 1 (vertices 4, 1, 3, 4): vertex 4 stands there twice");
}

TEST(TetMesh, UnusedVertexIsRefused) {
  TetMesh mesh = make_one_tet();
  mesh.vertices.emplace_back(2, 3, 4);
  expect_mesh_refused(mesh, "pad.msh: vertex 4 (2, 3, 4) belongs to no cell");
}

TEST(TetMesh, InvertedCellIsRefused) {
  TetMesh mesh = make_two_tets();
  std::swap(mesh.cells[1][0], mesh.cells[1][1]);
  expect_mesh_refused(mesh, "pad.msh: cell 1 (vertices 1, 4, 3, 2) is inverted: its volume is -0.333 m^3");
}

TEST(TetMesh, FlatCellIsRefused) {
  for (const double height : {0.0, 1e-9, -1e-9}) {
    TetMesh mesh = make_one_tet();
    mesh.vertices[3] = {0.3, 0.3, height};
    expect_mesh_refused(mesh, "pad.msh: cell 0 (vertices 0, 1, 2, 3) is flat");
  }
  TetMesh thin = make_one_tet();
  thin.vertices[3] = {0.3, 0.3, 2e-8};  // 1.2e-9 of the longest edge's cube
  check_tet_mesh(thin, "pad.msh");
  // Coordinates whose products overflow.
  TetMesh huge = make_one_tet();
  for (Vec3& p : huge.vertices) p *= 1e200;
  expect_mesh_refused(huge, "pad.msh: cell 0 (vertices 0, 1, 2, 3) is flat");
}

TEST(TetMesh, FacetOfThreeCellsIsRefused) {
  TetMesh mesh = make_two_tets();
  mesh.vertices.emplace_back(2, 2, 2);
  mesh.cells.push_back({5, 1, 3, 2});
  expect_mesh_refused(mesh, "pad.msh: the facet of vertices 1, 2, 3 is shared by 3 cells, two at most can be: cell 0");
}

TEST(TetMesh, NeighboursOnTheSameSideAreRefused) {
  TetMesh mesh = make_one_tet();
  mesh.vertices.emplace_back(-1, -1, -1);
  mesh.cells.push_back({4, 1, 2, 3});
  expect_mesh_refused(mesh,
                      "pad.msh: cell 0 (vertices 0, 1, 2, 3) and cell 1 (vertices 4, 1, 2, 3) lie on the same side of");
}

}  // namespace
}  // namespace distal
