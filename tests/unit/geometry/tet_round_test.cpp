#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <numbers>

#include "distal/core/error.hpp"
#include "distal/geometry/tet_shapes.hpp"
#include "mesh_checks.hpp"
#include "tet_checks.hpp"

namespace distal {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double radius = 0.012;
constexpr double height = 0.03;

// A shape, with what is known of it in closed form.
struct RoundCase {
  const char* name;
  std::function<TetMesh(double edge_m)> make;
  double volume_m3;
  double rings_per_edge;                                // distance of two rings over edge_m
  std::function<double(const Vec3&)> surface_distance;  // [m]
};

double cylinder_distance(const Vec3& p) {
  const double side = std::hypot(p.x(), p.y()) - radius;
  const double end = std::abs(p.z()) - 0.5 * height;
  return std::max(side, end);
}

double capsule_distance(const Vec3& p) {
  const double beyond = std::max(0.0, std::abs(p.z()) - 0.5 * height);
  return std::sqrt(p.x() * p.x() + p.y() * p.y() + beyond * beyond) - radius;
}

const double ball_volume = 4.0 / 3.0 * pi * radius * radius * radius;
const double straight_volume = pi * radius * radius * height;

const RoundCase round_cases[] = {
    {"cylinder", [](double edge) { return make_cylinder_mesh(radius, height, edge); }, straight_volume, 0.67,
     cylinder_distance},
    {"sphere", [](double edge) { return make_sphere_mesh(radius, edge); }, ball_volume, 0.6,
     [](const Vec3& p) { return p.norm() - radius; }},
    {"capsule", [](double edge) { return make_capsule_mesh(radius, height, edge); }, straight_volume + ball_volume, 0.6,
     capsule_distance},
};

class RoundMesh : public testing::TestWithParam<RoundCase> {};
INSTANTIATE_TEST_SUITE_P(Shapes, RoundMesh, testing::ValuesIn(round_cases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(RoundMesh, IsGood) {
  for (const double edge : {0.015, 0.005, 0.003, 0.0017}) {
    const TetMesh mesh = GetParam().make(edge);
    check_tet_mesh(mesh, GetParam().name);
    const TriangleMesh surface = test::boundary_surface(mesh);
    EXPECT_EQ(test::count_edges(surface).other, 0);
    // Cells that overlap would add up to more than their boundary encloses.
    EXPECT_NEAR(test::sum_of_volumes(mesh), test::volume_of(surface), 1e-12 * GetParam().volume_m3);
  }
}

TEST_P(RoundMesh, AnglesAndEdgesStayInTheirRange) {
  for (const double edge : {0.006, 0.004, 0.0025, 0.0015, 0.001}) {
    const TetQuality quality = measure_quality(GetParam().make(edge));
    EXPECT_GT(quality.smallest_angle_deg, 25.0) << edge;
    EXPECT_LT(quality.largest_angle_deg, 138.0) << edge;
    EXPECT_GT(quality.shortest_edge_m, edge / 1.8);
    EXPECT_LT(quality.longest_edge_m, edge * 1.8);
    EXPECT_NEAR(quality.mean_edge_m, edge, 0.15 * edge);
    RecordProperty(fmt::format("edge_{}", edge),
                   fmt::format("angles {:.1f} to {:.1f}, edges {:.2f} to {:.2f}, mean {:.2f}, {} cells",
                               quality.smallest_angle_deg, quality.largest_angle_deg, quality.shortest_edge_m / edge,
                               quality.longest_edge_m / edge, quality.mean_edge_m / edge, quality.cells));
  }
}

TEST_P(RoundMesh, BoundaryLiesOnTheTrueSurface) {
  const TetMesh mesh = GetParam().make(0.003);
  std::vector<bool> outside(mesh.vertices.size(), false);
  for (const auto& facet : find_boundary(mesh)) {
    for (const std::int32_t v : facet) outside[v] = true;
  }
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const double distance = GetParam().surface_distance(mesh.vertices[v]);
    if (outside[v]) {
      EXPECT_NEAR(distance, 0.0, 1e-16);
    } else {
      EXPECT_LT(distance, -0.001);
    }
  }
}

TEST_P(RoundMesh, MirrorsBitForBit) {
  for (const double edge : {0.004, 0.0023}) {
    const TetMesh mesh = GetParam().make(edge);
    for (int axis = 0; axis < 3; ++axis) EXPECT_TRUE(test::is_mirror_symmetric(mesh, axis)) << axis;
  }
}

TEST_P(RoundMesh, VolumeConvergesWithTheSquareOfTheEdge) {
  const auto error = [&](double edge) {
    return 1.0 - test::sum_of_volumes(GetParam().make(edge)) / GetParam().volume_m3;
  };
  // Edges that make the rings 4, 8 and 16.
  const double coarse = error(radius / 4 / GetParam().rings_per_edge);
  const double middle = error(radius / 8 / GetParam().rings_per_edge);
  const double fine = error(radius / 16 / GetParam().rings_per_edge);
  RecordProperty("relative_volume_error",
                 fmt::format("{:.2f} % at 8 rings, {:.2f} % at 16", 100.0 * middle, 100.0 * fine));
  EXPECT_GT(fine, 0.0);
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(std::log2(coarse / middle), 2.0, 0.1);
  EXPECT_NEAR(std::log2(middle / fine), 2.0, 0.05);
}

TEST(RoundMeshInput, BadSizesAreRefused) {
  EXPECT_THROW(make_cylinder_mesh(0.0, 1.0, 0.1), InputError);
  EXPECT_THROW(make_cylinder_mesh(1.0, -1.0, 0.1), InputError);
  EXPECT_THROW(make_capsule_mesh(1.0, 0.0, 0.1), InputError);
  EXPECT_THROW(make_sphere_mesh(1.0, std::nan("")), InputError);
  EXPECT_THROW(make_sphere_mesh(1.0, 1e-3), InputError);
  EXPECT_THROW(make_cylinder_mesh(1.0, 1e300, 1e-300), InputError);
}

}  // namespace
}  // namespace distal
