#include "distal/geometry/fill_surface.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "distal/geometry/box_mesh.hpp"
#include "distal/geometry/external_program.hpp"
#include "distal/geometry/shape.hpp"
#include "file_checks.hpp"
#include "mesh_checks.hpp"
#include "tet_checks.hpp"

namespace distal {
namespace {

// PATH, put back at the end.
class PathGuard {
 public:
  explicit PathGuard(const std::string& path) : old_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~PathGuard() { setenv("PATH", old_.c_str(), 1); }
  PathGuard(const PathGuard&) = delete;
  PathGuard& operator=(const PathGuard&) = delete;

 private:
  std::string old_;
};

class FillSurface : public test::FileTest {
 protected:
  void refuse(const TriangleMesh& surface, const std::string& reason) {
    test::expect_refused([&] { fill_surface(surface, 0.004, "pad.stl"); }, "pad.stl", reason);
  }
  // A folder for PATH in which `name` is the given program and nothing else is.
  std::string offer(const std::string& name, const std::filesystem::path& program) {
    std::filesystem::create_directories(folder_ / "bin");
    std::filesystem::create_symlink(program, folder_ / "bin" / name);
    return (folder_ / "bin").string();
  }
  std::string offer_script(const std::string& name, const std::string& script) {
    const std::string file = write("script", "#!/bin/sh\n" + script);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return offer(name, file);
  }
};

const Vec3 pad_size(0.03, 0.02, 0.01);
TriangleMesh make_pad() { return make_box_mesh(pad_size, 0.004); }

void expect_filled_pad(const TetMesh& mesh) {
  check_tet_mesh(mesh, "pad");
  EXPECT_NEAR(test::sum_of_volumes(mesh), pad_size.prod(), 1e-9 * pad_size.prod());
  const TriangleMesh surface = test::boundary_surface(mesh);
  EXPECT_EQ(test::count_edges(surface).other, 0);
  const TetQuality quality = measure_quality(mesh);
  EXPECT_GT(quality.smallest_angle_deg, 5.0);
  EXPECT_LT(quality.mean_edge_m, 0.005);
  EXPECT_GT(quality.mean_edge_m, 0.002);
}

TEST_F(FillSurface, TetGenFillsABox) {
  const auto tetgen = find_program("tetgen");
  ASSERT_TRUE(tetgen) << "apt-get install tetgen";
  const PathGuard path(offer("tetgen", *tetgen));
  expect_filled_pad(fill_surface(make_pad(), 0.004, "pad.stl"));
}

TEST_F(FillSurface, GmshFillsABoxWhereThereIsNoTetGen) {
  const auto gmsh = find_program("gmsh");
  ASSERT_TRUE(gmsh) << "apt-get install gmsh";
  const PathGuard path(offer("gmsh", *gmsh));
  expect_filled_pad(fill_surface(make_pad(), 0.004, "pad.stl"));
}

TEST_F(FillSurface, FilledSphereHasTheVolumeOfItsSurface) {
  const TriangleMesh ball = make_shape_mesh(SphereShape{0.01}, 1.0);
  const TetMesh mesh = fill_surface(ball, 0.004, "ball.stl");
  EXPECT_NEAR(test::sum_of_volumes(mesh), test::volume_of(ball), 1e-9 * test::volume_of(ball));
}

TEST_F(FillSurface, LongEdgesAreSplitAndTheSurfaceMayBeInsideOut) {
  TriangleMesh box = make_shape_mesh(BoxShape{0.5 * pad_size}, 1.0);
  expect_filled_pad(fill_surface(box, 0.004, "pad.stl"));
  for (auto& t : box.triangles) std::swap(t[0], t[1]);
  expect_filled_pad(fill_surface(box, 0.004, "pad.stl"));
}

TEST_F(FillSurface, BadSurfacesAreRefused) {
  refuse({}, "the surface has no triangles");
  TriangleMesh open = make_pad();
  open.triangles.pop_back();
  refuse(open, "the surface is not closed: 3 edges do not belong to exactly two triangles");
  TriangleMesh cut = make_pad();
  const auto first = static_cast<std::int32_t>(cut.vertices.size());
  for (const Vec3& p : make_pad().vertices) cut.vertices.push_back(p + Vec3(0.011, 0.011, 0.007));
  for (const auto& t : make_pad().triangles) cut.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  refuse(cut, "the surface cuts itself: triangles ");
  TriangleMesh thin = make_shape_mesh(BoxShape{0.5 * pad_size}, 1.0);
  for (Vec3& p : thin.vertices) p.z() = 0.0;
  for (Vec3& p : thin.vertices) p.y() = 0.0;
  refuse(thin, "has no area: its corners lie on a line");
  test::expect_refused([&] { fill_surface(make_pad(), 0.0, "pad.stl"); }, "pad.stl", "edge_m = 0");
  test::expect_refused([&] { fill_surface(make_pad(), 1e-6, "pad.stl"); }, "pad.stl",
                       "edge_m = 1e-06: would make about 5.");
}

// Meshers would fill the hole.
TEST_F(FillSurface, CavitiesAndNestedSurfacesAreRefused) {
  const auto with = [](const Vec3& offset, double size, bool reversed) {
    TriangleMesh both = make_pad();
    const auto first = static_cast<std::int32_t>(both.vertices.size());
    const TriangleMesh other = make_box_mesh(Vec3::Constant(size), 0.004);
    for (const Vec3& p : other.vertices) both.vertices.push_back(p + offset);
    for (auto t : other.triangles) {
      if (reversed) std::swap(t[0], t[1]);
      both.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    }
    return both;
  };
  refuse(with(Vec3::Zero(), 0.005, true), "the surface encloses 5.875e-06 m^3, but filled it has 6e-06 m^3");
  refuse(with(Vec3::Zero(), 0.005, false), "the surface encloses 6.125e-06 m^3, but filled it has 6e-06 m^3");
  const TetMesh beside = fill_surface(with(Vec3(0.05, 0.0, 0.0), 0.005, false), 0.004, "pad.stl");
  EXPECT_NEAR(test::sum_of_volumes(beside), 6.125e-6, 1e-14);
}

TEST_F(FillSurface, WithoutAProgramTheMessageSaysHowToGetOne) {
  const PathGuard path("/nowhere");
  refuse(make_pad(), "needs the program tetgen or gmsh on PATH; on Debian and Ubuntu: apt-get install tetgen");
}

TEST_F(FillSurface, WhatAFailingProgramPrintedIsQuoted) {
  const PathGuard path(offer_script("tetgen", "echo the surface displeases me >&2\nexit 7\n"));
  refuse(make_pad(), "tetgen ended with code 7 (limit 300 s); it printed:\nthe surface displeases me");
}

TEST_F(FillSurface, AProgramThatMakesNothingIsNotBelieved) {
  const PathGuard path(offer_script("gmsh", "exit 0\n"));
  refuse(make_pad(), "gmsh made no mesh");
}

}  // namespace
}  // namespace distal
