#include "distal/geometry/tet_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

#include "distal/core/error.hpp"
#include "distal/geometry/mesh_formats.hpp"
#include "distal/geometry/solid.hpp"

namespace distal {
namespace {

// In small letters, with its dot.
std::string find_extension(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

void drop_unused_vertices(TetMesh& mesh) {
  std::vector<std::int32_t> number(mesh.vertices.size(), -1);
  for (const auto& cell : mesh.cells) {
    for (const std::int32_t v : cell) number[v] = 0;
  }
  std::int32_t count = 0;
  for (std::size_t v = 0; v < number.size(); ++v) {
    if (number[v] < 0) continue;
    mesh.vertices[count] = mesh.vertices[v];
    number[v] = count++;
  }
  mesh.vertices.resize(count);
  for (auto& cell : mesh.cells) {
    for (std::int32_t& v : cell) v = number[v];
  }
}

void turn_if_all_inverted(TetMesh& mesh) {
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    if (!(cell_volume(mesh, i) < 0.0)) return;
  }
  for (auto& cell : mesh.cells) std::swap(cell[2], cell[3]);
}

TetMesh read_tet_mesh(const std::string& file) {
  const std::string extension = find_extension(file);
  if (extension == ".msh") return load_gmsh(file);
  if (extension == ".vtu") return load_vtu(file);
  if (extension == ".node" || extension == ".ele") return load_tetgen(file.substr(0, file.size() - extension.size()));
  throw InputError(fmt::format(
      "{}: unknown kind of tetrahedral mesh \"{}\": .msh (Gmsh), .node or .ele (TetGen) and .vtu (VTK) can be "
      "read",
      file, extension));
}

}  // namespace

TetMesh load_tet_mesh(const std::string& file) {
  TetMesh mesh = read_tet_mesh(file);
  if (mesh.cells.empty()) throw InputError(fmt::format("{}: no tetrahedra in this file", file));
  drop_unused_vertices(mesh);
  turn_if_all_inverted(mesh);
  check_tet_mesh(mesh, file);
  return mesh;
}

TriangleMesh load_surface(const std::string& file) {
  const std::string extension = find_extension(file);
  if (extension == ".stl") return load_stl(file);
  if (extension == ".obj") return load_obj(file);
  if (extension == ".ply") return load_ply(file);
  throw InputError(fmt::format("{}: unknown kind of surface \"{}\": .stl, .obj and .ply can be read", file, extension));
}

}  // namespace distal
