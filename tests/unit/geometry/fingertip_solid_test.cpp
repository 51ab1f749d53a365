#include <gtest/gtest.h>

#include "distal/geometry/solid.hpp"
#include "mesh_checks.hpp"

namespace distal {
namespace {

constexpr double R = 0.010, r = 0.005, L = 0.008;

Solid make_tip(double edge_m) { return make_fingertip_solid(R, r, L, edge_m); }

TEST(FingertipSolid, DistanceMatchesClosedForms) {
  const auto distance = make_tip(0.001).signed_distance;
  EXPECT_NEAR(distance({0.0, 0.0, 0.012}), 0.002, 1e-17);                       // above the dome
  EXPECT_NEAR(distance({0.0, 0.0, 0.009}), -0.001, 1e-17);                      // under the dome
  EXPECT_NEAR(distance({0.0, 0.0, 0.0055}), -0.0005, 1e-17);                    // above the rod's cap
  EXPECT_NEAR(distance({0.0, 0.0, 0.0}), 0.005, 1e-17);                         // in the rod's cap
  EXPECT_NEAR(distance({0.0, 0.0, -0.001}), 0.005, 1e-17);                      // on the rod's axis
  EXPECT_NEAR(distance({0.0, 0.004, -0.02}), std::hypot(0.001, 0.012), 1e-17);  // below, nearest to the rod's rim
  EXPECT_NEAR(distance({0.0095, 0.0, -0.003}), -0.0005, 1e-17);                 // under the wall
  EXPECT_NEAR(distance({0.0, -0.007, -0.0077}), -0.0003, 1e-17);                // above the annulus
  EXPECT_NEAR(distance({0.0, -0.007, -0.00801}), 0.00001, 1e-17);               // just below the annulus
  EXPECT_NEAR(distance({0.0, -0.007, -0.009}), 0.001, 1e-17);                   // below the annulus
  EXPECT_NEAR(distance({0.013, 0.0, -0.012}), 0.005, 1e-17);                    // off the lower corner
  EXPECT_NEAR(distance({0.0036, 0.0048, 0.008}), 0.0, 1e-17);                   // on the dome
}

TEST(FingertipSolid, DistanceMatchesADenselySampledMeridian) {
  const auto distance = make_tip(0.001).signed_distance;
  std::vector<Eigen::Vector2d> meridian;
  const int n = 20000;
  for (int i = 0; i <= n; ++i) {
    const double t = static_cast<double>(i) / n;
    const Eigen::Vector2d arc(std::cos(0.5 * M_PI * t), std::sin(0.5 * M_PI * t));
    for (const double radius : {R, r}) {
      meridian.emplace_back(radius * arc);
      meridian.emplace_back(radius, -L * t);
    }
    meridian.emplace_back(r + (R - r) * t, -L);
  }
  test::RandomPoints points(0.015);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = points.next();
    const Eigen::Vector2d q(std::hypot(p.x(), p.y()), p.z());
    double expected = 1.0;
    for (const auto& m : meridian) expected = std::min(expected, (q - m).norm());
    const double from_axis = q.y() > 0.0 ? q.norm() : q.x();
    const bool inside = from_axis < R && from_axis > r && q.y() > -L;
    // Samples 0.8 micrometres apart make the distance too long by up to this much (flat and curved part).
    EXPECT_NEAR(std::abs(distance(p)), expected, 8e-14 / expected + 8e-14 / r) << p.transpose();
    EXPECT_EQ(distance(p) < 0.0, inside) << p.transpose();
  }
}

TEST(FingertipSolid, BoundsAreTight) {
  const Solid tip = make_tip(0.001);
  EXPECT_EQ(tip.bounds.min, Vec3(-R, -R, -L));
  EXPECT_EQ(tip.bounds.max, Vec3(R, R, R));
}

TEST(FingertipSolid, SurfaceIsTheSkinAndTheFreeAnnulus) {
  const Solid tip = make_tip(0.0005);
  for (const Vec3& p : tip.surface.vertices) {
    EXPECT_NEAR(tip.signed_distance(p), 0.0, 1e-17) << p.transpose();
    // Not the bonded inner wall.
    EXPECT_GE(p.z() > 0.0 ? p.norm() : std::hypot(p.x(), p.y()), r * (1.0 - 1e-15));
    EXPECT_TRUE(p.z() == -L || p.norm() >= R * (1.0 - 1e-15)) << p.transpose();
  }
  EXPECT_EQ(tip.surface.vertices.front(), Vec3(0.0, 0.0, R));
  const double area = 2.0 * M_PI * R * R + 2.0 * M_PI * R * L + M_PI * (R * R - r * r);
  EXPECT_NEAR(test::total_area(tip.surface) / area, 1.0, 5e-4);
}

TEST(FingertipSolid, SurfaceIsConformingAndOpenOnlyAtTheRod) {
  const TriangleMesh mesh = make_tip(0.001).surface;
  const test::EdgeCount edges = test::count_edges(mesh);
  int rim = 0;
  for (const Vec3& p : mesh.vertices) rim += std::hypot(p.x(), p.y()) < r * (1.0 + 1e-12) && p.z() == -L ? 1 : 0;
  EXPECT_GT(rim, 8);
  EXPECT_EQ(edges.other, rim);
  // A disc: vertices - edges + faces = 1.
  EXPECT_EQ(static_cast<int>(mesh.vertices.size() + mesh.triangles.size()) - edges.paired - edges.other, 1);
}

TEST(FingertipSolid, SurfaceFacesOutwards) {
  const TriangleMesh mesh = make_tip(0.001).surface;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Vec3 centre = (test::corner(mesh, i, 0) + test::corner(mesh, i, 1) + test::corner(mesh, i, 2)) / 3.0;
    const Vec3 outwards = centre.z() > 0.0 ? centre : Vec3(centre.x(), centre.y(), 0.0);
    const bool annulus = centre.z() < -L * (1.0 - 1e-12);
    EXPECT_GT(test::doubled_area(mesh, i).normalized().dot(annulus ? Vec3(-Vec3::UnitZ()) : outwards.normalized()),
              0.9);
  }
}

TEST(FingertipSolid, TrianglesAreEvenForAnyEdge) {
  for (const double edge_m : {0.002, 0.0015, 0.001, 0.0007, 0.0005, 0.0003}) {
    const TriangleMesh mesh = make_tip(edge_m).surface;
    EXPECT_LT(test::largest_area_ratio(mesh), 2.3) << edge_m;
    EXPECT_GT(test::smallest_angle_deg(mesh), 33.0) << edge_m;
    const auto [shortest, longest] = test::edge_range(mesh);
    EXPECT_GT(shortest, 0.6 * edge_m);
    EXPECT_LT(longest, 1.5 * edge_m);
  }
}

TEST(FingertipSolid, SamplesAroundTheApexAreEven) {
  // First contact happens here.
  const double edge_m = 0.0005;
  const TriangleMesh mesh = make_tip(edge_m).surface;
  const auto areas = vertex_areas(mesh);
  double least = 1.0, most = 0.0;
  for (std::size_t i = 0; i < areas.size(); ++i) {
    if ((mesh.vertices[i] - Vec3(0.0, 0.0, R)).norm() > 2.2 * edge_m) continue;
    least = std::min(least, areas[i]);
    most = std::max(most, areas[i]);
  }
  EXPECT_GT(least, 0.0);
  EXPECT_LT(most / least, 1.8);
}

TEST(FingertipSolid, SurfaceMapsOntoItselfByAQuarterTurn) {
  const TriangleMesh mesh = make_tip(0.001).surface;
  const auto areas = vertex_areas(mesh);
  Vec3 first_moment = Vec3::Zero();
  for (std::size_t i = 0; i < areas.size(); ++i) first_moment += areas[i] * mesh.vertices[i];
  EXPECT_LT(std::hypot(first_moment.x(), first_moment.y()), 1e-19);
}

TEST(FingertipSolid, CoarseAndShortTipsStillMesh) {
  for (const double edge_m : {0.004, 0.01, 0.1}) {
    const Solid tip = make_fingertip_solid(R, r, 0.0, edge_m);
    for (const Vec3& p : tip.surface.vertices) EXPECT_NEAR(tip.signed_distance(p), 0.0, 1e-17);
    EXPECT_GT(test::smallest_angle_deg(tip.surface), 10.0);
  }
}

TEST(RodSurface, LiesOnTheRodWithTheRightArea) {
  for (const double length_m : {0.0, 0.003, 0.010}) {
    for (const double edge_m : {r / 5.0, r / 8.0, r / 20.0}) {
      const TriangleMesh mesh = make_rod_surface(r, length_m, edge_m);
      double lowest = 1.0;
      for (const Vec3& p : mesh.vertices) {
        EXPECT_NEAR(p.z() >= 0.0 ? p.norm() : std::hypot(p.x(), p.y()), r, 1e-17);
        lowest = std::min(lowest, p.z());
      }
      EXPECT_EQ(lowest, -length_m);
      const double area = 2.0 * M_PI * r * r + 2.0 * M_PI * r * length_m;
      EXPECT_NEAR(test::total_area(mesh) / area, 1.0, 0.01) << length_m << " " << edge_m;
      EXPECT_LT(test::largest_area_ratio(mesh), 2.5);
      for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Vec3 corner = test::corner(mesh, i, 0);
        EXPECT_GT(test::doubled_area(mesh, i).dot(corner), 0.0);
      }
    }
  }
}

}  // namespace
}  // namespace distal
