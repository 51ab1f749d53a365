#include "distal/geometry/box_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "distal/core/error.hpp"

namespace distal {
namespace {

using Index3 = std::array<std::int32_t, 3>;

std::int32_t count_intervals(double length, double edge_m) {
  const double fewer = std::max(1.0, std::floor(length / edge_m));
  const double more = fewer + 1.0;
  return static_cast<std::int32_t>(std::abs(length / more - edge_m) < std::abs(length / fewer - edge_m) ? more : fewer);
}

// Numbers the grid points on the box's surface; a point on an edge or corner is met from several faces.
class SurfaceGrid {
 public:
  SurfaceGrid(const Vec3& size_m, double edge_m) : size_m_(size_m) {
    for (int axis = 0; axis < 3; ++axis) intervals_[axis] = count_intervals(size_m[axis], edge_m);
    for (int axis = 0; axis < 3; ++axis) {
      const std::size_t points = std::size_t(intervals_[(axis + 1) % 3] + 1) * (intervals_[(axis + 2) % 3] + 1);
      for (auto& face : number_[axis]) face.assign(points, -1);
    }
  }

  void add_face(int axis, bool upper) {
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    Index3 corner{};
    corner[axis] = upper ? intervals_[axis] : 0;
    for (corner[v] = 0; corner[v] < intervals_[v]; ++corner[v]) {
      for (corner[u] = 0; corner[u] < intervals_[u]; ++corner[u]) add_cell(corner, u, v, upper);
    }
  }

  TriangleMesh mesh;

 private:
  void add_cell(const Index3& corner, int u, int v, bool upper) {
    const auto vertex = [&](int du, int dv) {
      Index3 index = corner;
      index[u] += du;
      index[v] += dv;
      return find_or_add_vertex(index);
    };
    const std::int32_t a = vertex(0, 0), b = vertex(1, 0), c = vertex(1, 1), d = vertex(0, 1);
    if (upper) {
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    } else {
      mesh.triangles.push_back({a, c, b});
      mesh.triangles.push_back({a, d, c});
    }
  }

  std::int32_t find_or_add_vertex(const Index3& index) {
    // The lowest axis whose face holds the point owns its number.
    int axis = 0;
    while (index[axis] != 0 && index[axis] != intervals_[axis]) ++axis;
    const int u = (axis + 1) % 3;
    const int v = (axis + 2) % 3;
    auto& number = number_[axis][index[axis] == 0 ? 0 : 1][std::size_t(index[v]) * (intervals_[u] + 1) + index[u]];
    if (number < 0) {
      number = static_cast<std::int32_t>(mesh.vertices.size());
      Vec3 p;
      // Symmetric in both ends, so that the faces lie exactly at half the size.
      for (int k = 0; k < 3; ++k) p[k] = 0.5 * size_m_[k] * (2 * index[k] - intervals_[k]) / intervals_[k];
      mesh.vertices.push_back(p);
    }
    return number;
  }

  Vec3 size_m_;
  Index3 intervals_{};
  std::array<std::array<std::vector<std::int32_t>, 2>, 3> number_;
};

}  // namespace

TriangleMesh make_box_mesh(const Vec3& size_m, double edge_m) {
  DISTAL_ASSERT(size_m.minCoeff() > 0.0 && edge_m > 0.0);
  SurfaceGrid grid(size_m, edge_m);
  for (int axis = 0; axis < 3; ++axis) {
    grid.add_face(axis, false);
    grid.add_face(axis, true);
  }
  return std::move(grid.mesh);
}

double box_signed_distance(const Vec3& half_size_m, const Vec3& p) {
  const Vec3 beyond = p.cwiseAbs() - half_size_m;
  return beyond.maxCoeff() > 0.0 ? beyond.cwiseMax(0.0).stableNorm() : beyond.maxCoeff();
}

}  // namespace distal
