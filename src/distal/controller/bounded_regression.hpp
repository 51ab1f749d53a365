// Recursive least squares for one slope, y = slope * x, that forgets only as fast as it learns: old samples fade when
// new ones carry information, and an estimate stays as it is while nothing moves.
#pragma once
#include <cmath>

namespace distal {

struct BoundedRegression {
  double xx = 0.0, xy = 0.0;

  // `capacity`, in units of x^2: how much information is remembered.
  void add(double sample_xx, double sample_xy, double capacity) {
    xx += sample_xx;
    xy += sample_xy;
    if (xx <= capacity) return;
    xy *= capacity / xx;
    xx = capacity;
  }
  double slope() const { return xx > 0.0 ? xy / xx : 0.0; }
};

}  // namespace distal
