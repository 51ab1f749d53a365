#include "distal/sensor/limit_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace distal {

double LimitSurface::winkler_m() const { return 8.0 / 15.0 * radius_m; }
double LimitSurface::hertz_m() const { return 3.0 * std::numbers::pi / 16.0 * radius_m; }

double LimitSurface::share(const Point& point, double eccentricity_m) const {
  return std::hypot(point.force_n, point.moment_n_m / eccentricity_m) / most_force_n;
}

double LimitSurface::deviation(double eccentricity_m) const {
  double worst = 0.0;
  for (const Point& point : points)
    if (const double off = share(point, eccentricity_m) - 1.0; std::abs(off) > std::abs(worst)) worst = off;
  return worst;
}

LimitSurface find_limit_surface(const std::vector<CurveRow>& curve) {
  LimitSurface surface;
  for (const CurveRow& row : curve) {
    if (row.phase != "slide") continue;
    surface.points.push_back({row.drag_n, std::abs(row.patch_moment_n_m)});
    surface.most_force_n = std::max(surface.most_force_n, surface.points.back().force_n);
    surface.most_moment_n_m = std::max(surface.most_moment_n_m, surface.points.back().moment_n_m);
    surface.radius_m += row.contact_radius_m;
  }
  if (surface.most_force_n <= 0.0 || surface.most_moment_n_m <= 0.0) return {};
  surface.radius_m /= static_cast<double>(surface.points.size());
  return surface;
}

}  // namespace distal
