// VTK's XML format for unstructured grids (.vtu), as ParaView opens it: valid XML with base64 arrays.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

// Cells of three kinds that carry the number of their body.
struct VtuCells {
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::vector<std::array<std::int32_t, 2>> lines;
  std::vector<std::int32_t> vertices;  // points shown on their own
  std::vector<std::int32_t> triangle_body, line_body, vertex_body;
  bool operator==(const VtuCells&) const = default;
};

// Points with values, and cells between them.
struct VtuGrid : VtuCells {
  std::vector<Vec3> points;  // [m]
  struct Scalars {
    std::string name;
    std::vector<double> values;  // per point
  };
  struct Vectors {
    std::string name;
    std::vector<Vec3> values;  // per point
  };
  std::vector<Scalars> scalars;
  std::vector<Vectors> vectors;
};

std::string vtu_text(const VtuGrid& grid);
// The part about the cells alone, and the whole around it: bodies move more often than their cells change.
std::string vtu_cells_text(const VtuCells& cells);
std::string vtu_text(const VtuGrid& grid, std::string_view cells_text);

// Appends bytes as base64 with padding.
void append_base64(std::string& text, std::span<const std::byte> bytes);

}  // namespace distal
