#include "distal/record/painter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace distal {

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
    const double brightness = shaded ? 0.62 + 0.42 * std::max(0.0, area.normalized().dot(light)) : 1.0;
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
  const Vec3 centre = (corners[0] + corners[1] + corners[2]) / 3.0;
  faces_.push_back({view_.toward.dot(centre),
                    {view_.project(corners[0]), view_.project(corners[1]), view_.project(corners[2])},
                    color});
}

std::string Painter::svg() {
  std::stable_sort(faces_.begin(), faces_.end(), [](const Face& a, const Face& b) { return a.nearness < b.nearness; });
  std::string svg, color;
  for (const Face& face : faces_) {
    if (face.color != color) {
      if (!svg.empty()) svg += "\"/>\n";
      svg += fmt::format("<path fill=\"{}\" d=\"", face.color);
      color = face.color;
    }
    // Grown by a third of a pixel, or the edges between neighbours would shine through.
    const Pixel centre = (face.corners[0] + face.corners[1] + face.corners[2]) / 3.0;
    std::array<Pixel, 3> grown;
    for (int i = 0; i < 3; ++i) {
      const Pixel out = face.corners[i] - centre;
      const double length = out.norm();
      grown[i] = length > 1e-9 ? Pixel(face.corners[i] + out * (0.5 / length)) : face.corners[i];
    }
    svg +=
        fmt::format("M{} {}L{} {} {} {}z", coordinate(grown[0].x()), coordinate(grown[0].y()), coordinate(grown[1].x()),
                    coordinate(grown[1].y()), coordinate(grown[2].x()), coordinate(grown[2].y()));
  }
  if (!svg.empty()) svg += "\"/>\n";
  return svg;
}

}  // namespace distal
