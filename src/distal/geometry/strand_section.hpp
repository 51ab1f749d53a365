// Cross-sections of a strand (paper 4, section 4): nodes in the plane, which of them have springs between them, and the
// cells that fill it.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

struct StrandSection {
  std::vector<Eigen::Vector2d> points;
  std::vector<std::array<std::int32_t, 2>> links;      // neighbours in the plane, the lower first
  std::vector<std::vector<std::int32_t>> polygons;     // cells of the plane, counter-clockwise; they fill it
  std::vector<std::array<std::int32_t, 3>> triangles;  // the same, cut into triangles

  double area() const;
  double second_moment() const;  // about the axis of x or y, the mean of both
  void scale(double factor);
};

// Of radius 1. Nodes of one kind come before those between them: cuts of cells that go from low to high numbers then
// have no sense of turning.
StrandSection make_eight_plus_centre();            // Fig. 7
StrandSection make_grid_section(int nodes);        // Fig. 5: 5, 13 or 29 grid points within the circle
StrandSection make_concentric_section(int rings);  // Fig. 3: rings of eight nodes, without a centre

}  // namespace distal
