// TetGen's pair of files: NAME.node with the points, NAME.ele with the tetrahedra.
#include <fmt/format.h>

#include "distal/geometry/mesh_formats.hpp"
#include "distal/geometry/text_reader.hpp"

namespace distal {
namespace {

// Numbers behind a record that are of no use here: attributes and markers.
std::int64_t next_extra_count(TextReader& reader, const char* wanted) {
  const std::int64_t count = reader.next_integer(wanted);
  if (count < 0 || count > 1000) reader.fail(fmt::format("{}, 0 to 1000", wanted), std::to_string(count));
  return count;
}

void expect_number(TextReader& reader, std::int64_t wanted, const char* kind) {
  const std::int64_t found = reader.next_integer("the number of a record");
  if (found != wanted) reader.fail(fmt::format("{} {}", kind, wanted), std::to_string(found));
}

// Returns the number of the first point, 0 or 1.
std::int64_t parse_points(TextReader& reader, TetMesh& mesh) {
  const std::size_t count = reader.next_count("the count of points", 8);
  const std::int64_t dimension = reader.next_integer("the dimension");
  if (dimension != 3) reader.fail("dimension 3", std::to_string(dimension));
  std::int64_t extra = next_extra_count(reader, "the count of attributes");
  extra += next_extra_count(reader, "the count of boundary markers");
  mesh.vertices.resize(count);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == 0) {
      first = reader.next_integer("the number of a point");
      if (first != 0 && first != 1) reader.fail("point 0 or 1 first", std::to_string(first));
    } else {
      expect_number(reader, first + static_cast<std::int64_t>(i), "point");
    }
    for (int k = 0; k < 3; ++k) mesh.vertices[i][k] = reader.next_finite();
    for (std::int64_t k = 0; k < extra; ++k) reader.next_number();
  }
  return first;
}

void parse_tetrahedra(TextReader& reader, std::int64_t first, TetMesh& mesh) {
  const std::size_t count = reader.next_count("the count of tetrahedra", 10);
  const std::int64_t corners = reader.next_integer("the count of nodes per tetrahedron");
  if (corners != 4) reader.fail("4 nodes per tetrahedron (mesh without -o2)", std::to_string(corners));
  const std::int64_t extra = next_extra_count(reader, "the count of attributes");
  mesh.cells.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    expect_number(reader, first + static_cast<std::int64_t>(i), "tetrahedron");
    for (std::int32_t& v : mesh.cells[i]) {
      const std::int64_t number = reader.next_integer("the number of a point");
      const std::int64_t last = first + static_cast<std::int64_t>(mesh.vertices.size()) - 1;
      if (number < first || number > last) {
        reader.fail(fmt::format("a point of {} to {}", first, last), std::to_string(number));
      }
      v = static_cast<std::int32_t>(number - first);
    }
    for (std::int64_t k = 0; k < extra; ++k) reader.next_number();
  }
}

void expect_end(TextReader& reader) {
  if (reader.skip_space()) reader.fail("the end of the file", reader.next_word());
}

}  // namespace

TetMesh load_tetgen(const std::string& base) {
  const std::string points = load_mesh_text(base + ".node", "TetGen");
  const std::string tetrahedra = load_mesh_text(base + ".ele", "TetGen");
  TetMesh mesh;
  TextReader point_reader(base + ".node", points, '#');
  const std::int64_t first = parse_points(point_reader, mesh);
  expect_end(point_reader);
  TextReader cell_reader(base + ".ele", tetrahedra, '#');
  parse_tetrahedra(cell_reader, first, mesh);
  expect_end(cell_reader);
  return mesh;
}

}  // namespace distal
