// A smooth curve through points that does not swing between them (piecewise cubic, Fritsch and Carlson 1980).
#pragma once
#include <vector>

namespace distal {

class MonotoneCurve {
 public:
  // `x` increasing; at least one point. Beyond the ends the curve is constant.
  MonotoneCurve(std::vector<double> x, std::vector<double> y);
  double at(double x) const;

 private:
  std::vector<double> x_, y_, slope_;
};

}  // namespace distal
