#include "distal/study/monotone_curve.hpp"

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"

namespace distal {
namespace {

// At an end, from the two nearest intervals; never against the first one's direction.
double end_slope(double h0, double h1, double d0, double d1) {
  double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
  if (slope * d0 <= 0.0) return 0.0;
  if (d0 * d1 <= 0.0 && std::abs(slope) > 3.0 * std::abs(d0)) slope = 3.0 * d0;
  return slope;
}

}  // namespace

MonotoneCurve::MonotoneCurve(std::vector<double> x, std::vector<double> y) : x_(std::move(x)), y_(std::move(y)) {
  DISTAL_ASSERT(!x_.empty() && x_.size() == y_.size());
  const std::size_t n = x_.size();
  slope_.assign(n, 0.0);
  if (n == 1) return;
  std::vector<double> h(n - 1), d(n - 1);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    h[i] = x_[i + 1] - x_[i];
    DISTAL_ASSERT(h[i] > 0.0);
    d[i] = (y_[i + 1] - y_[i]) / h[i];
  }
  if (n == 2) {
    slope_ = {d[0], d[0]};
    return;
  }
  for (std::size_t i = 1; i + 1 < n; ++i) {
    if (d[i - 1] * d[i] <= 0.0) continue;
    const double a = 2.0 * h[i] + h[i - 1], b = h[i] + 2.0 * h[i - 1];
    slope_[i] = (a + b) / (a / d[i - 1] + b / d[i]);
  }
  slope_[0] = end_slope(h[0], h[1], d[0], d[1]);
  slope_[n - 1] = end_slope(h[n - 2], h[n - 3], d[n - 2], d[n - 3]);
}

double MonotoneCurve::at(double x) const {
  if (x <= x_.front()) return y_.front();
  if (x >= x_.back()) return y_.back();
  const auto i = static_cast<std::size_t>(std::upper_bound(x_.begin(), x_.end(), x) - x_.begin()) - 1;
  const double h = x_[i + 1] - x_[i], t = (x - x_[i]) / h;
  const double t2 = t * t, t3 = t2 * t;
  return (2.0 * t3 - 3.0 * t2 + 1.0) * y_[i] + (t3 - 2.0 * t2 + t) * h * slope_[i] + (3.0 * t2 - 2.0 * t3) * y_[i + 1] +
         (t3 - t2) * h * slope_[i + 1];
}

}  // namespace distal
