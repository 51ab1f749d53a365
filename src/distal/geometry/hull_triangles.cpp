#include "distal/geometry/hull_triangles.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

struct HullTriangle {
  std::array<std::int32_t, 3> corners{};
  std::array<std::int32_t, 3> across{};  // behind the edge from corner k to k + 1
  Vec3 normal = Vec3::Zero();
  double offset = 0.0;
  std::vector<std::int32_t> outside;  // points in front of it that no other triangle has
  bool alive = true;
};

class Quickhull {
 public:
  explicit Quickhull(std::vector<Vec3> points, double least) : points_(std::move(points)), least_(least) {}

  bool start();
  void finish();
  std::vector<std::array<std::int32_t, 3>> triangles() const {
    std::vector<std::array<std::int32_t, 3>> found;
    for (const HullTriangle& t : triangles_)
      if (t.alive) found.push_back(t.corners);
    return found;
  }

 private:
  const Vec3& at(std::int32_t i) const { return points_[static_cast<std::size_t>(i)]; }
  HullTriangle& triangle(std::int32_t t) { return triangles_[static_cast<std::size_t>(t)]; }
  double height(const HullTriangle& t, std::int32_t p) const { return t.normal.dot(at(p)) - t.offset; }
  std::int32_t add_triangle(std::int32_t a, std::int32_t b, std::int32_t c);
  void hand_out(const std::vector<std::int32_t>& points, std::size_t first_triangle);
  void add_point(std::int32_t tip, std::int32_t seen_from);
  void collect_visible(std::int32_t tip, std::int32_t seen_from);

  std::vector<Vec3> points_;
  double least_;
  std::vector<HullTriangle> triangles_;
  std::vector<std::int32_t> visible_;
};

template <typename Score>
std::int32_t find_best(const std::vector<Vec3>& points, Score&& score) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < points.size(); ++i)
    if (score(points[i]) > score(points[best])) best = i;
  return static_cast<std::int32_t>(best);
}

std::int32_t Quickhull::add_triangle(std::int32_t a, std::int32_t b, std::int32_t c) {
  HullTriangle& t = triangles_.emplace_back();
  t.corners = {a, b, c};
  t.normal = (at(b) - at(a)).cross(at(c) - at(a)).normalized();
  t.offset = t.normal.dot(at(a));
  return static_cast<std::int32_t>(triangles_.size()) - 1;
}

// A large tetrahedron; false if there is none.
bool Quickhull::start() {
  const std::int32_t a = find_best(points_, [&](const Vec3& p) { return p.x(); });
  const std::int32_t b = find_best(points_, [&](const Vec3& p) { return (p - at(a)).norm(); });
  const Vec3 along = at(b) - at(a);
  std::int32_t c = find_best(points_, [&](const Vec3& p) { return along.cross(p - at(a)).norm(); });
  const Vec3 area = along.cross(at(c) - at(a));
  const std::int32_t d = find_best(points_, [&](const Vec3& p) { return std::abs(area.dot(p - at(a))); });
  if (std::abs(area.dot(at(d) - at(a))) <= least_ * area.norm()) return false;
  std::int32_t e = b;
  if (area.dot(at(d) - at(a)) > 0.0) std::swap(e, c);
  add_triangle(a, e, c), add_triangle(a, d, e), add_triangle(e, d, c), add_triangle(c, d, a);
  for (HullTriangle& t : triangles_)
    for (std::size_t k = 0; k < 3; ++k)
      for (std::int32_t other = 0; other < 4; ++other)
        for (std::size_t m = 0; m < 3; ++m) {
          const HullTriangle& o = triangle(other);
          if (o.corners[m] == t.corners[(k + 1) % 3] && o.corners[(m + 1) % 3] == t.corners[k]) t.across[k] = other;
        }
  std::vector<std::int32_t> rest;
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(points_.size()); ++i)
    if (i != a && i != b && i != c && i != d && i != e) rest.push_back(i);
  hand_out(rest, 0);
  return true;
}

void Quickhull::hand_out(const std::vector<std::int32_t>& points, std::size_t first_triangle) {
  for (const std::int32_t p : points)
    for (std::size_t t = first_triangle; t < triangles_.size(); ++t)
      if (height(triangles_[t], p) > 0.0) {
        triangles_[t].outside.push_back(p);
        break;
      }
}

void Quickhull::finish() {
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    if (!triangles_[t].alive || triangles_[t].outside.empty()) continue;
    const std::vector<std::int32_t>& outside = triangles_[t].outside;
    std::int32_t tip = outside.front();
    for (const std::int32_t p : outside)
      if (height(triangles_[t], p) > height(triangles_[t], tip)) tip = p;
    add_point(tip, static_cast<std::int32_t>(t));
  }
}

void Quickhull::collect_visible(std::int32_t tip, std::int32_t seen_from) {
  visible_.assign(1, seen_from);
  triangle(seen_from).alive = false;
  for (std::size_t i = 0; i < visible_.size(); ++i)
    for (const std::int32_t next : triangle(visible_[i]).across)
      if (triangle(next).alive && height(triangle(next), tip) > 0.0) {
        triangle(next).alive = false;
        visible_.push_back(next);
      }
}

// Replaces all that the point sees by a fan from it to the rim.
void Quickhull::add_point(std::int32_t tip, std::int32_t seen_from) {
  collect_visible(tip, seen_from);
  const std::size_t first = triangles_.size();
  std::map<std::int32_t, std::int32_t> starting_at;  // rim corner -> new triangle
  for (std::size_t i = 0; i < visible_.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t behind = triangle(visible_[i]).across[k];
      if (!triangle(behind).alive) continue;
      const std::int32_t from = triangle(visible_[i]).corners[k], to = triangle(visible_[i]).corners[(k + 1) % 3];
      const std::int32_t fresh = add_triangle(from, to, tip);
      triangle(fresh).across[0] = behind;
      starting_at[from] = fresh;
      HullTriangle& other = triangle(behind);
      for (std::size_t m = 0; m < 3; ++m)
        if (other.corners[m] == to && other.corners[(m + 1) % 3] == from) other.across[m] = fresh;
    }
  for (const auto& [from, fresh] : starting_at) {
    const std::int32_t next = starting_at.at(triangle(fresh).corners[1]);
    triangle(fresh).across[1] = next;
    triangle(next).across[2] = fresh;
  }
  for (const std::int32_t v : visible_) {
    std::vector<std::int32_t> orphans = std::move(triangle(v).outside);
    std::erase(orphans, tip);
    hand_out(orphans, first);
  }
}

}  // namespace

std::vector<std::array<std::int32_t, 3>> find_hull_triangles(const std::vector<Vec3>& points) {
  Aabb box;
  for (const Vec3& p : points) box.add(p);
  const double extent = (box.max - box.min).norm();
  if (points.size() < 4 || !(extent > 0.0)) return {};
  std::vector<Vec3> blurred;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto random = [&](std::uint64_t axis) { return random_share(0, i, axis) - 0.5; };
    blurred.emplace_back(points[i] - box.min + hull_blur * extent * Vec3(random(0), random(1), random(2)));
  }
  Quickhull hull(std::move(blurred), 10.0 * hull_blur * extent);
  if (!hull.start()) return {};
  hull.finish();
  return hull.triangles();
}

}  // namespace distal
