#include "distal/record/vtu.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "distal/core/error.hpp"

namespace distal {
namespace {

static_assert(std::endian::native == std::endian::little, "the arrays are written as they stand in memory");

constexpr std::uint8_t vtk_vertex = 1, vtk_line = 3, vtk_triangle = 5;

// One array: a 64-bit byte count and the values, as one base64 stream.
template <typename T>
void append_array(std::string& text, std::string_view type, std::string_view name, int components,
                  const std::vector<T>& values) {
  const std::uint64_t size = values.size() * sizeof(T);
  std::vector<std::byte> bytes(sizeof size + size);
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  text += fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">", type, name,
                      components);
  append_base64(text, bytes);
  text += "</DataArray>\n";
}

// Single precision: a tenth of a micrometre in a metre, at half the size.
std::vector<float> to_floats(const std::vector<Vec3>& vectors) {
  std::vector<float> floats;
  floats.reserve(3 * vectors.size());
  for (const Vec3& vector : vectors)
    for (const double component : vector) floats.push_back(static_cast<float>(component));
  return floats;
}

void append_point_data(std::string& text, const VtuGrid& grid) {
  text += "<PointData>\n";
  for (const auto& [name, values] : grid.scalars) {
    DISTAL_ASSERT(values.size() == grid.points.size());
    append_array(text, "Float32", name, 1, std::vector<float>(values.begin(), values.end()));
  }
  for (const auto& [name, values] : grid.vectors) {
    DISTAL_ASSERT(values.size() == grid.points.size());
    append_array(text, "Float32", name, 3, to_floats(values));
  }
  text += "</PointData>\n";
}

void append_cells(std::string& text, const VtuGrid& grid) {
  std::vector<std::int32_t> connectivity, offsets, bodies;
  std::vector<std::uint8_t> types;
  const auto end_cell = [&](std::uint8_t type, std::int32_t body) {
    offsets.push_back(static_cast<std::int32_t>(connectivity.size()));
    types.push_back(type);
    bodies.push_back(body);
  };
  for (std::size_t i = 0; i < grid.triangles.size(); ++i) {
    connectivity.insert(connectivity.end(), grid.triangles[i].begin(), grid.triangles[i].end());
    end_cell(vtk_triangle, grid.triangle_body[i]);
  }
  for (std::size_t i = 0; i < grid.lines.size(); ++i) {
    connectivity.insert(connectivity.end(), grid.lines[i].begin(), grid.lines[i].end());
    end_cell(vtk_line, grid.line_body[i]);
  }
  for (std::size_t i = 0; i < grid.vertices.size(); ++i) {
    connectivity.push_back(grid.vertices[i]);
    end_cell(vtk_vertex, grid.vertex_body[i]);
  }
  text += "<CellData>\n";
  append_array(text, "Int32", "body", 1, bodies);
  text += "</CellData>\n<Cells>\n";
  append_array(text, "Int32", "connectivity", 1, connectivity);
  append_array(text, "Int32", "offsets", 1, offsets);
  append_array(text, "UInt8", "types", 1, types);
  text += "</Cells>\n";
}

}  // namespace

std::string vtu_text(const VtuGrid& grid) {
  DISTAL_ASSERT(grid.triangles.size() == grid.triangle_body.size() && grid.lines.size() == grid.line_body.size() &&
                grid.vertices.size() == grid.vertex_body.size());
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
      grid.points.size(), grid.triangles.size() + grid.lines.size() + grid.vertices.size());
  append_point_data(text, grid);
  text += "<Points>\n";
  append_array(text, "Float32", "Points", 3, to_floats(grid.points));
  text += "</Points>\n";
  append_cells(text, grid);
  text += "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  return text;
}

void append_base64(std::string& text, std::span<const std::byte> bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  text.reserve(text.size() + 4 * ((bytes.size() + 2) / 3));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < count ? std::to_integer<std::uint32_t>(bytes[i + j]) : 0);
    for (std::size_t j = 0; j < 4; ++j) text += j <= count ? digits[group >> (18 - 6 * j) & 63] : '=';
  }
}

}  // namespace distal
