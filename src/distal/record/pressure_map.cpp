#include "distal/record/pressure_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "distal/record/coarse_mesh.hpp"
#include "distal/record/painter.hpp"
#include "distal/record/plane_square.hpp"
#include "distal/record/quantity.hpp"

namespace distal {
namespace {

constexpr Rgb untouched_color = {0.80, 0.82, 0.85};
constexpr double kMapWidth = 420.0, kMapHeight = 470.0, kMapSide = 400.0;  // the map is a square above its colour bar

const BodySnapshot* most_pressed(const Frame& frame) {
  const BodySnapshot* best = nullptr;
  double most = 0.0;
  for (const BodySnapshot& body : frame.bodies)
    for (const double pressure : body.pressure_pa)
      if (pressure > most) {
        most = pressure;
        best = &body;
      }
  return best;
}

// What presses where the pressure is largest; the forces of a grip would take each other away.
Vec3 pressing_force(const BodySnapshot& body) {
  const auto peak = std::max_element(body.pressure_pa.begin(), body.pressure_pa.end()) - body.pressure_pa.begin();
  if (body.contact_force_n.size() != body.pressure_pa.size()) return Vec3::Zero();
  const Vec3 there = body.contact_force_n[static_cast<std::size_t>(peak)];
  Vec3 force = Vec3::Zero();
  for (const Vec3& part : body.contact_force_n)
    if (part.dot(there) > 0.0) force += part;
  return force;
}

// The side from which the pressed patch is seen best: below a plane that presses it, else against the force.
Vec3 viewer_side(const Frame& frame, const BodySnapshot& body) {
  const Vec3 force = pressing_force(body);
  if (const auto normal = plane_normal(frame); normal && force.dot(*normal) >= 0.5 * force.norm()) return -*normal;
  if (force.norm() > 0.0) return -force;
  return body.end_pose.q * Vec3::UnitZ();
}

// The pressed points and a margin as wide as they are.
std::vector<Vec3> neighbourhood(const BodySnapshot& body) {
  Vec3 centre = Vec3::Zero();
  double total = 0.0;
  for (std::size_t i = 0; i < body.pressure_pa.size(); ++i) {
    centre += body.pressure_pa[i] * body.surface.vertices[i];
    total += body.pressure_pa[i];
  }
  centre /= total;
  double radius = 1e-4;
  for (std::size_t i = 0; i < body.pressure_pa.size(); ++i)
    if (body.pressure_pa[i] > 0.0) radius = std::max(radius, (body.surface.vertices[i] - centre).norm());
  std::vector<Vec3> corners;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0}) corners.push_back(centre + 1.1 * radius * Vec3(x, y, z));
  return corners;
}

// The part of the surface around the box of `corners`, not finer than a picture can show.
ColoredMesh shown_part(const BodySnapshot& body, const std::vector<Vec3>& corners) {
  Aabb box;
  const Vec3 middle = 0.5 * (corners.front() + corners.back());
  for (const Vec3& corner : corners) box.add(middle + 1.5 * (corner - middle));  // fills the picture's corners too
  ColoredMesh part{{body.surface.vertices, {}}, body.pressure_pa};
  for (const auto& triangle : body.surface.triangles) {
    const Vec3& p = body.surface.vertices[triangle[0]];
    if ((p.array() >= box.min.array()).all() && (p.array() <= box.max.array()).all())
      part.mesh.triangles.push_back(triangle);
  }
  return coarse_mesh(std::move(part), 6000);
}

std::string scale_bar(double pixels_per_m) {
  const double length = std::pow(10.0, std::floor(std::log10(0.4 * kMapSide / pixels_per_m)));
  const double px = length * pixels_per_m;
  return fmt::format("<rect x=\"6\" y=\"{}\" width=\"{}\" height=\"32\" rx=\"4\" class=\"label\"/>\n", kMapSide - 38.0,
                     coordinate(std::max(px, 36.0) + 16.0)) +
         svg_line({14.0, kMapSide - 14.0}, {14.0 + px, kMapSide - 14.0}, "bar") +
         svg_text({14.0, kMapSide - 22.0}, quantity(length, "m"), "tick");
}

}  // namespace

std::string pressure_map_svg(const Frame& frame) {
  const BodySnapshot* body = most_pressed(frame);
  if (body == nullptr) return {};
  View view = make_view(viewer_side(frame, *body));
  const std::vector<Vec3> corners = neighbourhood(*body);
  fit_view(view, corners, {kMapSide, kMapSide}, 10.0);
  const ColoredMesh part = shown_part(*body, corners);
  const double largest = *std::max_element(body->pressure_pa.begin(), body->pressure_pa.end());
  Painter painter(view, {kMapSide, kMapSide});
  const auto color = [&](const std::array<std::int32_t, 3>& t) {
    const double mean = (part.values[t[0]] + part.values[t[1]] + part.values[t[2]]) / 3.0;
    return mean > 0.0 ? viridis(mean / largest) : untouched_color;
  };
  painter.add(part.mesh, 1e9, color, false);
  std::string svg = svg_open(kMapWidth, kMapHeight, "map", "Pressure map seen from below");
  svg += fmt::format("<clipPath id=\"patch\"><rect width=\"{0}\" height=\"{0}\" rx=\"6\"/></clipPath>\n", kMapSide);
  svg += "<g clip-path=\"url(#patch)\">\n" + painter.svg() + "</g>\n" + scale_bar(view.pixels_per_m);
  svg += color_bar({20.0, kMapSide + 30.0}, kMapSide - 40.0, largest, "Pa", fmt::format("pressure on {}", body->name));
  return svg + "</svg>\n";
}

std::string taxel_map_svg(const TaxelGrid& grid) {
  const double largest = std::max(1e-12, *std::max_element(grid.pressure_pa.begin(), grid.pressure_pa.end()));
  const double cell = kMapSide / std::max(grid.rows, grid.columns);
  const double left = 0.5 * (kMapSide - cell * grid.columns), top = 0.5 * (kMapSide - cell * grid.rows);
  std::string svg = svg_open(kMapWidth, kMapHeight, "map", "Taxel grid");
  for (int row = 0; row < grid.rows; ++row)
    for (int column = 0; column < grid.columns; ++column) {
      const double pressure = grid.pressure_pa[static_cast<std::size_t>(row) * grid.columns + column];
      svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"><title>{}</title></rect>\n",
                         coordinate(left + cell * column), coordinate(top + cell * row), coordinate(cell - 1.0),
                         coordinate(cell - 1.0), hex(viridis(pressure / largest)), quantity(pressure, "Pa"));
    }
  svg += color_bar({20.0, kMapSide + 30.0}, kMapSide - 40.0, largest, "Pa", fmt::format("taxels of {}", grid.name));
  return svg + "</svg>\n";
}

}  // namespace distal
