#include "distal/geometry/strand_mesh.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "distal/core/error.hpp"

namespace distal {
namespace {

Vec3 catmull_rom(const std::vector<Vec3>& points, std::size_t piece, double t) {
  const Vec3 &a = points[piece], &b = points[piece + 1];
  // Beyond the ends the curve goes on as it came.
  const Vec3 before = piece > 0 ? points[piece - 1] : Vec3(2.0 * a - b);
  const Vec3 behind = piece + 2 < points.size() ? points[piece + 2] : Vec3(2.0 * b - a);
  return 0.5 * (2.0 * a + t * (b - before) + t * t * (2.0 * before - 5.0 * a + 4.0 * b - behind) +
                t * t * t * (3.0 * a - before - 3.0 * b + behind));
}

struct SectionFrame {
  Vec3 along, u, v;
};

Vec3 across_of(const Vec3& along) {
  const Vec3 helper = std::abs(along.y()) < 0.9 ? Vec3::UnitY() : Vec3::UnitZ();
  return (helper - helper.dot(along) * along).normalized();
}

// Frames that do not turn about the line: the double reflection of Wang et al. (2008).
std::vector<SectionFrame> make_frames(const std::vector<Vec3>& line) {
  std::vector<SectionFrame> frames;
  for (std::size_t r = 0; r < line.size(); ++r) {
    const Vec3 along = (line[std::min(r + 1, line.size() - 1)] - line[r > 0 ? r - 1 : 0]).normalized();
    Vec3 u = across_of(along);
    if (r > 0) {
      const SectionFrame& last = frames.back();
      const Vec3 step = line[r] - line[r - 1];
      const Vec3 u_mirrored = last.u - 2.0 / step.squaredNorm() * step.dot(last.u) * step;
      const Vec3 along_mirrored = last.along - 2.0 / step.squaredNorm() * step.dot(last.along) * step;
      const Vec3 second = along - along_mirrored;
      u = second.squaredNorm() > 0.0 ? Vec3(u_mirrored - 2.0 / second.squaredNorm() * second.dot(u_mirrored) * second)
                                     : u_mirrored;
      u = (u - u.dot(along) * along).normalized();
    }
    frames.push_back({along, u, along.cross(u)});
  }
  return frames;
}

void check_line(const std::vector<Vec3>& line, double radius, const std::string& where) {
  double length = 0.0;
  for (std::size_t r = 0; r + 1 < line.size(); ++r) length += (line[r + 1] - line[r]).norm();
  if (!(length >= radius))
    throw InputError(
        fmt::format("{}: the strand is {:.4g} m long, allowed: at least its radius, {:.4g} m", where, length, radius));
  for (std::size_t r = 1; r + 1 < line.size(); ++r) {
    const Vec3 before = line[r] - line[r - 1], behind = line[r + 1] - line[r];
    const double turn = std::atan2(before.cross(behind).norm(), before.dot(behind));
    const double bend = 0.5 * (before.norm() + behind.norm()) / std::max(turn, 1e-12);
    if (bend < radius)
      throw InputError(
          fmt::format("{}.points_m: the centre line turns with a radius of {:.4g} m near ({:.4g}, {:.4g}, "
                      "{:.4g}) m, allowed: at least the strand's radius, {:.4g} m",
                      where, bend, line[r].x(), line[r].y(), line[r].z(), radius));
  }
}

}  // namespace

std::vector<Vec3> make_centre_line(const std::vector<Vec3>& points, double spacing) {
  DISTAL_ASSERT(points.size() >= 2);
  // Fine enough that its length is the curve's.
  constexpr int kParts = 200;
  std::vector<Vec3> fine{points.front()};
  for (std::size_t piece = 0; piece + 1 < points.size(); ++piece)
    for (int k = 1; k <= kParts; ++k) fine.push_back(catmull_rom(points, piece, k / static_cast<double>(kParts)));
  std::vector<double> travelled{0.0};
  for (std::size_t k = 1; k < fine.size(); ++k) travelled.push_back(travelled.back() + (fine[k] - fine[k - 1]).norm());
  const double length = travelled.back();
  const int steps = std::max(1, static_cast<int>(std::lround(length / spacing)));
  std::vector<Vec3> line{points.front()};
  std::size_t k = 1;
  for (int step = 1; step < steps; ++step) {
    const double wanted = length * step / steps;
    while (travelled[k] < wanted) ++k;
    const double share = (wanted - travelled[k - 1]) / (travelled[k] - travelled[k - 1]);
    line.push_back((1.0 - share) * fine[k - 1] + share * fine[k]);
  }
  line.push_back(points.back());
  return line;
}

StrandMesh make_strand_mesh(const StrandSection& section, double radius, const std::vector<Vec3>& line,
                            const std::string& where) {
  check_line(line, radius, where);
  StrandMesh strand{section, static_cast<int>(line.size()), {}};
  const std::vector<SectionFrame> frames = make_frames(line);
  for (const Eigen::Vector2d& point : section.points)
    for (std::size_t r = 0; r < line.size(); ++r)
      strand.mesh.vertices.emplace_back(line[r] + point.x() * frames[r].u + point.y() * frames[r].v);
  // Every triangle between two rings is a wedge of three tetrahedra; the diagonals of its sides go from the lower place
  // in the near ring to the higher one in the far ring, so that neighbours agree.
  for (int r = 0; r + 1 < strand.rings; ++r)
    for (std::array<std::int32_t, 3> t : section.triangles) {
      std::sort(t.begin(), t.end());
      const auto near = [&](std::size_t k) { return strand.vertex(t[k], r); };
      const auto far = [&](std::size_t k) { return strand.vertex(t[k], r + 1); };
      for (const std::array<std::int32_t, 4>& cell :
           {std::array{near(0), near(1), near(2), far(2)}, std::array{near(0), near(1), far(1), far(2)},
            std::array{near(0), far(0), far(1), far(2)}}) {
        strand.mesh.cells.push_back(cell);
        if (cell_volume(strand.mesh, strand.mesh.cells.size() - 1) < 0.0)
          std::swap(strand.mesh.cells.back()[2], strand.mesh.cells.back()[3]);
      }
    }
  return strand;
}

}  // namespace distal
