#include "distal/record/painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

double cross(const Pixel& a, const Pixel& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

View make_view(double azimuth_rad, double elevation_rad) {
  const double c = std::cos(elevation_rad);
  return make_view(Vec3(c * std::sin(azimuth_rad), -c * std::cos(azimuth_rad), std::sin(elevation_rad)));
}

View make_view(const Vec3& toward) {
  View view;
  view.toward = toward.normalized();
  const Vec3 hint = std::abs(view.toward.z()) < 0.95 ? Vec3(Vec3::UnitZ()) : Vec3(Vec3::UnitY());
  view.right = hint.cross(view.toward).normalized();
  view.up = view.toward.cross(view.right);
  return view;
}

void fit_view(View& view, const std::vector<Vec3>& points, const Pixel& size, double margin) {
  view.pixels_per_m = 1.0;
  view.origin.setZero();
  Pixel low = Pixel::Constant(1e300), high = Pixel::Constant(-1e300);
  for (const Vec3& point : points) {
    low = low.cwiseMin(view.project(point));
    high = high.cwiseMax(view.project(point));
  }
  if (points.empty()) low = high = Pixel::Zero();
  const Pixel extent = (high - low).cwiseMax(1e-6);
  view.pixels_per_m = ((size.array() - 2.0 * margin) / extent.array()).minCoeff();
  view.origin = 0.5 * size - view.pixels_per_m * 0.5 * (low + high);
}

void Painter::add(const TriangleMesh& mesh, double longest_m,
                  const std::function<Rgb(const std::array<std::int32_t, 3>&)>& color, bool shaded) {
  const Vec3 light = (0.45 * view_.right + 0.65 * view_.up + 0.75 * view_.toward).normalized();
  for (const auto& triangle : mesh.triangles) {
    const std::array<Vec3, 3> corners = {mesh.vertices[triangle[0]], mesh.vertices[triangle[1]],
                                         mesh.vertices[triangle[2]]};
    const Vec3 area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    if (area.dot(view_.toward) <= 0.0) continue;
    const double brightness = shaded ? 0.72 + 0.42 * std::max(0.0, area.normalized().dot(light)) : 1.0;
    add_face(corners, longest_m, hex(scaled(color(triangle), brightness)));
  }
}

void Painter::add_face(const std::array<Vec3, 3>& corners, double longest_m, const std::string& color) {
  int longest = 0;
  double length = 0.0;
  for (int edge = 0; edge < 3; ++edge) {
    const double candidate = (corners[(edge + 1) % 3] - corners[edge]).norm();
    if (candidate > length) {
      length = candidate;
      longest = edge;
    }
  }
  if (length > longest_m) {
    const Vec3& a = corners[longest];
    const Vec3& b = corners[(longest + 1) % 3];
    const Vec3& c = corners[(longest + 2) % 3];
    const Vec3 middle = 0.5 * (a + b);
    add_face({a, middle, c}, longest_m, color);
    add_face({middle, b, c}, longest_m, color);
    return;
  }
  const auto nearness = [&](int i) { return view_.toward.dot(corners[i]); };
  faces_.push_back({{nearness(0), nearness(1), nearness(2)},
                    {view_.project(corners[0]), view_.project(corners[1]), view_.project(corners[2])},
                    color});
}

// Rasters all faces into a depth buffer with half-pixel cells and keeps those that own a cell: hidden ones would only
// make the file larger.
std::vector<Painter::Face> Painter::visible_faces() const {
  constexpr double cells_per_pixel = 2.0;
  const int width = static_cast<int>(cells_per_pixel * size_.x()),
            height = static_cast<int>(cells_per_pixel * size_.y());
  std::vector<int> owner(static_cast<std::size_t>(width) * height, -1);
  std::vector<double> nearness(owner.size(), -1e300);
  for (std::size_t index = 0; index < faces_.size(); ++index) {
    const Face& face = faces_[index];
    const Pixel a = cells_per_pixel * face.corners[0], b = cells_per_pixel * face.corners[1],
                c = cells_per_pixel * face.corners[2];
    const Pixel low = a.cwiseMin(b).cwiseMin(c).cwiseMax(0.0), high = a.cwiseMax(b).cwiseMax(c);
    const double area = cross(b - a, c - a);
    if (std::abs(area) < 1e-12) continue;
    for (int y = static_cast<int>(low.y()); y < std::min(height, static_cast<int>(high.y()) + 1); ++y)
      for (int x = static_cast<int>(low.x()); x < std::min(width, static_cast<int>(high.x()) + 1); ++x) {
        const Pixel cell(x + 0.5, y + 0.5);
        const double wa = cross(b - cell, c - cell) / area, wb = cross(c - cell, a - cell) / area, wc = 1.0 - wa - wb;
        if (std::min({wa, wb, wc}) < 0.0) continue;
        const double here = wa * face.nearness[0] + wb * face.nearness[1] + wc * face.nearness[2];
        const auto at = static_cast<std::size_t>(y) * width + x;
        if (here <= nearness[at]) continue;
        nearness[at] = here;
        owner[at] = static_cast<int>(index);
      }
  }
  std::vector<bool> seen(faces_.size(), false);
  for (const int index : owner)
    if (index >= 0) seen[index] = true;
  std::vector<Face> visible;
  for (std::size_t index = 0; index < faces_.size(); ++index)
    if (seen[index]) visible.push_back(faces_[index]);
  return visible;
}

std::string Painter::svg() const {
  std::vector<Face> faces = visible_faces();
  const auto middle = [](const Face& face) { return face.nearness[0] + face.nearness[1] + face.nearness[2]; };
  std::stable_sort(faces.begin(), faces.end(), [&](const Face& a, const Face& b) { return middle(a) < middle(b); });
  std::string svg = "<g class=\"mesh\">\n", color;
  for (const Face& face : faces) {
    if (face.color != color) {
      svg += fmt::format("{}<path color=\"{}\" d=\"", color.empty() ? "" : "\"/>\n", face.color);
      color = face.color;
    }
    const auto& [a, b, c] = face.corners;
    svg += fmt::format("M{} {}L{} {} {} {}z", coordinate(a.x()), coordinate(a.y()), coordinate(b.x()),
                       coordinate(b.y()), coordinate(c.x()), coordinate(c.y()));
  }
  return svg + (color.empty() ? "</g>\n" : "\"/>\n</g>\n");
}

}  // namespace distal
