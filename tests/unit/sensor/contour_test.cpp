#include "distal/sensor/contour.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "distal/geometry/box_mesh.hpp"
#include "distal/geometry/revolution_mesh.hpp"
#include "distal/geometry/shape.hpp"

namespace distal {
namespace {

double length_of(const Polyline& line) {
  double sum = 0.0;
  for (std::size_t i = 1; i < line.size(); ++i) sum += (line[i] - line[i - 1]).norm();
  return sum;
}

TEST(Contour, OfABallIsACircle) {
  const TriangleMesh ball = make_shape_mesh(SphereShape{0.01}, 0.0);
  for (const Vec3& normal : {Vec3(0.0, 0.0, 1.0), Vec3(0.3, -0.4, 0.5)}) {
    const auto lines = find_contour(ball, Vec3(0.0, 0.0, 0.0), normal);
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].front(), lines[0].back());
    // A polygon is shorter than its circle.
    EXPECT_LT(length_of(lines[0]), 2.0 * std::numbers::pi * 0.01);
    EXPECT_GT(length_of(lines[0]), 0.97 * 2.0 * std::numbers::pi * 0.01);
    for (const Vec3& point : lines[0]) EXPECT_NEAR(point.dot(normal), 0.0, 1e-15);
  }
  EXPECT_TRUE(find_contour(ball, Vec3(0.0, 0.0, 0.011), Vec3(0.0, 0.0, 1.0)).empty());
}

// The plane runs along edges and through vertices of the mesh.
TEST(Contour, AlongEdgesIsWhole) {
  TriangleMesh box;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0})
      for (const double z : {-1.0, 1.0}) box.vertices.emplace_back(x, y, z);
  const auto quad = [&](std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
    box.triangles.push_back({a, b, c});
    box.triangles.push_back({a, c, d});
  };
  for (const std::int32_t k : {0, 2}) {
    quad(k, k + 1, k + 3, k + 2);      // x = -1
    quad(k + 6, k + 8, k + 9, k + 7);  // x = 1
    quad(k, k + 2, k + 8, k + 6);      // z = -1
    quad(k + 1, k + 7, k + 9, k + 3);  // z = 1
  }
  quad(0, 6, 7, 1);    // y = -1
  quad(4, 5, 11, 10);  // y = 1
  const auto lines = find_contour(box, Vec3::Zero(), Vec3::UnitY());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NEAR(length_of(lines[0]), 8.0, 1e-12);
  EXPECT_EQ(lines[0].front(), lines[0].back());
  // Without its end at y = 1 the box is cut along x = 0 into a line that does not close.
  box.triangles.resize(box.triangles.size() - 2);
  const auto open = find_contour(box, Vec3(0.5, 0.0, 0.0), Vec3::UnitX());
  ASSERT_EQ(open.size(), 1u);
  EXPECT_NEAR(length_of(open[0]), 6.0, 1e-12);
}

}  // namespace
}  // namespace distal
