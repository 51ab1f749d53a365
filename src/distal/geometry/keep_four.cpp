#include <cmath>

#include "distal/geometry/contact_points.hpp"

namespace distal {
namespace {

// Equal candidates are told apart by their place in the world, which noise and the exchange of the shapes leave alone;
// the share of the size is well under any depth that matters.
constexpr double kTie = 1e-6;
// Nearer to each other than this share of the size, two points count once.
constexpr double kSamePlace = 1e-5;

}  // namespace

void keep_four(const PointList& list, const Vec3& normal, double margin_m, double size_m, Manifold& manifold) {
  manifold.count = 0;
  const Vec3 odd_direction(0.62, 0.69, 0.37);
  const auto at = [&](int i) -> const ManifoldPoint& { return list.points[static_cast<std::size_t>(i)]; };
  // Adds the candidate with the highest positive score.
  const auto keep_best = [&](auto score) {
    int best = -1;
    double highest = 0.0;
    for (int i = 0; i < list.count; ++i) {
      if (at(i).separation_m >= margin_m) continue;
      if (const double s = score(at(i)); s > highest) highest = s, best = i;
    }
    if (best >= 0) manifold.points[static_cast<std::size_t>(manifold.count++)] = at(best);
    return best >= 0;
  };
  const auto tie = [&](const ManifoldPoint& p) {
    return 1.0 + kTie * odd_direction.dot(p.point_m - at(0).point_m) / size_m;
  };
  if (!keep_best([&](const ManifoldPoint& p) { return 10.0 + tie(p) + (margin_m - p.separation_m) / size_m; })) return;
  const Vec3 first = manifold.points[0].point_m;
  const auto across = [&](const Vec3& from, const Vec3& to) {
    return Vec3(to - from - normal * normal.dot(to - from));
  };
  if (!keep_best([&](const ManifoldPoint& p) {
        const double apart = across(first, p.point_m).norm();
        return apart > kSamePlace * size_m ? apart * tie(p) : 0.0;
      }))
    return;
  const Vec3 line = across(first, manifold.points[1].point_m);
  const double least = kSamePlace * size_m * line.norm();
  const auto side = [&](const ManifoldPoint& p) { return line.cross(across(first, p.point_m)).dot(normal); };
  const auto on = [&](double sign) {
    return [&, sign](const ManifoldPoint& p) { return sign * side(p) > least ? sign * side(p) * tie(p) : 0.0; };
  };
  keep_best(on(1.0));
  keep_best(on(-1.0));
}

}  // namespace distal
