#include "distal/record/snapshot_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "distal/record/coarse_mesh.hpp"
#include "distal/record/picture_size.hpp"
#include "distal/record/plane_square.hpp"
#include "distal/record/quantity.hpp"

namespace distal {
namespace {

constexpr std::size_t most_triangles = 5000;  // per body, of which about half are seen
constexpr Rgb rod_color = {0.66, 0.68, 0.72}, rigid_color = {0.84, 0.75, 0.60}, soft_color = {0.30, 0.55, 0.60};

double longest_edge_m(const View& view) { return 24.0 / view.pixels_per_m; }

// A shaft and `heads` open heads, from E; nothing where it would be too short to see.
std::string arrow_svg(const Pixel& from, const Pixel& along, int heads, const char* css_class) {
  const double length = along.norm();
  if (length < 4.0) return {};
  const Pixel unit = along / length, side(-unit.y(), unit.x());
  std::string svg = svg_line(from, from + along, css_class);
  for (int head = 0; head < heads; ++head) {
    const Pixel point = from + along - unit * (6.0 * head);
    svg += svg_line(point, point - 7.0 * unit + 4.0 * side, css_class);
    svg += svg_line(point, point - 7.0 * unit - 4.0 * side, css_class);
  }
  return svg;
}

// Force and torque that the tip exerts on the rod at E, with one and two heads, and their sizes.
std::string wrench_svg(const BodySnapshot& body, const PictureScale& scale, double text_y) {
  const Wrench world = rotated(body.end_pose.q, body.feedback.tip);
  const Pixel end = scale.view.project(body.end_pose.position);
  const auto arrow = [&](const Vec3& vector, double largest, int heads, const char* css_class) {
    if (largest <= 0.0) return std::string();
    const Vec3 shown = vector / largest;
    const Pixel along = longest_arrow * Pixel(scale.view.right.dot(shown), -scale.view.up.dot(shown));
    return arrow_svg(end, along, heads, css_class);
  };
  // What is nothing beside the largest is rounding.
  const auto size = [](const Vec3& vector, double largest, const char* unit) {
    return quantity(vector.norm() < 1e-6 * largest ? 0.0 : vector.norm(), unit);
  };
  return arrow(world.force, scale.largest_force_n, 1, "arrow s0") +
         arrow(world.torque, scale.largest_torque_n_m, 2, "arrow s2") +
         fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"2.5\" class=\"dot\"/>\n", coordinate(end.x()),
                     coordinate(end.y())) +
         svg_text({8.0, text_y}, "f = " + size(world.force, scale.largest_force_n, "N"), "value f0") +
         svg_text({8.0, text_y + 16.0}, "τ = " + size(world.torque, scale.largest_torque_n_m, "N m"), "value f2");
}

std::string wrenches_svg(const Frame& frame, const PictureScale& scale) {
  std::string svg;
  double text_y = 18.0;
  for (const BodySnapshot& body : frame.bodies) {
    if (body.kind != "fingertip") continue;
    svg += wrench_svg(body, scale, text_y);
    text_y += 36.0;
  }
  return svg;
}

void add_surface(Painter& painter, const BodySnapshot& body, const PictureScale& scale) {
  const double longest = longest_edge_m(scale.view);
  if (body.displacement_m.empty()) {
    const Rgb color = body.pressure_pa.empty() ? rigid_color : soft_color;
    painter.add(body.surface, longest, [&](const auto&) { return color; });
    return;
  }
  ColoredMesh fine{body.surface, {}};
  for (const Vec3& displacement : body.displacement_m) fine.values.push_back(displacement.norm());
  const ColoredMesh drawn = coarse_mesh(std::move(fine), most_triangles);
  const double largest = std::max(scale.largest_displacement_m, 1e-12);
  painter.add(drawn.mesh, longest, [&](const std::array<std::int32_t, 3>& t) {
    return viridis((drawn.values[t[0]] + drawn.values[t[1]] + drawn.values[t[2]]) / (3.0 * largest));
  });
}

std::string open_picture(const Snapshot& snapshot) {
  return svg_open(picture_width, picture_height, "picture", snapshot.caption);
}

// Springs as one path for each of three layers of depth: the far ones are drawn first and fainter.
std::array<std::string, 3> spring_layers(const Frame& frame, const View& view) {
  std::array<std::string, 3> layers;
  for (const BodySnapshot& body : frame.bodies) {
    if (body.springs.empty()) continue;
    double low = 1e300, high = -1e300;
    for (const Vec3& particle : body.particles) {
      low = std::min(low, view.toward.dot(particle));
      high = std::max(high, view.toward.dot(particle));
    }
    // Of a fine lattice the far side would only add grey, and beyond some thousand lines a picture is only darker.
    const bool is_fine = body.springs.size() > 5000;
    const std::size_t stride = body.springs.size() / 10000 + 1;
    for (std::size_t i = 0; i < body.springs.size(); i += stride) {
      const Vec3 &a = body.particles[body.springs[i][0]], &b = body.particles[body.springs[i][1]];
      const double share = (0.5 * view.toward.dot(a + b) - low) / std::max(high - low, 1e-12);
      if (is_fine && share < 0.4) continue;
      const Pixel from = view.project(a), step = view.project(b) - from;
      layers[share < 0.4   ? 0
             : share < 0.7 ? 1
                           : 2] += fmt::format("M{} {}l{} {}", coordinate(from.x()), coordinate(from.y()),
                                               coordinate(step.x()), coordinate(step.y()));
    }
  }
  return layers;
}

}  // namespace

std::string surface_picture_svg(const Snapshot& snapshot, const PictureScale& scale) {
  const Frame& frame = *snapshot.frame;
  Painter painter(scale.view, {picture_width, picture_height});
  for (const BodySnapshot& body : frame.bodies) {
    if (body.kind == "plane") continue;
    add_surface(painter, body, scale);
    painter.add(body.rod, longest_edge_m(scale.view), [](const auto&) { return rod_color; });
  }
  return open_picture(snapshot) + planes_svg(frame, scale.view) + painter.svg() + wrenches_svg(frame, scale) +
         "</svg>\n";
}

bool has_lattice(const Frame& frame) {
  return std::any_of(frame.bodies.begin(), frame.bodies.end(), [](const auto& body) { return !body.springs.empty(); });
}

std::string lattice_picture_svg(const Snapshot& snapshot, const PictureScale& scale) {
  const Frame& frame = *snapshot.frame;
  Painter painter(scale.view, {picture_width, picture_height});
  for (const BodySnapshot& body : frame.bodies) {
    painter.add(body.rod, longest_edge_m(scale.view), [](const auto&) { return rod_color; });
    if (body.kind == "rigid")
      painter.add(body.surface, longest_edge_m(scale.view), [](const auto&) { return rigid_color; });
  }
  const auto layers = spring_layers(frame, scale.view);
  const auto path = [](const std::string& lines, int layer) {
    return fmt::format("<path class=\"spring d{}\" d=\"{}\"/>\n", layer, lines);
  };
  return open_picture(snapshot) + planes_svg(frame, scale.view) + path(layers[0], 0) + painter.svg() +
         path(layers[1], 1) + path(layers[2], 2) + wrenches_svg(frame, scale) + "</svg>\n";
}

}  // namespace distal
