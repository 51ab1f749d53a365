// The limit surface of a finger that slides: which forces and moments friction bears at once, and how far paper 3's
// ellipsoid is from it. docs/models/soft_finger.md.
#pragma once
#include <vector>

#include "distal/sensor/reading.hpp"

namespace distal {

struct LimitSurface {
  struct Point {
    double force_n, moment_n_m;
  };
  std::vector<Point> points;     // of every sliding state, magnitudes
  double most_force_n = 0.0;     // largest of them: of a straight slide
  double most_moment_n_m = 0.0;  // of a turn on the spot
  double radius_m = 0.0;         // of the patch, mean

  // e_n of the ellipsoid (6): as measured, and for the pressure of two models on a patch of that radius.
  double measured_m() const { return most_moment_n_m / most_force_n; }
  double winkler_m() const;
  double hertz_m() const;
  // How far out a point lies, in shares of the ellipsoid with eccentricity e_n: 1 on it.
  double share(const Point& point, double eccentricity_m) const;
  // Largest distance of a point from the ellipsoid with eccentricity e_n, in shares of the ellipsoid; with its sign.
  double deviation(double eccentricity_m) const;
};

// Of the rows "slide"; no points where there are none, or none bears force.
LimitSurface find_limit_surface(const std::vector<CurveRow>& curve);

}  // namespace distal
