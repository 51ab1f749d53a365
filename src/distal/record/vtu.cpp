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

}  // namespace

std::string vtu_cells_text(const VtuCells& grid) {
  std::string text;
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
  return text += "</Cells>\n";
}

std::string vtu_text(const VtuGrid& grid) { return vtu_text(grid, vtu_cells_text(grid)); }

std::string vtu_text(const VtuGrid& grid, std::string_view cells_text) {
  DISTAL_ASSERT(grid.triangles.size() == grid.triangle_body.size() && grid.lines.size() == grid.line_body.size() &&
                grid.vertices.size() == grid.vertex_body.size());
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
      "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n",
      grid.points.size(), grid.triangles.size() + grid.lines.size() + grid.vertices.size());
  const std::size_t numbers = (3 + grid.scalars.size() + 3 * grid.vectors.size()) * grid.points.size();
  text.reserve(cells_text.size() + 6 * numbers + 10000);  // four bytes each, as base64, and the words around them
  append_point_data(text, grid);
  text += "<Points>\n";
  append_array(text, "Float32", "Points", 3, to_floats(grid.points));
  text += "</Points>\n";
  text += cells_text;
  text += "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  return text;
}

namespace {

constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Two digits for every twelve bits: frames are written between steps, and most of the work is this.
constexpr auto base64_pairs = [] {
  std::array<std::array<char, 2>, 4096> pairs{};
  for (std::size_t bits = 0; bits < pairs.size(); ++bits)
    pairs[bits] = {base64_digits[bits >> 6], base64_digits[bits & 63]};
  return pairs;
}();

}  // namespace

void append_base64(std::string& text, std::span<const std::byte> bytes) {
  const std::size_t start = text.size(), whole = bytes.size() / 3 * 3;
  text.resize(start + 4 * ((bytes.size() + 2) / 3), '=');
  char* to = text.data() + start;
  const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(bytes[i]); };
  for (std::size_t i = 0; i < whole; i += 3, to += 4) {
    std::memcpy(to, base64_pairs[byte(i) << 4 | byte(i + 1) >> 4].data(), 2);
    std::memcpy(to + 2, base64_pairs[(byte(i + 1) & 15) << 8 | byte(i + 2)].data(), 2);
  }
  if (whole == bytes.size()) return;
  const std::size_t second = whole + 1 < bytes.size() ? byte(whole + 1) : 0;
  std::memcpy(to, base64_pairs[byte(whole) << 4 | second >> 4].data(), 2);
  if (whole + 1 < bytes.size()) to[2] = base64_digits[(second & 15) << 2];
}

}  // namespace distal
