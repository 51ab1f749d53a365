// Joins the corners of triangles that have equal coordinates.
#pragma once
#include <array>
#include <map>
#include <string>
#include <utility>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

// Triangles without three different corners are left out.
class Welder {
 public:
  explicit Welder(std::string file) : file_(std::move(file)) {}

  // Three calls make a triangle. A point that is not finite is refused, with the file and "{place} {number}".
  void add_corner(const Vec3& p, const char* place, std::size_t number);
  // Refuses a mesh without triangles; `kind` is for the message ("STL").
  TriangleMesh finish(const char* kind);

 private:
  std::string file_;
  TriangleMesh mesh_;
  std::map<std::array<double, 3>, std::int32_t> number_;
  std::array<std::int32_t, 3> corners_{};
  int count_ = 0;
};

}  // namespace distal
