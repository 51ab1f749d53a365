#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "brick.hpp"
#include "distal/geometry/closed_mesh.hpp"
#include "distal/geometry/tet_files.hpp"
#include "file_checks.hpp"

namespace distal {
namespace {

using test::replaced;

class SurfaceFiles : public test::FileTest {
 protected:
  void refuse(const std::string& name, const std::string& content, const std::string& reason) {
    const std::string file = write(name, content);
    test::expect_refused([&] { load_surface(file); }, file, reason);
  }
};

using test::expect_brick;
using test::make_brick;

// Every face has vertices of its own, as exporters with normals write them.
std::string to_obj(const TriangleMesh& mesh) {
  std::string text = "# a brick\nmtllib brick.mtl\no brick\nvn 0 0 1\n";
  int count = 0;
  for (const auto& t : mesh.triangles) {
    for (const std::int32_t v : t) {
      text += fmt::format("v {} {} {} 1.0\n", mesh.vertices[v].x(), mesh.vertices[v].y(), mesh.vertices[v].z());
    }
    count += 3;
    // Forwards, and back from the last.
    text += count % 2 == 0 ? fmt::format("f {} {}/1 {}//1\n", count - 2, count - 1, count) : "f -3 -2/1/1 -1 # back\n";
  }
  return text;
}

std::string to_ply(const TriangleMesh& mesh, bool binary) {
  std::string out = fmt::format(
      "ply\nformat {} 1.0\ncomment a brick\nelement vertex {}\nproperty float x\nproperty float y\nproperty double z\n"
      "property uchar red\nelement material 1\nproperty list uchar int weights\nelement face {}\nproperty list uchar "
      "uint "
      "vertex_indices\nproperty short group\nend_header\n",
      binary ? "binary_little_endian" : "ascii", mesh.vertices.size(), mesh.triangles.size());
  const auto add = [&](auto value) {
    if (binary) {
      const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
      out.append(bytes.data(), bytes.size());
    } else {
      out += fmt::format("{} ", value);
    }
  };
  for (const Vec3& p : mesh.vertices) {
    add(static_cast<float>(p.x()));
    add(static_cast<float>(p.y()));
    add(p.z());
    add(std::uint8_t{200});
    if (!binary) out += "\n";
  }
  add(std::uint8_t{2});
  add(std::int32_t{-5});
  add(std::int32_t{7});
  if (!binary) out += "\n";
  for (const auto& t : mesh.triangles) {
    add(std::uint8_t{3});
    for (const std::int32_t v : t) add(static_cast<std::uint32_t>(v));
    add(std::int16_t{-1});
    if (!binary) out += "\n";
  }
  return out;
}

TEST_F(SurfaceFiles, ObjIsReadAndWelded) { expect_brick(load_surface(write("a.obj", to_obj(make_brick())))); }

TEST_F(SurfaceFiles, PlyIsReadAsTextAndAsBytes) {
  for (const bool binary : {false, true}) { expect_brick(load_surface(write("a.ply", to_ply(make_brick(), binary)))); }
}

TEST_F(SurfaceFiles, StlIsReadByItsExtension) {
  const TriangleMesh mesh =
      load_surface(write("a.STL",
                         "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
                         "endfacet\nendsolid s\n"));
  EXPECT_EQ(mesh.triangles.size(), 1u);
}

TEST_F(SurfaceFiles, PolygonsBecomeFans) {
  const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";
  const std::vector<std::array<std::int32_t, 3>> fan{{0, 1, 2}, {0, 2, 3}};
  EXPECT_EQ(load_surface(write("a.obj", square + "f 1 2 3 4\n")).triangles, fan);
  EXPECT_EQ(load_surface(write("a.ply",
                               "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                               "property float z\nelement face 1\nproperty list uchar int vertex_index\n"
                               "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"))
                .triangles,
            fan);
}

TEST_F(SurfaceFiles, ObjMistakesAreRefusedWithTheirLine) {
  const std::string points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  refuse("a.obj", points + "f 1 2 4\n",
         "line 4: expected one of the 3 vertices so far, counted from 1, or back from -1, found \"4\"");
  refuse("a.obj", points + "f 0 1 2\n", "found \"0\"");
  refuse("a.obj", points + "f -4 1 2\n", "found \"-4\"");
  refuse("a.obj", points + "f 1 2\n", "line 4: expected a face of at least three corners, found 2");
  refuse("a.obj", points + "f 1 2 x\n", "line 4: expected the number of a vertex, found \"x\"");
  refuse("a.obj", "v 0 0\nv 1 0 0\n", "line 1: expected three coordinates, found 2");
  refuse("a.obj", "v 0 0 nan\n" + points + "f 1 2 3\n", "line 5: a coordinate is not a finite number");
  refuse("a.obj", points, "no triangles in this OBJ file");
  refuse("a.obj", "surf 0 1 0 1\n", "line 1: expected v, f or another word of polygons, found \"surf\"");
}

TEST_F(SurfaceFiles, PlyMistakesAreRefused) {
  const std::string text = to_ply(make_brick(), false);
  const std::string bytes = to_ply(make_brick(), true);
  refuse("a.ply", "plain", "line 1: expected ply, found \"plain\"");
  refuse("a.ply", replaced(bytes, "binary_little_endian", "binary_big_endian"),
         "line 2: expected ascii or binary_little_endian, found \"binary_big_endian\"");
  refuse("a.ply", replaced(text, "element vertex 8", "element vertex 88888888888"),
         "line 4: expected the count of an element, found 88888888888");
  refuse("a.ply", replaced(bytes, "element face 12", "element face 120"), "truncated: 120 records \"face\"");
  refuse("a.ply", replaced(text, "property double z", "property double height"), "expected vertices with x, y and z");
  refuse("a.ply", replaced(text, "float x", "half x"), "line 5: expected list or a type like float, found \"half\"");
  refuse("a.ply", bytes.substr(0, bytes.size() - 1), "truncated: the ");
  refuse("a.ply", replaced(text, "\n3 ", "\n3 8 "), "expected the number of a vertex below 8, found 8");
}

TEST_F(SurfaceFiles, UnknownKindIsRefused) { refuse("a.step", "x", "unknown kind of surface \".step\""); }

TEST_F(SurfaceFiles, BrokenFilesAreRefusedOrRead) {
  const TriangleMesh brick = make_brick();
  const auto load = [&](const char* name) {
    return [this, name](const std::string& content) { load_surface(write(name, content)); };
  };
  EXPECT_GT(test::count_refusals(to_ply(brick, false), load("a.ply")), 500);
  EXPECT_GT(test::count_refusals(to_ply(brick, true), load("a.ply")), 400);
  // A shorter OBJ file is often a good one.
  EXPECT_GT(test::count_refusals(to_obj(brick), load("a.obj")), 200);
}

}  // namespace
}  // namespace distal
