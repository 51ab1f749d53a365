#include "distal/geometry/quadric_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/math/symmetric_eigen.hpp"

namespace distal {
namespace {

constexpr double kLeastFacing = 0.5;       // cosine of 60 degrees
constexpr double kSamplesPerRadius = 8.0;  // samples stand at most radius / 8 apart
constexpr double kFlat = 1e-9;             // radius over radius of curvature: nothing but rounding

constexpr int kTerms = 7;
using Row = Eigen::Matrix<double, kTerms, 1>;
using Square = Eigen::Matrix<double, kTerms, kTerms>;

// With lengths in units of the radius.
Row terms(const Vec3& p) { return {p.x() * p.x(), p.y() * p.y(), p.x() * p.y(), 1.0, p.x(), p.y(), p.z() * p.z()}; }

// Samples count less towards the rim: facets that it cuts would otherwise turn the fit their way.
double window(double squared_share) { return (1.0 - squared_share) * (1.0 - squared_share); }

// In the first `count` terms. Where the mesh shows too little (a single strip, a corner), the smallest of all
// solutions.
Row least_solution(const Square& left, const Row& right, int count) {
  // Terms of different size are made comparable first.
  Row size = Row::Ones(), solution = Row::Zero();
  double largest = 0.0;
  for (int i = 0; i < count; ++i) size[i] = std::sqrt(left(i, i)), largest = std::max(largest, size[i]);
  for (int i = 0; i < count; ++i) size[i] = std::max(size[i], 1e-12 * largest);
  Square even = Square::Zero();
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < count; ++k) even(i, k) = left(i, k) / (size[i] * size[k]);
  const SymmetricEigen<kTerms> turned = find_symmetric_eigen<kTerms>(even);
  for (int i = 0; i < kTerms; ++i) {
    if (!(turned.values[i] > 1e-8)) continue;
    double along = 0.0;
    for (int k = 0; k < count; ++k) along += turned.vectors(k, i) * right[k] / size[k];
    for (int k = 0; k < count; ++k) solution[k] += turned.vectors(k, i) * along / turned.values[i];
  }
  for (int k = 0; k < count; ++k) solution[k] /= size[k];
  return solution;
}

// A triangle cut by up to four planes.
struct Polygon {
  std::array<Vec3, 8> corners;
  std::size_t size = 0;
  void add(const Vec3& p) { corners[size++] = p; }
};

// The part with side * p[axis] <= limit (Sutherland and Hodgman).
Polygon clipped(const Polygon& polygon, Eigen::Index axis, double side, double limit) {
  Polygon result;
  for (std::size_t i = 0; i < polygon.size; ++i) {
    const Vec3 &from = polygon.corners[i], &to = polygon.corners[(i + 1) % polygon.size];
    const double in_from = limit - side * from[axis], in_to = limit - side * to[axis];
    if (in_from >= 0.0) result.add(from);
    if ((in_from >= 0.0) != (in_to >= 0.0)) result.add(from + in_from / (in_from - in_to) * (to - from));
  }
  return result;
}

}  // namespace

QuadricFitter::QuadricFitter(const SurfaceIndex& index) : index_(index), seen_(index.mesh().triangles.size(), 0) {}

QuadricFit QuadricFitter::fit(const Vec3& point, const Vec3& normal, double radius_m) {
  return fit_from(index_.find_nearest_triangle(point), point, normal, radius_m);
}

QuadricFit QuadricFitter::fit_from(std::int32_t triangle, const Vec3& point, const Vec3& normal, double radius_m) {
  if (!(radius_m > 0.0 && std::isfinite(radius_m)))
    throw InputError(fmt::format("radius_m = {} of a quadric fit must be above 0", radius_m));
  QuadricFit result;
  result.quadric.normal = normal;
  result.quadric.x_axis = any_tangent(normal);
  Mat3 frame;  // rows: x, y, into the body
  frame << result.quadric.x_axis.transpose(), result.quadric.y_axis().transpose(), -normal.transpose();
  collect(triangle, point, frame, radius_m, result);
  if (!(result.area_m2 > 0.0))
    throw InputError(fmt::format("no surface faces the normal within radius_m = {} of the contact point", radius_m));

  const Terms solution = solve(radius_m, result.triangles);
  const double scale = 1.0 / radius_m;
  result.quadric.a = solution[0] * scale, result.quadric.b = solution[1] * scale,
  result.quadric.c = solution[2] * scale;
  result.offset_m = solution[3] * radius_m;

  // Distance to the quadric alone, to first order in the slope.
  double squares = 0.0;
  for (const Sample& sample : samples_) {
    const Vec3 p = sample.place / radius_m;
    const double along = p.z() - terms(p).head<6>().dot(solution.head<6>());
    const double slope_x = 2.0 * solution[0] * p.x() + solution[2] * p.y() + solution[4];
    const double slope_y = 2.0 * solution[1] * p.y() + solution[2] * p.x() + solution[5];
    squares += sample.weight * along * along / (1.0 + slope_x * slope_x + slope_y * slope_y);
  }
  result.standard_deviation_m = radius_m * std::sqrt(squares / result.area_m2);
  return result;
}

// Beside the quadric's own three terms:
// - a shift and a tilt, because facets lie inside a convex surface and a contact point lies beside them;
// - z^2, with which spheres, cylinders and ellipsoids are met exactly: without it they look more curved, the larger the
//   region. Where facets are coarse it would follow them, so it is held back by what they let expect: a coefficient of
//   the size of the curvature, and as much noise in each facet as the fit without it leaves.
QuadricFitter::Terms QuadricFitter::solve(double radius_m, int triangles) const {
  Square left = Square::Zero();
  Terms right = Terms::Zero();
  double area = 0.0, squares = 0.0;
  for (const Sample& sample : samples_) {
    const Vec3 p = sample.place / radius_m;
    const Terms row = terms(p);
    const double weight = sample.weight * window(p.squaredNorm());
    left += weight * row * row.transpose();
    right += weight * p.z() * row;
    area += weight, squares += weight * p.z() * p.z();
  }
  const Terms solution = least_solution(left, right, kTerms - 1);
  const double curvature = solution.head<3>().squaredNorm();
  const double noise = std::max(squares - solution.head<6>().dot(right.head<6>()), 0.0) / area;
  if (!(curvature > kFlat * kFlat)) return solution;
  left(6, 6) += area / triangles * noise / curvature;
  return least_solution(left, right, kTerms);
}

// Breadth first over edges, from the first triangle as far as the region reaches.
void QuadricFitter::collect(std::int32_t first, const Vec3& point, const Mat3& frame, double radius_m,
                            QuadricFit& fit) {
  if (++walk_ == 0) {
    std::fill(seen_.begin(), seen_.end(), 0u);
    walk_ = 1;
  }
  queue_.clear(), samples_.clear();
  queue_.push_back(first);
  seen_[static_cast<std::size_t>(first)] = walk_;
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const auto corners = index_.corners(queue_[next]);
    const Vec3 across = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    // (A triangle without area faces nowhere, and is walked over.)
    const double facing = -frame.row(2).dot(across), area = across.norm();
    if (facing < kLeastFacing * area) continue;
    if ((nearest_on_triangle(corners, point) - point).squaredNorm() > radius_m * radius_m) continue;
    add_samples(corners, point, frame, radius_m, fit);
    for (const std::int32_t neighbour : index_.neighbours(queue_[next])) {
      if (neighbour < 0 || seen_[static_cast<std::size_t>(neighbour)] == walk_) continue;
      seen_[static_cast<std::size_t>(neighbour)] = walk_;
      queue_.push_back(neighbour);
    }
  }
}

void QuadricFitter::add_samples(const std::array<Vec3, 3>& corners, const Vec3& point, const Mat3& frame,
                                double radius_m, QuadricFit& fit) {
  Polygon polygon;
  for (const Vec3& corner : corners) polygon.add(frame * (corner - point));
  // Only what may lie in the region, so that a large triangle costs no more than a small one.
  for (const Eigen::Index axis : {0, 1})
    for (const double side : {-1.0, 1.0}) polygon = clipped(polygon, axis, side, radius_m);
  const std::size_t before = samples_.size();
  for (std::size_t i = 2; i < polygon.size; ++i)
    add_part({polygon.corners[0], polygon.corners[i - 1], polygon.corners[i]}, radius_m, fit);
  if (samples_.size() > before) ++fit.triangles;
}

// The middles of n^2 equal parts, those within the radius.
void QuadricFitter::add_part(const std::array<Vec3, 3>& corners, double radius_m, QuadricFit& fit) {
  const Vec3 one = corners[1] - corners[0], two = corners[2] - corners[0];
  const double longest = std::sqrt(std::max({one.squaredNorm(), two.squaredNorm(), (two - one).squaredNorm()}));
  const int n = std::max(static_cast<int>(std::ceil(longest / radius_m * kSamplesPerRadius)), 1);
  const double weight = 0.5 * one.cross(two).norm() / (n * n);
  const auto add = [&](double u, double v) {
    const Vec3 place = corners[0] + u / n * one + v / n * two;
    if (place.squaredNorm() > radius_m * radius_m) return;
    samples_.push_back({place, weight});
    fit.area_m2 += weight;
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; i + j < n; ++j) {
      add(i + 1.0 / 3.0, j + 1.0 / 3.0);
      if (i + j + 1 < n) add(i + 2.0 / 3.0, j + 2.0 / 3.0);
    }
  }
}

}  // namespace distal
