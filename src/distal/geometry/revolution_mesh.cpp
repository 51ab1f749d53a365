#include "distal/geometry/revolution_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr double pi = std::numbers::pi;
const double height_per_edge = std::sqrt(3.0) / 2.0;

// The vertices of one row, in order of angle; `per_quarter` is 0 for the single vertex on the axis.
struct Ring {
  std::int32_t first = 0;
  std::int32_t per_quarter = 0;

  // Vertex i of the given quarter; i may run one past the quarter's end, onto the next.
  std::int32_t at(std::int32_t quarter, std::int32_t i) const {
    return per_quarter == 0 ? first : first + (quarter * per_quarter + i) % (4 * per_quarter);
  }
};

std::int32_t count_per_quarter(double radius, double edge_m) {
  // Fewer than 8 around the axis would make the triangles there much larger than the others.
  return std::max(2, static_cast<std::int32_t>(std::lround(0.5 * pi * radius / edge_m)));
}

Ring add_ring(MeridianPoint row, bool shifted, double edge_m, TriangleMesh& mesh) {
  Ring ring{static_cast<std::int32_t>(mesh.vertices.size()), 0};
  if (row.radius == 0.0) {
    mesh.vertices.emplace_back(0.0, 0.0, row.z);
    return ring;
  }
  ring.per_quarter = count_per_quarter(row.radius, edge_m);
  // Quarters are copies turned by exactly 90 degrees, without rounding.
  for (int quarter = 0; quarter < 4; ++quarter) {
    for (std::int32_t i = 0; i < ring.per_quarter; ++i) {
      const double angle = 0.5 * pi * (i + (shifted ? 0.5 : 0.0)) / ring.per_quarter;
      double x = row.radius * std::cos(angle);
      double y = row.radius * std::sin(angle);
      for (int turn = 0; turn < quarter; ++turn) {
        const double old_x = x;
        x = -y;
        y = old_x;
      }
      mesh.vertices.emplace_back(x, y, row.z);
    }
  }
  return ring;
}

// Fills the band between two rings in the first quarter, always taking the shorter diagonal, and copies it to the
// others.
void add_band(const Ring& upper, const Ring& lower, TriangleMesh& mesh) {
  const auto distance = [&](std::int32_t a, std::int32_t b) { return (mesh.vertices[a] - mesh.vertices[b]).norm(); };
  std::int32_t i = 0;
  std::int32_t j = 0;
  while (i < upper.per_quarter || j < lower.per_quarter) {
    bool advance_upper = j == lower.per_quarter;
    if (!advance_upper && i < upper.per_quarter) {
      // A tie must not be decided by rounding.
      const double upper_diagonal = distance(upper.at(0, i + 1), lower.at(0, j));
      const double lower_diagonal = distance(upper.at(0, i), lower.at(0, j + 1));
      advance_upper = upper_diagonal < lower_diagonal * (1.0 + 1e-9);
    }
    for (int quarter = 0; quarter < 4; ++quarter) {
      const std::int32_t third = advance_upper ? upper.at(quarter, i + 1) : lower.at(quarter, j + 1);
      mesh.triangles.push_back({upper.at(quarter, i), lower.at(quarter, j), third});
    }
    ++(advance_upper ? i : j);
  }
}

}  // namespace

Meridian::Meridian(MeridianPoint start, double edge_m) : rows_{start}, edge_m_(edge_m) { DISTAL_ASSERT(edge_m > 0.0); }

int Meridian::count_steps(double length_m) const {
  return std::max(1, static_cast<int>(std::lround(length_m / (height_per_edge * edge_m_))));
}

void Meridian::add_dome_and_wall(double length_m) {
  const double radius = rows_.back().z;
  DISTAL_ASSERT(rows_.back().radius == 0.0 && radius > 0.0 && length_m >= 0.0);
  const double arc = 0.5 * pi * radius;
  const int steps = std::max(2, count_steps(arc + length_m));
  for (int k = 1; k < steps; ++k) {
    const double s = (arc + length_m) * k / steps;
    if (s < arc) {
      rows_.push_back({radius * std::sin(s / radius), radius * std::cos(s / radius)});
    } else {
      rows_.push_back({radius, arc - s});
    }
  }
  rows_.push_back({radius, -length_m});
}

void Meridian::add_line(MeridianPoint end) {
  const MeridianPoint start = rows_.back();
  const int steps = count_steps(std::hypot(end.radius - start.radius, end.z - start.z));
  for (int k = 1; k < steps; ++k) {
    const double t = static_cast<double>(k) / steps;
    rows_.push_back({start.radius + t * (end.radius - start.radius), start.z + t * (end.z - start.z)});
  }
  rows_.push_back(end);
}

void Meridian::move(double z_m) {
  for (MeridianPoint& row : rows_) row.z += z_m;
}

void Meridian::add_mirror_image() {
  for (int k = static_cast<int>(rows_.size()) - 2; k >= 0; --k) rows_.push_back({rows_[k].radius, -rows_[k].z});
}

TriangleMesh make_revolution_mesh(const Meridian& meridian, double edge_m) {
  TriangleMesh mesh;
  Ring upper;
  const auto& rows = meridian.rows();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    // The vertices of an open rim have triangles on one side only: fewer of them make the areas more even.
    const bool at_end = k == 0 || k + 1 == rows.size();
    // Every second ring is turned by half a step, which makes neighbours of equal count equilateral.
    const Ring lower = add_ring(rows[k], k % 2 == 0, at_end ? 1.25 * edge_m : edge_m, mesh);
    if (k > 0) add_band(upper, lower, mesh);
    upper = lower;
  }
  return mesh;
}

}  // namespace distal
