// A small renderer of triangles into SVG: orthographic, sorted from far to near (painter's algorithm).
#pragma once
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "distal/geometry/triangle_mesh.hpp"
#include "distal/record/svg.hpp"

namespace distal {

// Where the viewer stands and how metres become pixels.
struct View {
  Vec3 right = Vec3::UnitX(), up = Vec3::UnitZ(), toward = -Vec3::UnitY();  // unit; `toward` points to the viewer
  double pixels_per_m = 1.0;
  Pixel origin = Pixel::Zero();  // of the world's origin

  Pixel project(const Vec3& p) const { return origin + pixels_per_m * Pixel(right.dot(p), -up.dot(p)); }
};

// A viewer at `azimuth_rad` from -y (towards +x) and `elevation_rad` above the horizon.
View make_view(double azimuth_rad, double elevation_rad);
// A viewer who looks against `toward`.
View make_view(const Vec3& toward);
// Scales and moves the view so that the points fill a picture of this size with a margin [pixels].
void fit_view(View& view, const std::vector<Vec3>& points, const Pixel& size, double margin);

class Painter {
 public:
  // Nothing outside `size` [pixels] is drawn.
  Painter(const View& view, const Pixel& size) : view_(view), size_(size) {}

  // Adds the triangles that face the viewer; `color` is asked once per triangle. Edges longer than `longest_m` are
  // split, as sorting by centres needs pieces of similar size.
  void add(const TriangleMesh& mesh, double longest_m,
           const std::function<Rgb(const std::array<std::int32_t, 3>&)>& color, bool shaded = true);
  std::string svg() const;

 private:
  struct Face {
    std::array<double, 3> nearness;  // of the corners, along the view [m]
    std::array<Pixel, 3> corners;
    std::string color;
  };
  void add_face(const std::array<Vec3, 3>& corners, double longest_m, const std::string& color);

  std::vector<Face> visible_faces() const;

  View view_;
  Pixel size_;
  std::vector<Face> faces_;
};

}  // namespace distal
