#include "distal/geometry/strand_mesh.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// How often each count of neighbours occurs in a ring inside a long strand: neighbours in the plane, and for each of
// the two next rings itself and the same again.
std::map<std::size_t, int> neighbour_counts(const StrandSection& section) {
  std::vector<std::size_t> in_plane(section.points.size(), 0);
  for (const auto& [a, b] : section.links)
    ++in_plane[static_cast<std::size_t>(a)], ++in_plane[static_cast<std::size_t>(b)];
  std::map<std::size_t, int> counts;
  for (const std::size_t n : in_plane) ++counts[n + 2 * (n + 1)];
  return counts;
}

TEST(StrandSection, NeighboursAsInThePaper) {
  using Counts = std::map<std::size_t, int>;
  EXPECT_EQ(neighbour_counts(make_eight_plus_centre()), (Counts{{11, 8}, {26, 1}}));
  EXPECT_EQ(neighbour_counts(make_concentric_section(2)), (Counts{{17, 8}, {26, 8}}));
  EXPECT_EQ(neighbour_counts(make_concentric_section(3)), (Counts{{17, 8}, {26, 16}}));
  EXPECT_EQ(neighbour_counts(make_grid_section(29)), (Counts{{11, 8}, {20, 12}, {26, 9}}));
  // With fewer nodes hardly any, or none, is inside.
  EXPECT_EQ(neighbour_counts(make_grid_section(13)), (Counts{{11, 4}, {17, 4}, {20, 4}, {26, 1}}));
  EXPECT_EQ(neighbour_counts(make_grid_section(5)), (Counts{{11, 4}, {14, 1}}));
}

TEST(StrandSection, CellsFillThePolygon) {
  // Of an octagon in the circle, of the square of the grid's outermost points, and of the 29 points.
  EXPECT_NEAR(make_eight_plus_centre().area(), 2.0 * std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(make_concentric_section(3).area(), 2.0 * std::sqrt(2.0), 1e-12);
  EXPECT_NEAR(make_grid_section(5).area(), 2.0, 1e-12);
  EXPECT_NEAR(make_grid_section(13).area(), 8.0 / 4.0, 1e-12);
  EXPECT_NEAR(make_grid_section(29).area(), 20.0 / 9.0, 1e-12);
}

TEST(StrandMesh, FillsABentTubeWithoutTwist) {
  StrandSection section = make_eight_plus_centre();
  section.scale(0.002);
  std::vector<Vec3> points;
  for (int k = 0; k <= 8; ++k) {
    const double angle = 0.5 * std::numbers::pi * k / 8;
    points.emplace_back(0.02 * std::sin(angle), 0.02 * (1.0 - std::cos(angle)), 0.0);
  }
  const std::vector<Vec3> line = make_centre_line(points, 0.001);
  const StrandMesh strand = make_strand_mesh(section, 0.002, line, "body.tube");
  check_tet_mesh(strand.mesh, "body.tube");
  EXPECT_EQ(strand.rings, 32);  // 31.4 mm
  double volume = 0.0;
  for (std::size_t c = 0; c < strand.mesh.cells.size(); ++c) volume += cell_volume(strand.mesh, c);
  // Pappus: area times the way of its centre.
  EXPECT_NEAR(volume, section.area() * 0.01 * std::numbers::pi, 0.003 * volume);
  // A plane bend leaves the section's upward axis alone.
  for (std::int32_t p = 0; p < 9; ++p)
    EXPECT_NEAR(strand.mesh.vertices[static_cast<std::size_t>(strand.vertex(p, 31))].z(),
                strand.mesh.vertices[static_cast<std::size_t>(strand.vertex(p, 0))].z(), 1e-9);
}

TEST(StrandMesh, RefusesWhatIsTooShortOrTooTight) {
  const StrandSection section = make_eight_plus_centre();
  const auto refusal = [&](const std::vector<Vec3>& points) {
    StrandSection scaled = section;
    scaled.scale(0.01);
    try {
      make_strand_mesh(scaled, 0.01, make_centre_line(points, 0.002), "body.wire");
    } catch (const InputError& error) { return std::string(error.what()); }
    return std::string();
  };
  EXPECT_THAT(refusal({Vec3::Zero(), Vec3(0.009, 0.0, 0.0)}),
              testing::HasSubstr("body.wire: the strand is 0.009 m long, allowed: at least its radius, 0.01 m"));
  EXPECT_THAT(refusal({Vec3::Zero(), Vec3(0.03, 0.0, 0.0), Vec3(0.03, 0.005, 0.0), Vec3(0.0, 0.005, 0.0)}),
              testing::HasSubstr("body.wire.points_m: the centre line turns with a radius of"));
  EXPECT_EQ(refusal({Vec3::Zero(), Vec3(0.03, 0.0, 0.0)}), "");
}

}  // namespace
}  // namespace distal
