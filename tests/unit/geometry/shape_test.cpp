#include "distal/geometry/shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "distal/geometry/solid.hpp"
#include "mesh_checks.hpp"

namespace distal {
namespace {

const BoxShape box{{0.01, 0.02, 0.03}};
const SphereShape sphere{0.015};

void expect_distance(const Shape& shape, const Vec3& p, double value, const Vec3& normal) {
  const Distance d = signed_distance(shape, p);
  EXPECT_NEAR(d.value, value, 1e-16) << p.transpose();
  EXPECT_LT((d.normal - normal).norm(), 1e-14) << p.transpose() << " gives " << d.normal.transpose();
}

TEST(Shape, PlaneIsSolidBelowItsZeroHeight) {
  expect_distance(PlaneShape{}, {3.0, -2.0, 0.004}, 0.004, Vec3::UnitZ());
  expect_distance(PlaneShape{}, {3.0, -2.0, -0.004}, -0.004, Vec3::UnitZ());
}

TEST(Shape, SphereDistanceIsRadial) {
  expect_distance(sphere, {0.03, 0.0, 0.04}, 0.035, {0.6, 0.0, 0.8});
  expect_distance(sphere, {0.0, -0.01, 0.0}, -0.005, -Vec3::UnitY());
  expect_distance(sphere, Vec3::Zero(), -0.015, Vec3::UnitZ());
  expect_distance(sphere, {1e-200, 0.0, 0.0}, -0.015, Vec3::UnitX());
}

TEST(Shape, BoxOutsideMeasuresToFaceEdgeAndCorner) {
  expect_distance(box, {-0.013, 0.005, 0.0}, 0.003, -Vec3::UnitX());
  expect_distance(box, {0.013, 0.024, -0.02}, 0.005, {0.6, 0.8, 0.0});
  expect_distance(box, {0.012, -0.022, 0.031}, 0.003, Vec3(2.0, -2.0, 1.0) / 3.0);
}

TEST(Shape, BoxInsideTakesTheNearestFaceAndTheLowestAxisOfATie) {
  expect_distance(box, {0.0, 0.0, -0.028}, -0.002, -Vec3::UnitZ());
  expect_distance(box, {0.0, 0.015, 0.0}, -0.005, Vec3::UnitY());
  expect_distance(box, Vec3::Zero(), -0.01, Vec3::UnitX());
  const BoxShape cube{Vec3::Constant(0.5)};
  expect_distance(cube, {0.25, -0.25, 0.25}, -0.25, Vec3::UnitX());
  expect_distance(cube, {0.0, -0.25, 0.25}, -0.25, -Vec3::UnitY());
}

TEST(Shape, UnionIsThePartThatIsNearestOrDeepest) {
  // A sphere beside a box that is turned by a quarter about z, so that its short side lies along y.
  const UnionShape both{
      {{PointMap(Pose{{-0.04, 0.0, 0.0}, Quat::Identity()}), sphere},
       {PointMap(Pose{{0.03, 0.0, 0.0}, Quat(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vec3::UnitZ()))}), box}}};
  expect_distance(both, {-0.06, 0.0, 0.0}, 0.005, -Vec3::UnitX());
  expect_distance(both, {0.03, 0.012, 0.0}, 0.002, Vec3::UnitY());
  expect_distance(both, {0.03, -0.009, 0.0}, -0.001, -Vec3::UnitY());
  EXPECT_NEAR(turning_reach(both), 0.03 + box.half_size_m.norm(), 1e-15);
  const UnionShape apart{{{PointMap(Pose{{0.0, 0.0, 0.05}, Quat::Identity()}), sphere}}};
  EXPECT_NEAR(turning_reach(apart), 0.065, 1e-15);
}

TEST(Shape, BoxSurfaceHasAUnitNormal) {
  expect_distance(box, {0.01, 0.0, 0.0}, 0.0, Vec3::UnitX());
  expect_distance(box, {0.01, 0.02, 0.03}, 0.0, Vec3::UnitX());
  expect_distance(box, {0.0, 0.0, -0.03}, 0.0, -Vec3::UnitZ());
}

TEST(Shape, NormalIsTheGradientOfTheDistance) {
  for (const Shape& shape : {Shape(PlaneShape{}), Shape(sphere), Shape(box)}) {
    test::RandomPoints points(0.05);
    const double h = 1e-7;
    int checked = 0;
    for (int i = 0; i < 2000; ++i) {
      const Vec3 p = points.next();
      const Distance d = signed_distance(shape, p);
      ASSERT_NEAR(d.normal.norm(), 1.0, 1e-14);
      Vec3 gradient, curvature;
      for (int axis = 0; axis < 3; ++axis) {
        const double ahead = signed_distance(shape, p + h * Vec3::Unit(axis)).value;
        const double behind = signed_distance(shape, p - h * Vec3::Unit(axis)).value;
        gradient[axis] = (ahead - behind) / (2.0 * h);
        curvature[axis] = (ahead + behind - 2.0 * d.value) / h;
      }
      // Within h of a ridge (where the nearest face changes) there is no gradient to compare with.
      if (curvature.cwiseAbs().maxCoeff() > 1e-3) continue;
      EXPECT_LT((gradient - d.normal).norm(), 1e-5) << p.transpose();
      // One step back along the normal lies on the surface.
      EXPECT_NEAR(signed_distance(shape, p - d.value * d.normal).value, 0.0, 1e-15);
      ++checked;
    }
    EXPECT_GT(checked, 1950);
  }
}

TEST(Shape, VolumeAndInertiaMatchClosedForms) {
  EXPECT_NEAR(find_solid_mass(sphere).volume_m3, 1.4137166941154069e-5, 1e-19);
  EXPECT_NEAR(find_solid_mass(box).volume_m3, 4.8e-5, 1e-19);
  const Mat3 of_sphere = Vec3::Constant(9e-5).asDiagonal(), of_box = (Vec3(13e-4, 10e-4, 5e-4) / 3.0).asDiagonal();
  EXPECT_LT((find_solid_mass(sphere).inertia_per_mass_m2 - of_sphere).norm(), 1e-18);
  EXPECT_LT((find_solid_mass(box).inertia_per_mass_m2 - of_box).norm(), 1e-18);
}

TEST(ShapeDeathTest, PlaneHasNoVolume) { EXPECT_DEATH(find_solid_mass(PlaneShape{}), "internal error"); }

TEST(Shape, MeshesAreClosedAndFaceOutwards) {
  const TriangleMesh ball = make_shape_mesh(sphere, 1.0);
  EXPECT_EQ(test::count_edges(ball).other, 0);
  EXPECT_NEAR(test::volume_of(ball) / find_solid_mass(sphere).volume_m3, 1.0, 0.01);
  for (const Vec3& p : ball.vertices) EXPECT_NEAR(p.norm(), sphere.radius_m, 1e-16);

  const TriangleMesh brick = make_shape_mesh(box, 1.0);
  EXPECT_EQ(brick.triangles.size(), 12u);
  EXPECT_EQ(brick.vertices.size(), 8u);
  EXPECT_EQ(test::count_edges(brick).other, 0);
  EXPECT_NEAR(test::volume_of(brick), find_solid_mass(box).volume_m3, 1e-18);

  const TriangleMesh square = make_shape_mesh(PlaneShape{}, 0.25);
  EXPECT_NEAR(test::total_area(square), 0.25, 1e-15);
  for (std::size_t i = 0; i < square.triangles.size(); ++i) {
    EXPECT_GT(test::doubled_area(square, i).z(), 0.0);
    EXPECT_EQ(square.vertices[i].z(), 0.0);
  }
}

TEST(Shape, ANeedleIsDrawnWithAsFewTrianglesAsARod) {
  for (const double radius_m : {1e-3, 1e-6, 1e-12}) {
    for (const Shape& shape : {Shape(CapsuleShape{radius_m, 0.01}), Shape(CylinderShape{radius_m, 0.01})}) {
      const TriangleMesh mesh = make_shape_mesh(shape, 0.0);
      EXPECT_LT(mesh.triangles.size(), 30000U) << radius_m;
      double top_m = 0.0;
      for (const Vec3& vertex : mesh.vertices) top_m = std::max(top_m, vertex.z());
      EXPECT_NEAR(top_m, 0.01, 1.001 * radius_m);
    }
  }
  EXPECT_LT(make_drawn_rod(1e-9, 0.03).triangles.size(), 30000U);
}

}  // namespace
}  // namespace distal
