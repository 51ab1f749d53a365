#include <gtest/gtest.h>

#include "distal/core/error.hpp"
#include "distal/geometry/closed_mesh.hpp"
#include "distal/geometry/mesh_distance.hpp"
#include "distal/geometry/shape.hpp"
#include "distal/geometry/solid.hpp"
#include "mesh_checks.hpp"

namespace distal {
namespace {

const BoxShape brick{{0.01, 0.012, 0.015}};

std::string refusal(const TriangleMesh& mesh, double rod_radius_m = 0.0) {
  try {
    make_mesh_solid(mesh, rod_radius_m, 0.002);
  } catch (const InputError& error) { return error.what(); }
  return "accepted";
}

// An L cut from a box: an inner edge and sharp outer ones. Solid in 0..2 x 0..2 without 1..2 x 1..2, height 0..1.
TriangleMesh make_bracket() {
  TriangleMesh mesh;
  const double outline[6][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  for (const double z : {0.0, 1.0}) {
    for (const auto& p : outline) mesh.vertices.emplace_back(p[0], p[1], z);
  }
  for (int i = 0; i < 6; ++i) {
    const int j = (i + 1) % 6;
    mesh.triangles.push_back({i, j, j + 6});
    mesh.triangles.push_back({i, j + 6, i + 6});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + 6, b + 6, c + 6});
  }
  return mesh;
}

double bracket_distance(const Vec3& p) {
  const auto slab = [](const Vec3& q, const Vec3& low, const Vec3& high) {
    return signed_distance(BoxShape{0.5 * (high - low)}, q - 0.5 * (low + high)).value;
  };
  const double outside = std::min(slab(p, {0, 0, 0}, {2, 1, 1}), slab(p, {0, 0, 0}, {1, 2, 1}));
  if (outside > 0.0) return outside;
  // Inside: the nearest of the faces of the whole box and of the notch.
  return std::max(slab(p, {0, 0, 0}, {2, 2, 1}), -slab(p, {1, 1, -9}, {9, 9, 9}));
}

TEST(MeshDistance, MatchesTheExactBox) {
  const MeshDistance distance(make_shape_mesh(brick, 1.0));
  test::RandomPoints points(0.03);
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p = points.next();
    EXPECT_NEAR(distance.signed_distance(p), signed_distance(brick, p).value, 1e-16) << p.transpose();
  }
}

TEST(MeshDistance, SignHoldsOffEdgesAndCorners) {
  const MeshDistance distance(make_bracket());
  // Straight off a corner, an outer edge and the inner edge, where the face normals disagree.
  EXPECT_NEAR(distance.signed_distance({-1, -1, 2}), std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(distance.signed_distance({3, 2, 0.5}), std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(distance.signed_distance({0.9, 0.9, 0.5}), -std::sqrt(0.02), 1e-15);
  EXPECT_NEAR(distance.signed_distance({1.2, 1.1, 0.5}), 0.1, 1e-15);
  test::RandomPoints points(2.5);
  for (int i = 0; i < 5000; ++i) {
    const Vec3 p = points.next() + Vec3(1.0, 1.0, 0.5);
    ASSERT_NEAR(distance.signed_distance(p), bracket_distance(p), 1e-14) << p.transpose();
  }
}

TEST(MeshDistance, SignHoldsAroundASharpSpikeCutIntoSlivers) {
  // A thin tetrahedron; one face is a fan of slivers at the spike, which must not outweigh the other faces there.
  const Vec3 spike(0.0, 0.0, 0.0), a(1.0, 0.0, 0.0), b(1.0, 0.2, 0.0), c(1.0, 0.02, 0.1);
  TriangleMesh mesh{{spike, a, b, c}, {{0, 1, 3}, {0, 3, 2}}};
  const int slivers = 40;
  std::int32_t previous = 1;
  for (int i = 1; i <= slivers; ++i) {
    const auto next = i == slivers ? 2 : static_cast<std::int32_t>(mesh.vertices.size());
    if (i < slivers) mesh.vertices.push_back(a + (b - a) * i / slivers);
    mesh.triangles.push_back({0, next, previous});
    mesh.triangles.push_back({3, previous, next});
    previous = next;
  }
  ASSERT_EQ(test::count_edges(mesh).other, 0);
  ASSERT_GT(test::volume_of(mesh), 0.0);
  const MeshDistance distance(mesh);
  const std::array<std::array<Vec3, 3>, 4> faces{{{spike, a, c}, {spike, c, b}, {spike, b, a}, {a, b, c}}};
  test::RandomPoints points(0.3);
  int inside_count = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec3 p = points.next() + Vec3(i % 2 == 0 ? 0.0 : 0.9, 0.05, 0.0);
    bool inside = true;
    for (const auto& [u, v, w] : faces) inside = inside && (v - u).cross(w - u).dot(p - u) < 0.0;
    ASSERT_EQ(distance.signed_distance(p) < 0.0, inside) << p.transpose();
    inside_count += inside ? 1 : 0;
  }
  EXPECT_GT(inside_count, 100);
}

TEST(MeshDistance, TreeFindsTheSameAsTheFinestMesh) {
  // The distance does not depend on how a shape is cut into triangles.
  const MeshDistance coarse(make_bracket());
  const MeshDistance fine(split_long_edges(make_bracket(), 0.1));
  test::RandomPoints points(2.0);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = points.next();
    ASSERT_NEAR(fine.signed_distance(p), coarse.signed_distance(p), 1e-14) << p.transpose();
  }
}

TEST(MeshDistance, ATriangleWithoutAreaDoesNotConfuseTheSign) {
  // The middle of one edge becomes a vertex, and a flat triangle closes the slit.
  TriangleMesh mesh = make_shape_mesh(BoxShape{Vec3::Ones()}, 1.0);
  const auto t = mesh.triangles.front();
  const auto middle = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.push_back(0.5 * (mesh.vertices[t[0]] + mesh.vertices[t[1]]));
  mesh.triangles.front() = {t[0], middle, t[2]};
  mesh.triangles.push_back({middle, t[1], t[2]});
  mesh.triangles.push_back({t[0], t[1], middle});
  ASSERT_EQ(test::count_edges(mesh).other, 0);
  const MeshDistance distance(mesh);
  test::RandomPoints points(2.0);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 p = points.next();
    ASSERT_NEAR(distance.signed_distance(p), signed_distance(BoxShape{Vec3::Ones()}, p).value, 1e-14) << p.transpose();
  }
}

TEST(ClosedMesh, SplittingKeepsShapeAndClosednessAndBoundsEveryEdge) {
  const TriangleMesh mesh = split_long_edges(make_bracket(), 0.3);
  EXPECT_EQ(test::count_edges(mesh).other, 0);
  EXPECT_EQ(count_open_edges(mesh), 0u);
  EXPECT_NEAR(test::volume_of(mesh), 3.0, 1e-14);
  EXPECT_NEAR(enclosed_volume(mesh), 3.0, 1e-14);
  EXPECT_NEAR(test::total_area(mesh), 14.0, 1e-13);
  const auto [shortest, longest] = test::edge_range(mesh);
  EXPECT_LE(longest, 0.3);
  EXPECT_GT(shortest, 0.07);
  EXPECT_GT(test::smallest_angle_deg(mesh), 18.0);
  for (const Vec3& p : mesh.vertices) EXPECT_NEAR(bracket_distance(p), 0.0, 1e-15);
}

TEST(ClosedMesh, SplittingLeavesAFineMeshAlone) {
  const TriangleMesh mesh = make_bracket();
  EXPECT_EQ(split_long_edges(mesh, 3.0).triangles, mesh.triangles);
}

TEST(MeshSolid, WithoutRodItIsTheMeshItself) {
  const Solid solid = make_mesh_solid(make_shape_mesh(brick, 1.0), 0.0, 0.002);
  EXPECT_EQ(solid.bounds.min, -brick.half_size_m);
  EXPECT_EQ(solid.bounds.max, brick.half_size_m);
  EXPECT_EQ(test::count_edges(solid.surface).other, 0);
  EXPECT_LE(test::edge_range(solid.surface).second, 0.002);
  EXPECT_NEAR(solid.signed_distance({0.0, 0.0, 0.0}), -0.01, 1e-17);
}

TEST(MeshSolid, TheRodIsTakenAway) {
  const double r = 0.004;
  const Solid solid = make_mesh_solid(make_shape_mesh(brick, 1.0), r, 0.0005);
  EXPECT_NEAR(solid.signed_distance({0.0, 0.0, 0.0}), 0.004, 1e-17);
  EXPECT_NEAR(solid.signed_distance({0.0, 0.001, -0.01}), 0.003, 1e-17);
  EXPECT_NEAR(solid.signed_distance({0.0, 0.0, 0.005}), -0.001, 1e-17);
  EXPECT_NEAR(solid.signed_distance({0.0, 0.0, 0.014}), -0.001, 1e-17);
  EXPECT_NEAR(solid.signed_distance({0.005, 0.0, -0.01}), -0.001, 1e-17);
  EXPECT_NEAR(solid.signed_distance({0.0, 0.0, 0.017}), 0.002, 1e-17);
  // The lower face has a hole, of the rod's size to within one edge; nothing else is missing.
  for (const Vec3& p : solid.surface.vertices) {
    EXPECT_TRUE(p.z() > 0.0 || std::hypot(p.x(), p.y()) >= r * (1.0 - 1e-8)) << p.transpose();
  }
  const double missing = test::total_area(make_shape_mesh(brick, 1.0)) - test::total_area(solid.surface);
  EXPECT_GT(missing, M_PI * r * r);
  EXPECT_LT(missing, M_PI * std::pow(r + 0.0005, 2));
}

TEST(MeshSolid, AgreesWithTheFingertipInsideTheRubber) {
  // A closed skin of the same finger: dome and wall, and a disc below.
  const double R = 0.01, r = 0.005, L = 0.01;
  TriangleMesh mesh = make_rod_surface(R, L, 0.0005);
  std::vector<std::pair<double, std::int32_t>> rim;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& p = mesh.vertices[i];
    if (p.z() == -L) rim.emplace_back(std::atan2(p.y(), p.x()), static_cast<std::int32_t>(i));
  }
  std::sort(rim.begin(), rim.end());
  const auto centre = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.emplace_back(0.0, 0.0, -L);
  for (std::size_t i = 0; i < rim.size(); ++i) {
    mesh.triangles.push_back({rim[(i + 1) % rim.size()].second, rim[i].second, centre});
  }
  const Solid from_mesh = make_mesh_solid(mesh, r, 0.0007);
  const Solid exact = make_fingertip_solid(R, r, L, 0.001);
  test::RandomPoints points(R);
  int inside = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p = points.next();
    if (exact.signed_distance(p) > 0.0) continue;
    ++inside;
    // The facets lie up to 5 micrometres under the true skin.
    EXPECT_NEAR(from_mesh.signed_distance(p), exact.signed_distance(p), 6e-6) << p.transpose();
  }
  EXPECT_GT(inside, 800);
}

TEST(MeshSolid, TakesSliversThatSeemToTouchTheirNeighbours) {
  TriangleMesh mesh = make_bracket();
  const auto t = mesh.triangles.front();
  const auto middle = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.push_back(0.5 * (mesh.vertices[t[0]] + mesh.vertices[t[1]]));
  mesh.triangles.front() = {t[0], middle, t[2]};
  mesh.triangles.push_back({middle, t[1], t[2]});
  mesh.triangles.push_back({t[0], t[1], middle});
  for (Vec3& p : mesh.vertices) p *= 0.01;
  EXPECT_EQ(refusal(mesh), "accepted");
}

TEST(MeshSolid, RefusesMeshesThatEncloseNothing) {
  EXPECT_NE(refusal({}).find("empty"), std::string::npos);

  TriangleMesh open = make_bracket();
  open.triangles.pop_back();
  EXPECT_NE(refusal(open).find("3 open edges"), std::string::npos) << refusal(open);

  TriangleMesh one_flipped = make_bracket();
  std::swap(one_flipped.triangles[0][0], one_flipped.triangles[0][1]);
  EXPECT_NE(refusal(one_flipped).find("3 open edges"), std::string::npos) << refusal(one_flipped);

  TriangleMesh inside_out = make_bracket();
  for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
  EXPECT_NE(refusal(inside_out).find("inside-out"), std::string::npos) << refusal(inside_out);

  TriangleMesh twice = make_bracket();
  for (const Vec3& p : make_bracket().vertices) twice.vertices.push_back(p + Vec3(0.3, 0.4, 0.5));
  for (const auto& [a, b, c] : make_bracket().triangles) twice.triangles.push_back({a + 12, b + 12, c + 12});
  EXPECT_NE(refusal(twice).find("cuts itself: triangles "), std::string::npos) << refusal(twice);

  const std::string all_rod = refusal(make_shape_mesh(BoxShape{Vec3::Constant(0.001)}, 1.0), 0.01);
  EXPECT_NE(all_rod.find("inside the rod"), std::string::npos) << all_rod;
}

}  // namespace
}  // namespace distal
