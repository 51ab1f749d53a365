#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "distal/geometry/tet_files.hpp"
#include "distal/geometry/tet_shapes.hpp"
#include "file_checks.hpp"
#include "tet_checks.hpp"

namespace distal {
namespace {

using test::replaced;

class VtuMesh : public test::FileTest {
 protected:
  void refuse(const std::string& content, const std::string& reason) {
    const std::string file = write("a.vtu", content);
    test::expect_refused([&] { load_tet_mesh(file); }, file, reason);
  }
};

std::string encode_base64(const std::string& bytes) {
  const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

template <class Number>
std::string to_bytes(Number value) {
  const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
  return {bytes.data(), bytes.size()};
}

// Arrays as text, or as base64 with a header of the given type.
class VtuWriter {
 public:
  VtuWriter(const TetMesh& mesh, bool binary) : binary_(binary) {
    text_ = fmt::format(
        "<?xml version=\"1.0\"?>\n<!-- a > comment -->\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
        "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" "
        "NumberOfCells=\"{}\">\n<PointData>\n<DataArray type=\"Float64\" Name=\"heat\" format=\"ascii\">1 "
        "2</DataArray>\n"
        "</PointData>\n<Points>\n",
        mesh.vertices.size(), mesh.cells.size() + 1);
    std::vector<double> points;
    for (const Vec3& p : mesh.vertices) points.insert(points.end(), p.begin(), p.end());
    add("Float64", "Points", points);
    text_ += "</Points>\n<Cells>\n";
    // A triangle comes first.
    std::vector<std::int32_t> corners{0, 1, 2};
    std::vector<std::int64_t> offsets{3};
    std::vector<std::uint8_t> types{5};
    for (const auto& cell : mesh.cells) {
      corners.insert(corners.end(), cell.begin(), cell.end());
      offsets.push_back(static_cast<std::int64_t>(corners.size()));
      types.push_back(10);
    }
    add("Int32", "connectivity", corners);
    add("Int64", "offsets", offsets);
    add("UInt8", "types", types);
    text_ += "</Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  }

  const std::string& text() const { return text_; }

 private:
  template <class Number>
  void add(const char* type, const char* name, const std::vector<Number>& values) {
    text_ +=
        fmt::format("<DataArray type=\"{}\" Name=\"{}\" format=\"{}\">\n", type, name, binary_ ? "binary" : "ascii");
    if (binary_) {
      std::string bytes = to_bytes(static_cast<std::uint64_t>(values.size() * sizeof(Number)));
      for (const Number value : values) bytes += to_bytes(value);
      text_ += encode_base64(bytes);
    } else {
      for (const Number value : values) text_ += fmt::format("{}\n", value);
    }
    text_ += "\n</DataArray>\n";
  }

  bool binary_;
  std::string text_;
};

TetMesh make_vtu_sample() { return make_sphere_mesh(0.01, 0.008); }

TEST_F(VtuMesh, TextAndBase64AreRead) {
  for (const bool binary : {false, true}) {
    const TetMesh mesh = load_tet_mesh(write("a.vtu", VtuWriter(make_vtu_sample(), binary).text()));
    EXPECT_EQ(mesh.vertices, make_vtu_sample().vertices);
    EXPECT_EQ(mesh.cells, make_vtu_sample().cells);
  }
}

TEST_F(VtuMesh, WhatCannotBeReadIsRefused) {
  const std::string good = VtuWriter(make_vtu_sample(), false).text();
  const std::string coded = VtuWriter(make_vtu_sample(), true).text();
  refuse("garbage", "line 1: expected <VTKFile>, found \"garbage\"");
  refuse(replaced(good, "type=\"UnstructuredGrid\"", "type=\"PolyData\""),
         "line 3: expected type=\"UnstructuredGrid\", found \"PolyData\"");
  refuse(replaced(good, "Name=\"Points\" format=\"ascii\"", "Name=\"Points\" format=\"appended\""),
         "(inline; save without appended data), found \"appended\"");
  refuse(replaced(coded, "<VTKFile ", "<VTKFile compressor=\"vtkZLibDataCompressor\" "),
         "expected no compressor, found \"vtkZLibDataCompressor\"");
  refuse(replaced(coded, "LittleEndian", "BigEndian"), "expected byte_order=\"LittleEndian\", found \"BigEndian\"");
  refuse(replaced(good, "</Piece>", "</Piece><Piece NumberOfPoints=\"1\" NumberOfCells=\"1\">"),
         "expected one <Piece>");
}

TEST_F(VtuMesh, MistakesAreRefusedWithTheirPlace) {
  const TetMesh mesh = make_vtu_sample();
  const std::string good = VtuWriter(mesh, false).text();
  refuse(replaced(good, "NumberOfPoints=\"", "NumberOfPoints=\"99999999999999"),
         "line 5: expected NumberOfPoints of 0 to");
  refuse(replaced(good, "NumberOfCells=\"", "NumberOfCells=\"1"), "numbers, but there are");
  refuse(replaced(good, "NumberOfPoints=\"", "NumberOfPoints=\"-"), "line 5: expected NumberOfPoints of 0 to");
  refuse(replaced(good, "Name=\"types\" format=\"ascii\">\n5\n10\n", "Name=\"types\" format=\"ascii\">\n5\n12\n"),
         "array \"types\": cell 1: expected a tetrahedron (type 10, four points), found type 12 with 4 points");
  refuse(replaced(good, "Name=\"connectivity\" format=\"ascii\">\n0\n1\n2\n",
                  "Name=\"connectivity\" format=\"ascii\">\n0\n1\n2\n-"),
         "array \"connectivity\": cell 1: expected points of 0 to");
  refuse(replaced(good, "Name=\"offsets\" format=\"ascii\">\n3\n7\n", "Name=\"offsets\" format=\"ascii\">\n3\n2\n"),
         "expected whole numbers that grow, found 2 after 3");
  refuse(replaced(good, "Name=\"types\"", "Name=\"kinds\""), "expected an array \"types\", found none");
  const std::string coded = VtuWriter(mesh, true).text();
  refuse(replaced(coded, "header_type=\"UInt64\"", "header_type=\"UInt32\""),
         "array \"Points\": expected a header of 4 bytes");
}

TEST_F(VtuMesh, BrokenFilesAreRefusedOrRead) {
  for (const bool binary : {false, true}) {
    const std::string whole = VtuWriter(make_cuboid_mesh({1, 1, 1}, 0.5), binary).text();
    EXPECT_GT(test::count_refusals(whole, [&](const auto& content) { load_tet_mesh(write("a.vtu", content)); }), 600);
  }
}

}  // namespace
}  // namespace distal
