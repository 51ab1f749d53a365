#include "distal/geometry/strand_section.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "distal/core/error.hpp"

namespace distal {
namespace {

constexpr int kSides = 8;

Eigen::Vector2d corner_of_octagon(int side) {
  // A flat side below: a strand that lies on a plane does not stand on an edge.
  const double angle = (side + 0.5) * 2.0 * std::numbers::pi / kSides;
  return {std::cos(angle), std::sin(angle)};
}

double cross(const Eigen::Vector2d& a, const Eigen::Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// Polygons are convex: a fan. A quadrilateral is cut from its lowest number.
void cut_polygons(StrandSection& section) {
  for (const auto& polygon : section.polygons) {
    const auto lowest = static_cast<std::size_t>(std::min_element(polygon.begin(), polygon.end()) - polygon.begin());
    const auto at = [&](std::size_t k) { return polygon[(lowest + k) % polygon.size()]; };
    for (std::size_t k = 1; k + 1 < polygon.size(); ++k) section.triangles.push_back({at(0), at(k), at(k + 1)});
  }
}

void add_link(std::int32_t a, std::int32_t b, std::set<std::array<std::int32_t, 2>>& links) {
  links.insert({std::min(a, b), std::max(a, b)});
}

// The nodes of a polar or square grid by address, numbered so that both colours of a chessboard stay together.
template <typename Visit>
void number_by_colour(const std::vector<std::array<int, 2>>& addresses, const Visit& visit) {
  for (const int colour : {0, 1})
    for (const auto& address : addresses)
      if (((address[0] + address[1]) & 1) == colour) visit(address);
}

}  // namespace

double StrandSection::area() const {
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles) {
    const Eigen::Vector2d& origin = points[static_cast<std::size_t>(a)];
    sum += 0.5 * cross(points[static_cast<std::size_t>(b)] - origin, points[static_cast<std::size_t>(c)] - origin);
  }
  return sum;
}

double StrandSection::second_moment() const {
  double sum = 0.0;
  for (const auto& [a, b, c] : triangles) {
    const Eigen::Vector2d &pa = points[static_cast<std::size_t>(a)], &pb = points[static_cast<std::size_t>(b)],
                          &pc = points[static_cast<std::size_t>(c)];
    // The middles of its sides integrate a quadratic over a triangle.
    sum += 0.5 * cross(pb - pa, pc - pa) / 3.0 *
           ((0.5 * (pa + pb)).squaredNorm() + (0.5 * (pb + pc)).squaredNorm() + (0.5 * (pc + pa)).squaredNorm());
  }
  return 0.5 * sum;
}

void StrandSection::scale(double factor) {
  for (Eigen::Vector2d& point : points) point *= factor;
}

StrandSection make_eight_plus_centre() {
  StrandSection section;
  section.points.emplace_back(0.0, 0.0);
  std::array<std::int32_t, kSides> number{};
  for (const int first : {0, 1})
    for (int side = first; side < kSides; side += 2) {
      number[static_cast<std::size_t>(side)] = static_cast<std::int32_t>(section.points.size());
      section.points.push_back(corner_of_octagon(side));
    }
  std::set<std::array<std::int32_t, 2>> links;
  for (std::size_t side = 0; side < kSides; ++side) {
    const std::int32_t here = number[side], next = number[(side + 1) % kSides];
    add_link(0, here, links);
    add_link(here, next, links);
    section.polygons.push_back({0, here, next});
  }
  section.links.assign(links.begin(), links.end());
  cut_polygons(section);
  return section;
}

StrandSection make_grid_section(int nodes) {
  DISTAL_ASSERT(nodes == 5 || nodes == 13 || nodes == 29);
  const int reach = nodes == 5 ? 1 : nodes == 13 ? 2 : 3;  // grid points on the radius
  std::vector<std::array<int, 2>> addresses;
  for (int j = -reach; j <= reach; ++j)
    for (int i = -reach; i <= reach; ++i)
      if (i * i + j * j <= reach * reach) addresses.push_back({i, j});
  StrandSection section;
  std::map<std::array<int, 2>, std::int32_t> number;
  number_by_colour(addresses, [&](const std::array<int, 2>& a) {
    number[a] = static_cast<std::int32_t>(section.points.size());
    section.points.emplace_back(a[0] / static_cast<double>(reach), a[1] / static_cast<double>(reach));
  });
  std::set<std::array<std::int32_t, 2>> links;
  for (const auto& [a, n] : number)
    for (const auto& [i, j] : {std::array{1, 0}, std::array{0, 1}, std::array{1, 1}, std::array{1, -1}})
      if (const auto found = number.find({a[0] + i, a[1] + j}); found != number.end())
        add_link(n, found->second, links);
  section.links.assign(links.begin(), links.end());
  // Squares whose four corners are there, and what is left of those that miss one.
  for (int j = -reach; j < reach; ++j)
    for (int i = -reach; i < reach; ++i) {
      std::vector<std::int32_t> polygon;
      for (const auto& [di, dj] : {std::array{0, 0}, std::array{1, 0}, std::array{1, 1}, std::array{0, 1}})
        if (const auto found = number.find({i + di, j + dj}); found != number.end()) polygon.push_back(found->second);
      if (polygon.size() >= 3) section.polygons.push_back(std::move(polygon));
    }
  cut_polygons(section);
  return section;
}

StrandSection make_concentric_section(int rings) {
  DISTAL_ASSERT(rings >= 2);
  std::vector<std::array<int, 2>> addresses;  // ring from the inside, side
  for (int ring = 0; ring < rings; ++ring)
    for (int side = 0; side < kSides; ++side) addresses.push_back({ring, side});
  StrandSection section;
  std::map<std::array<int, 2>, std::int32_t> number;
  number_by_colour(addresses, [&](const std::array<int, 2>& a) {
    number[a] = static_cast<std::int32_t>(section.points.size());
    section.points.push_back((a[0] + 1.0) / rings * corner_of_octagon(a[1]));
  });
  const auto at = [&](int ring, int side) { return number.at({ring, (side + kSides) % kSides}); };
  std::set<std::array<std::int32_t, 2>> links;
  std::vector<std::int32_t> core;
  for (int side = 0; side < kSides; ++side) {
    core.push_back(at(0, side));
    for (int ring = 0; ring < rings; ++ring) {
      add_link(at(ring, side), at(ring, side + 1), links);
      // To the three next ones further in; the innermost ring finds them across the axis.
      for (int turn = -1; turn <= 1; ++turn)
        add_link(at(ring, side), ring > 0 ? at(ring - 1, side + turn) : at(0, side + kSides / 2 + turn), links);
      if (ring > 0)
        section.polygons.push_back({at(ring - 1, side), at(ring, side), at(ring, side + 1), at(ring - 1, side + 1)});
    }
  }
  section.polygons.push_back(core);
  section.links.assign(links.begin(), links.end());
  cut_polygons(section);
  return section;
}

}  // namespace distal
