#include "distal/geometry/fill_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "distal/core/error.hpp"
#include "distal/geometry/closed_mesh.hpp"
#include "distal/geometry/external_program.hpp"
#include "distal/geometry/self_intersection.hpp"
#include "distal/geometry/tet_files.hpp"
#include "distal/geometry/tet_shapes.hpp"

namespace distal {
namespace {

constexpr double fill_time_limit_s = 300.0;

// One over the volume of a regular tetrahedron [1/m^3].
double regular_cells_per_cube(double edge_m) { return 6.0 * std::sqrt(2.0) / (edge_m * edge_m * edge_m); }

// Equilateral triangles of that edge on the surface, regular tetrahedra inside.
void check_fill_edge(const TriangleMesh& surface, double edge_m, const std::string& where) {
  if (!(std::isfinite(edge_m) && edge_m > 0.0)) {
    throw InputError(fmt::format("{}: edge_m = {}: must be a finite number above 0", where, edge_m));
  }
  const std::vector<double> areas = vertex_areas(surface);
  const double area = std::accumulate(areas.begin(), areas.end(), 0.0);
  const double made =
      area / (0.433 * edge_m * edge_m) + std::abs(enclosed_volume(surface)) * regular_cells_per_cube(edge_m);
  if (made <= most_shape_cells) return;
  throw InputError(
      fmt::format("{}: edge_m = {:g}: would make about {:.3g} triangles and tetrahedra, at most {:.3g} are "
                  "allowed; take a longer edge",
                  where, edge_m, made, most_shape_cells));
}

void check_closed_surface(const TriangleMesh& surface, const std::string& where) {
  if (surface.triangles.empty()) throw InputError(fmt::format("{}: the surface has no triangles", where));
  if (const std::size_t open = count_open_edges(surface); open > 0) {
    throw InputError(
        fmt::format("{}: the surface is not closed: {} edges do not belong to exactly two triangles that "
                    "agree on outside; close the holes and save it again",
                    where, open));
  }
  for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
    const auto& t = surface.triangles[i];
    const Vec3 u = surface.vertices[t[1]] - surface.vertices[t[0]];
    const Vec3 v = surface.vertices[t[2]] - surface.vertices[t[0]];
    const double longest = std::max({u.norm(), v.norm(), (u - v).norm()});
    if (!(u.cross(v).norm() > 1e-12 * longest * longest)) {
      throw InputError(fmt::format("{}: triangle {} (vertices {}) has no area: its corners lie on a line", where, i,
                                   fmt::join(t, ", ")));
    }
  }
  if (const auto cut = find_self_intersection(surface)) {
    throw InputError(
        fmt::format("{}: the surface cuts itself: triangles {} and {} (counted from 0) meet at ({:.6g}, "
                    "{:.6g}, {:.6g}) m",
                    where, cut->first, cut->second, cut->point.x(), cut->point.y(), cut->point.z()));
  }
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw OutputError(fmt::format("{}: cannot write", file.string()));
}

// Points and facets of one region; TetGen's own text form.
std::string to_poly(const TriangleMesh& surface) {
  std::string text = fmt::format("{} 3 0 0\n", surface.vertices.size());
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    const Vec3& p = surface.vertices[v];
    text += fmt::format("{} {} {} {}\n", v, p.x(), p.y(), p.z());
  }
  text += fmt::format("{} 0\n", surface.triangles.size());
  for (const auto& t : surface.triangles) text += fmt::format("1\n3 {} {} {}\n", t[0], t[1], t[2]);
  return text + "0\n0\n";
}

// A surface mesh in version 2.2; the geometry file makes a volume of it.
std::string to_msh(const TriangleMesh& surface) {
  std::string text = fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n{}\n", surface.vertices.size());
  for (std::size_t v = 0; v < surface.vertices.size(); ++v) {
    const Vec3& p = surface.vertices[v];
    text += fmt::format("{} {} {} {}\n", v + 1, p.x(), p.y(), p.z());
  }
  text += fmt::format("$EndNodes\n$Elements\n{}\n", surface.triangles.size());
  for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
    const auto& t = surface.triangles[i];
    text += fmt::format("{} 2 2 0 1 {} {} {}\n", i + 1, t[0] + 1, t[1] + 1, t[2] + 1);
  }
  return text + "$EndElements\n";
}

// The last lines of what a program printed, where it says why it stopped.
std::string last_lines(const std::string& output) {
  constexpr std::size_t longest = 1000;
  const std::size_t end = output.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "it printed nothing";
  const std::size_t begin = end < longest ? 0 : end - longest;
  return "it printed:\n" + output.substr(begin, end + 1 - begin);
}

void run_mesher(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                const std::filesystem::path& folder, const std::filesystem::path& result, const std::string& where) {
  const ProgramEnd end = run_program(program, arguments, folder, fill_time_limit_s);
  std::string trouble = end.describe();
  if (trouble.empty() && !std::filesystem::exists(result)) trouble = "made no mesh";
  if (trouble.empty()) return;
  throw InputError(fmt::format("{}: {} {} (limit {} s); {}", where, program.string(), trouble, fill_time_limit_s,
                               last_lines(end.output)));
}

// Meshers fill whatever lies within: a cavity, too. A surface inside another adds to what is enclosed, or takes from
// it.
void check_filled_volume(const TetMesh& mesh, const TriangleMesh& surface, const std::string& where) {
  constexpr double kRounding = 1e-6;  // of numbers in files; the surface stays as it is
  const double enclosed = std::abs(enclosed_volume(surface));
  double filled = 0.0;
  for (const auto& cell : mesh.cells) {
    const auto corner = [&](std::size_t a) { return mesh.vertices[static_cast<std::size_t>(cell[a])]; };
    filled += std::abs((corner(1) - corner(0)).cross(corner(2) - corner(0)).dot(corner(3) - corner(0))) / 6.0;
  }
  if (std::abs(filled - enclosed) <= kRounding * filled) return;
  throw InputError(
      fmt::format("{}: the surface encloses {:.6g} m^3, but filled it has {:.6g} m^3: it has a cavity, or one closed "
                  "surface inside another; allowed: closed surfaces beside each other. Give bodies with cavities as "
                  "tetrahedra (shape = \"mesh\")",
                  where, enclosed, filled));
}

TetMesh load_result(const std::filesystem::path& file, const TriangleMesh& surface, const std::string& where) {
  try {
    TetMesh mesh = load_tet_mesh(file.string());
    check_filled_volume(mesh, surface, where);
    return mesh;
  } catch (const InputError& error) {
    if (std::string_view(error.what()).starts_with(where)) throw;
    throw InputError(fmt::format("{}: the mesh that was made of it is not good: {}", where, error.what()));
  }
}

}  // namespace

TetMesh fill_surface(const TriangleMesh& closed_surface, double edge_m, const std::string& where) {
  check_closed_surface(closed_surface, where);
  check_fill_edge(closed_surface, edge_m, where);
  const auto tetgen = find_program("tetgen");
  const auto gmsh = find_program("gmsh");
  if (!tetgen && !gmsh) {
    throw InputError(
        fmt::format("{}: filling a surface with tetrahedra needs the program tetgen or gmsh on PATH; on "
                    "Debian and Ubuntu: apt-get install tetgen",
                    where));
  }
  const TriangleMesh surface = split_long_edges(closed_surface, edge_m);
  const TemporaryFolder folder;
  if (tetgen) {
    write_text(folder.path() / "surface.poly", to_poly(surface));
    // p: fill the surface, q: ratio of radius to shortest edge and smallest dihedral angle, a: volume of a regular
    // tetrahedron of that edge, Y: the surface stays as it is.
    const double volume = 1.0 / regular_cells_per_cube(edge_m);
    run_mesher(*tetgen, {fmt::format("-pYq1.414/15a{:.9e}", volume), "surface.poly"}, folder.path(),
               folder.path() / "surface.1.ele", where);
    return load_result(folder.path() / "surface.1.ele", surface, where);
  }
  write_text(folder.path() / "surface.msh", to_msh(surface));
  write_text(
      folder.path() / "volume.geo",
      "Merge \"surface.msh\";\nSurface Loop(1) = {1};\nVolume(1) = {1};\nMesh.Optimize = 1;\nMesh.SaveAll = 1;\n");
  run_mesher(*gmsh,
             {"volume.geo", "-3", "-format", "msh22", "-clmax", fmt::format("{:.17g}", edge_m), "-o", "filled.msh"},
             folder.path(), folder.path() / "filled.msh", where);
  return load_result(folder.path() / "filled.msh", surface, where);
}

}  // namespace distal
