#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <limits>

#include "brick.hpp"
#include "distal/core/error.hpp"
#include "distal/geometry/solid.hpp"

namespace distal {
namespace {

class Stl : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() / (std::string("distal_stl_") + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& content) const {
    const std::string file = folder_ / "pad.stl";
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  // Loading must fail, and say which file and why.
  static void expect_refused(const std::string& file, const std::string& reason) {
    try {
      load_stl(file);
      FAIL() << "accepted, but expected: " << reason;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(file), std::string::npos) << message;
      EXPECT_NE(message.find(reason), std::string::npos) << message;
    }
  }

  std::filesystem::path folder_;
};

void append_word(std::string& out, std::uint32_t word) {
  for (int k = 0; k < 4; ++k) out += static_cast<char>((word >> (8 * k)) & 0xff);
}

std::string to_binary(const TriangleMesh& mesh, const std::string& title) {
  std::string out = title;
  out.resize(80, '\0');
  append_word(out, static_cast<std::uint32_t>(mesh.triangles.size()));
  for (const auto& t : mesh.triangles) {
    out.append(12, '\0');
    for (const std::int32_t v : t) {
      for (int k = 0; k < 3; ++k)
        append_word(out, std::bit_cast<std::uint32_t>(static_cast<float>(mesh.vertices[v][k])));
    }
    out.append(2, '\0');
  }
  return out;
}

std::string to_text(const TriangleMesh& mesh) {
  std::string out = "solid a pad with facet in its name\n";
  for (const auto& t : mesh.triangles) {
    out += " facet normal nan 0 +0\n  outer loop\n";
    for (const std::int32_t v : t) {
      out += "   vertex";
      for (int k = 0; k < 3; ++k) out += " " + std::to_string(mesh.vertices[v][k]);
      out += "\n";
    }
    out += "  endloop\n endfacet\n";
  }
  return out + "endsolid a pad\n";
}

using test::expect_brick;
using test::make_brick;

TEST_F(Stl, BinaryIsReadAndWelded) { expect_brick(load_stl(write(to_binary(make_brick(), "made by a test")))); }

TEST_F(Stl, BinaryMayStartWithSolid) { expect_brick(load_stl(write(to_binary(make_brick(), "solid pad")))); }

TEST_F(Stl, TextIsReadAndWelded) { expect_brick(load_stl(write(to_text(make_brick())))); }

TEST_F(Stl, TextMayHoldSeveralSolidsCapitalsAndWindowsLineEnds) {
  std::string text = to_text(make_brick());
  std::string shouting;
  for (const char c : text) {
    if (c == '\n') shouting += '\r';
    shouting += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  TriangleMesh moved = make_brick();
  for (Vec3& p : moved.vertices) p.x() += 4.0;
  const TriangleMesh both = load_stl(write(shouting + to_text(moved)));
  EXPECT_EQ(both.vertices.size(), 16u);
  EXPECT_EQ(both.triangles.size(), 24u);
}

TEST_F(Stl, NegativeZeroIsTheSameVertex) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, 0}, {1, 0, 0}, {0, -1, 0}}, {{0, 1, 2}, {4, 3, 5}}};
  EXPECT_EQ(load_stl(write(to_binary(mesh, ""))).vertices.size(), 4u);
}

TEST_F(Stl, MissingFileIsRefused) { expect_refused(folder_ / "nowhere.stl", "cannot open"); }

TEST_F(Stl, FolderIsRefused) { expect_refused(folder_, "cannot read"); }

TEST_F(Stl, EmptyFileIsRefused) { expect_refused(write(""), "empty"); }

TEST_F(Stl, TruncatedBinaryIsRefused) {
  const std::string whole = to_binary(make_brick(), "made by a test");
  expect_refused(write(whole.substr(0, 40)), "truncated: 40 bytes");
  expect_refused(write(whole.substr(0, whole.size() - 1)),
                 "truncated: 12 triangles take 684 bytes, but the file has 683");
  expect_refused(write(whole + "x"), "too long: 12 triangles take 684 bytes, but the file has 685");
}

TEST_F(Stl, TruncatedTextIsRefused) {
  const std::string whole = to_text(make_brick());
  expect_refused(write(whole.substr(0, whole.find("endsolid"))), "truncated: line 86: expected facet or endsolid");
  expect_refused(write(whole.substr(0, whole.find("endloop"))), "truncated: line 7: expected endloop");
}

TEST_F(Stl, BrokenTextIsRefusedWithItsLine) {
  std::string text = to_text(make_brick());
  text.replace(text.find("vertex") + 7, 1, "x");
  expect_refused(write(text), "line 4: expected a number, found \"x");
  expect_refused(write("solid pad\nfacet normal 0 0 1\nouter ring\n"), "line 3: expected loop, found \"ring\"");
}

TEST_F(Stl, FilesWithoutTrianglesAreRefused) {
  expect_refused(write(to_binary({}, "nothing")), "no triangles");
  expect_refused(write("solid nothing\nendsolid nothing\n"), "no triangles");
  // Three corners in one point are no triangle either.
  expect_refused(write(to_binary({{{1, 1, 1}}, {{0, 0, 0}}}, "")), "no triangles");
}

TEST_F(Stl, CoordinatesThatAreNotFiniteAreRefused) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    TriangleMesh mesh = make_brick();
    mesh.vertices[mesh.triangles[0][1]].y() = bad;
    expect_refused(write(to_binary(mesh, "")), "triangle 1: a coordinate is not a finite number");
    expect_refused(write(to_text(mesh)), "line 5: a coordinate is not a finite number");
  }
}

}  // namespace
}  // namespace distal
