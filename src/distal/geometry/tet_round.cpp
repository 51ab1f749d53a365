// Cylinder, sphere and capsule from one grid of whole numbers (i, j, level).
//
// A disc is made of rings: all (i, j) with |i| + |j| = s lie on ring s, equally far apart in angle. Around the straight
// part, levels of discs make prisms. In a dome, level k above its base goes up to |i| + |j| + k = n, and all points
// with the same sum lie on one spherical shell: an octahedron blown up to a ball.
#include <cstdlib>
#include <numbers>
#include <utility>

#include "distal/geometry/tet_shape_checks.hpp"

namespace distal {
namespace {

using Point = Eigen::Vector3i;  // i, j, level

// Between rings and between levels, as shares of edge_m, so that the mean edge is about edge_m. Around a circle edges
// are pi / 2 times, and in the middle of a dome up to 2.8 times as long as between rings.
constexpr double disc_ring_share = 0.67;
constexpr double dome_ring_share = 0.6;
constexpr double level_share = 0.71;

struct RoundShape {
  double radius_m;
  double straight_m;  // length of the straight part
  int rings;
  int levels;  // of the straight part, above z = 0
  int dome;    // levels of a dome: `rings` or 0

  int top() const { return levels + dome; }
  // Rings of a level.
  int rings_at(int level) const { return rings - std::max(0, std::abs(level) - levels); }

  Vec3 position(const Point& p) const {
    const Eigen::Array3i steps(std::abs(p.x()), std::abs(p.y()), std::max(0, std::abs(p.z()) - levels));
    const int shell = steps.sum();
    Vec3 at = Vec3::Zero();
    if (shell > 0) {
      // On each of the octahedron's edges this divides the angle evenly, and in between nearly so.
      const Vec3 direction = (0.5 * std::numbers::pi / shell * steps.cast<double>()).sin();
      at = radius_m * shell / rings * direction.normalized();
    }
    at.z() += std::abs(p.z()) < levels ? 0.5 * straight_m * std::abs(p.z()) / levels : 0.5 * straight_m;
    // Signs last, so that mirror images agree in every bit.
    for (int axis = 0; axis < 3; ++axis) at[axis] = std::copysign(at[axis], p[axis]);
    return at;
  }
};

class RoundMesher {
 public:
  explicit RoundMesher(const RoundShape& shape) : shape_(shape), width_(2 * shape.rings + 1) {
    number_.assign(static_cast<std::size_t>(width_) * width_ * (2 * shape_.top() + 1), -1);
    add_vertices();
    // One octant after the other, each the mirror image of the first.
    for (int octant = 0; octant < 8; ++octant) {
      sign_ = {octant & 1 ? -1 : 1, octant & 2 ? -1 : 1, octant & 4 ? -1 : 1};
      for (int level = 0; level < shape_.levels; ++level) add_prisms(level);
      for (int k = 0; k < shape_.dome; ++k) add_shells(k);
    }
  }

  TetMesh take() { return std::move(mesh_); }

 private:
  std::size_t place(const Point& p) const {
    return (static_cast<std::size_t>(p.z() + shape_.top()) * width_ + (p.y() + shape_.rings)) * width_ +
           (p.x() + shape_.rings);
  }

  void add_vertices() {
    for (int level = -shape_.top(); level <= shape_.top(); ++level) {
      const int rings = shape_.rings_at(level);
      for (int j = -rings; j <= rings; ++j) {
        const int most = rings - std::abs(j);
        for (int i = -most; i <= most; ++i) {
          number_[place({i, j, level})] = static_cast<std::int32_t>(mesh_.vertices.size());
          mesh_.vertices.push_back(shape_.position({i, j, level}));
        }
      }
    }
  }

  // Points of the first octant; turned the right way round.
  void add_cell(const std::array<Point, 4>& points) {
    std::array<std::int32_t, 4> cell;
    for (int n = 0; n < 4; ++n) cell[n] = number_[place(points[n].cwiseProduct(sign_))];
    mesh_.cells.push_back(cell);
    if (cell_volume(mesh_, mesh_.cells.size() - 1) < 0.0) std::swap(mesh_.cells.back()[2], mesh_.cells.back()[3]);
  }

  // Between two levels of the straight part.
  void add_prisms(int level) {
    const Point x(1, 0, 0);
    const Point y(0, 1, 0);
    for (int b = 0; b < shape_.rings; ++b) {
      for (int a = 0; a + b < shape_.rings; ++a) {
        const Point p(a, b, level);
        add_prism({p, p + x, p + y});
        if (a + b + 1 < shape_.rings) add_prism({p + x + y, p + y, p + x});
      }
    }
  }

  // Every disc vertex has one of three colours, and no triangle has one twice. Diagonals rise from the lower colour to
  // the higher one, so that neighbours agree; in every second level they fall, which mirrors the mesh in z = 0.
  void add_prism(std::array<Point, 3> base) {
    std::array<Point, 3> sorted;
    for (const Point& p : base) sorted[(p.x() + 2 * p.y()) % 3] = p;
    std::array<Point, 3> other = sorted;
    for (Point& p : other) ++p.z();
    if (base[0].z() % 2 == 1) std::swap(sorted, other);
    add_cell({sorted[0], sorted[1], sorted[2], other[2]});
    add_cell({sorted[0], sorted[1], other[1], other[2]});
    add_cell({sorted[0], other[0], other[1], other[2]});
  }

  // Cubes of whole numbers, cut by the shells into a corner, an octahedron and the opposite corner.
  void add_shells(int k) {
    const std::array<Point, 3> e{Point(1, 0, 0), Point(0, 1, 0), Point(0, 0, 1)};
    for (int b = 0; b + k < shape_.rings; ++b) {
      for (int a = 0; a + b + k < shape_.rings; ++a) {
        const Point p(a, b, shape_.levels + k);
        const Point q = p + Point::Ones();
        add_cell({p, p + e[0], p + e[1], p + e[2]});
        if (a + b + k + 1 < shape_.rings)
          add_octahedron({p + e[0], p + e[1], p + e[2]}, {q - e[0], q - e[1], q - e[2]});
        if (a + b + k + 2 < shape_.rings) add_cell({q, q - e[0], q - e[1], q - e[2]});
      }
    }
  }

  // near[n] is opposite to far[n]. Four tetrahedra around the shortest diagonal.
  void add_octahedron(const std::array<Point, 3>& near, const std::array<Point, 3>& far) {
    int shortest = 0;
    double length = 1e300;
    for (int n = 0; n < 3; ++n) {
      const double diagonal = (shape_.position(near[n]) - shape_.position(far[n])).norm();
      // A tie must not be decided by rounding.
      if (diagonal < (1.0 - 1e-9) * length) {
        shortest = n;
        length = diagonal;
      }
    }
    const int u = (shortest + 1) % 3;
    const int v = (shortest + 2) % 3;
    const std::array<Point, 5> ring{near[u], near[v], far[u], far[v], near[u]};
    for (int n = 0; n < 4; ++n) add_cell({near[shortest], far[shortest], ring[n], ring[n + 1]});
  }

  RoundShape shape_;
  int width_;
  Point sign_;
  std::vector<std::int32_t> number_;  // of each point of the grid, -1 outside
  TetMesh mesh_;
};

TetMesh make_round_mesh(double radius_m, double straight_m, bool domes, double edge_m) {
  check_size("radius_m", radius_m);
  check_size("edge_m", edge_m);
  const double rings = count_parts(radius_m, (domes ? dome_ring_share : disc_ring_share) * edge_m, 2.0);
  const double levels = straight_m > 0.0 ? count_parts(straight_m, 2.0 * level_share * edge_m, 1.0) : 0.0;
  // A disc of n rings has 4 n^2 triangles, each a prism of three cells; a ball has 8 n^3 cells.
  check_cell_count(24.0 * rings * rings * levels + (domes ? 8.0 * rings * rings * rings : 0.0), edge_m);
  const int n = static_cast<int>(rings);
  return RoundMesher({radius_m, straight_m, n, static_cast<int>(levels), domes ? n : 0}).take();
}

}  // namespace

TetMesh make_cylinder_mesh(double radius_m, double height_m, double edge_m) {
  check_size("height_m", height_m);
  return make_round_mesh(radius_m, height_m, false, edge_m);
}

TetMesh make_sphere_mesh(double radius_m, double edge_m) { return make_round_mesh(radius_m, 0.0, true, edge_m); }

TetMesh make_capsule_mesh(double radius_m, double length_m, double edge_m) {
  check_size("length_m", length_m);
  return make_round_mesh(radius_m, length_m, true, edge_m);
}

}  // namespace distal
