#include "distal/haptic/hand_path.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/math/counter_random.hpp"

namespace distal {

HandPath::HandPath(const HandPathDescription& description) : description_(description) {
  if (description_.times_s.empty())
    for (std::size_t i = 0; i < description_.points_m.size(); ++i)
      description_.times_s.push_back(static_cast<double>(i));
  tremor_m_ = description.tremor_amplitude_m * description.tremor_direction.normalized();
  phase_rad_ = 2.0 * std::numbers::pi *
               random_share(random_key(static_cast<std::uint64_t>(description.tremor_seed), "tremor"), 0, 0);
}

HandPath::Place HandPath::at(double time_s) const {
  Place place{Vec3::Zero(), Vec3::Zero()};
  const auto& times = description_.times_s;
  const auto& points = description_.points_m;
  if (!points.empty()) {
    const auto next = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time_s) - times.begin());
    place.position_m = next == 0 ? points.front() : points[next - 1];
    if (next > 0 && next < points.size()) {
      // The path of least jerk, at rest at both ends.
      const double length = times[next] - times[next - 1], s = (time_s - times[next - 1]) / length;
      const Vec3 way = points[next] - points[next - 1];
      place.position_m += s * s * s * (10.0 + s * (-15.0 + 6.0 * s)) * way;
      place.velocity_m_s = 30.0 * s * s * (1.0 - s) * (1.0 - s) / length * way;
    }
  }
  const double rate = 2.0 * std::numbers::pi * description_.tremor_hz, angle = rate * time_s + phase_rad_;
  place.position_m += std::sin(angle) * tremor_m_;
  place.velocity_m_s += rate * std::cos(angle) * tremor_m_;
  return place;
}

}  // namespace distal
