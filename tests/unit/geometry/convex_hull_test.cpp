#include "distal/geometry/convex_hull.hpp"

#include <gmock/gmock.h>

#include "convex_shapes.hpp"
#include "distal/core/error.hpp"
#include "distal/geometry/box_mesh.hpp"
#include "distal/geometry/mesh_quadric.hpp"
#include "polytope_reference.hpp"

namespace distal {
namespace {

using ::testing::HasSubstr;

std::string refusal(TriangleMesh mesh) {
  try {
    const ConvexHull hull(std::move(mesh));
  } catch (const InputError& error) { return error.what(); }
  return "accepted";
}

TEST(ConvexHull, ABoxOfManyTrianglesHasSixFacesTwelveEdgesAndEightCorners) {
  // Off the origin and turned, so that nothing lies along the axes.
  const Pose pose{{0.03, -0.01, 0.02}, Quat(0.9, 0.3, -0.2, 0.1).normalized()};
  const ConvexHull hull(moved(make_box_mesh({0.02, 0.03, 0.05}, 0.002), pose));
  EXPECT_EQ(hull.faces().size(), 6U);
  EXPECT_EQ(hull.edges().size(), 12U);
  EXPECT_EQ(hull.vertices().size(), 8U);
  for (const ConvexHull::Face& face : hull.faces()) {
    EXPECT_EQ(face.count, 4);
    for (const Vec3& v : hull.vertices()) EXPECT_LE(face.normal.dot(v), face.offset_m + 1e-15);
  }
  EXPECT_NEAR(hull.mass().volume_m3, 3e-5, 1e-17);
  EXPECT_LT((hull.mass().centre_m - pose.position).norm(), 1e-15);
  const Mat3 r = pose.q.toRotationMatrix(), own = (Vec3(34.0, 29.0, 13.0) * 1e-4 / 12.0).asDiagonal();
  EXPECT_LT((hull.mass().inertia_per_mass_m2 - r * own * r.transpose()).norm(), 1e-16);
}

TEST(ConvexHull, DistanceOfABoxMeshIsThatOfTheBox) {
  const ConvexShape mesh = make_convex(make_box_mesh({0.02, 0.04, 0.06}, 0.01));
  const BoxShape box{{0.01, 0.02, 0.03}};
  RandomPoses random(5);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = 0.05 * random.vector();
    const Distance expected = signed_distance(box, p), found = signed_distance(mesh, p);
    ASSERT_NEAR(found.value, expected.value, 1e-15) << p.transpose();
    ASSERT_LT((found.normal - expected.normal).norm(), 1e-9) << p.transpose();
  }
}

TEST(ConvexHull, SupportsAreTheFarthestVertices) {
  RandomPoses random(6);
  const ConvexHull hull(make_pebble(random, 600, {0.01, 0.02, 0.03}));
  EXPECT_GT(hull.vertices().size(), 500U);
  // Euler: closed and without holes.
  EXPECT_EQ(hull.vertices().size() + hull.faces().size(), hull.edges().size() + 2);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 n = random.turn() * Vec3::UnitX();
    double most = -1e300;
    for (const Vec3& v : hull.mesh().vertices) most = std::max(most, n.dot(v));
    ASSERT_NEAR(n.dot(hull.vertices()[static_cast<std::size_t>(hull.find_support(n))]), most, 1e-9);
  }
}

TEST(ConvexHull, MeshesThatAreNoConvexSolidsAreRefused) {
  TriangleMesh open = make_box_mesh(Vec3::Ones(), 1.0);
  open.triangles.pop_back();
  EXPECT_THAT(refusal(open), HasSubstr("not closed: 3 edges"));
  TriangleMesh inward = make_box_mesh(Vec3::Ones(), 1.0);
  for (auto& t : inward.triangles) std::swap(t[0], t[1]);
  EXPECT_THAT(refusal(inward), HasSubstr("face inwards"));
  TriangleMesh flat = make_box_mesh(Vec3::Ones(), 1.0);
  for (Vec3& v : flat.vertices) v.z() = 0.0;
  EXPECT_THAT(refusal(flat), HasSubstr("flat"));
  // A dent in the middle of the upper face: 2 % of the diagonal is too much, 0.5 % is not.
  TriangleMesh dented = make_box_mesh(Vec3::Ones(), 0.5);
  for (Vec3& v : dented.vertices)
    if (v.isApprox(Vec3(0.0, 0.0, 0.5))) v.z() -= 0.02 * std::sqrt(3.0);
  EXPECT_THAT(refusal(dented), HasSubstr("not convex: at (0, 0, 0.4654) m it lies 0.0346 m below its hull, allowed: "
                                         "0.0173 m"));
  EXPECT_THAT(refusal(dented), HasSubstr("several [part.NAME]"));
  for (Vec3& v : dented.vertices)
    if (v.head<2>().norm() == 0.0 && v.z() > 0.0) v.z() = 0.5 - 0.005 * std::sqrt(3.0);
  EXPECT_EQ(refusal(dented), "accepted");
  EXPECT_EQ(ConvexHull(dented).faces().size(), 6U);
}

TEST(ConvexHull, CurvatureComesFromAFineMeshAndFacesAreFlatOnACoarseOne) {
  const double r = 0.02;
  const ConvexShape ball = make_convex(make_shape_mesh(SphereShape{r}, 1.0));
  const Vec3 p = r * Vec3(0.6, 0.0, 0.8);
  MeshQuadrics quadrics;
  for (const double radius : {0.0, 0.3 * r}) {  // the first is widened to what the mesh can tell
    const MeshQuadric fitted = quadrics.find(*ball.hull, p, radius);
    EXPECT_NEAR(2.0 * r * fitted.quadric.a, 1.0, 0.03);
    EXPECT_NEAR(2.0 * r * fitted.quadric.b, 1.0, 0.03);
    EXPECT_GT(fitted.standard_deviation_m, 0.0);
    EXPECT_LT(fitted.standard_deviation_m, 1e-3 * r);
  }
  const ConvexShape box = make_convex(make_box_mesh(Vec3::Ones(), 1.0));
  EXPECT_EQ(quadrics.find(*box.hull, {0.1, 0.2, 0.5}, 0.1).quadric.curvature().norm(), 0.0);
}

TEST(Cylinder, DistanceMassAndCurvature) {
  const CylinderShape can{0.02, 0.05};
  const auto expect = [&](const Vec3& p, double value, const Vec3& normal) {
    const Distance d = signed_distance(can, p);
    EXPECT_NEAR(d.value, value, 1e-16) << p.transpose();
    EXPECT_LT((d.normal - normal).norm(), 1e-14) << p.transpose();
  };
  expect({0.03, 0.04, 0.01}, 0.03, {0.6, 0.8, 0.0});
  expect({0.0, 0.01, -0.07}, 0.02, -Vec3::UnitZ());
  expect({0.023, 0.0, 0.054}, 0.005, {0.6, 0.0, 0.8});
  expect({0.0, 0.015, 0.0}, -0.005, Vec3::UnitY());
  expect({0.0, 0.001, 0.049}, -0.001, Vec3::UnitZ());
  expect(Vec3::Zero(), -0.02, Vec3::UnitX());
  // Against its own mesh, whose chords lie a little inside.
  const SolidMass exact = find_solid_mass(can), mesh = find_solid_mass(make_shape_mesh(can, 1.0));
  EXPECT_NEAR(exact.volume_m3, 4e-5 * std::numbers::pi, 1e-18);
  EXPECT_NEAR(mesh.volume_m3 / exact.volume_m3, 1.0, 0.005);
  EXPECT_LT((mesh.inertia_per_mass_m2 - exact.inertia_per_mass_m2).norm(), 0.005 * exact.inertia_per_mass_m2.norm());
  EXPECT_NEAR(turning_reach(can), std::hypot(0.02, 0.05), 1e-16);
  const SurfaceQuadric side = find_shape_quadric(can, {0.012, 0.016, 0.03});
  EXPECT_LT((side.normal - Vec3(0.6, 0.8, 0.0)).norm(), 1e-14);
  EXPECT_NEAR(2.0 * side.b, 50.0, 1e-12);
  EXPECT_EQ(side.a, 0.0);
  EXPECT_EQ(find_shape_quadric(can, {0.012, 0.01, 0.05}).curvature().norm(), 0.0);
}

}  // namespace
}  // namespace distal
