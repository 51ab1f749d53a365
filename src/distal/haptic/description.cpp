#include "distal/haptic/description.hpp"

#include <fmt/format.h>

#include <cmath>

#include "distal/core/error.hpp"

namespace distal {
namespace {

struct DeviceNumber {
  const char* key;
  double value, low, high;
  bool low_open;
};

}  // namespace

void validate(const std::string& where, const DeviceDescription& d) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const DeviceNumber numbers[] = {
      {"scale", d.scale, 0.0, 1e3, true},
      {"stiffness_n_m", d.stiffness_n_m, 0.0, 1e6, true},
      {"damping_ratio", d.damping_ratio, 0.0, 10.0, true},
      {"friction", d.friction, 0.0, kInfinity, false},
      {"max_force_n", d.max_force_n, 0.0, 1e5, true},
      {"max_force_rate_n_s", d.max_force_rate_n_s, 0.0, kInfinity, true},
      {"max_torque_n_m", d.max_torque_n_m, 0.0, 1e5, true},
      {"max_torque_rate_n_m_s", d.max_torque_rate_n_m_s, 0.0, kInfinity, true},
      {"max_damping_n_s_m", d.max_damping_n_s_m, 0.0, 1e5, false},
      {"max_angular_damping_n_m_s_rad", d.max_angular_damping_n_m_s_rad, 0.0, 1e5, false},
      {"delay_s", d.delay_s, 0.0, 0.1, false},
      {"fastest_m_s", d.fastest_m_s, 0.0, 1e3, true},
      {"watchdog_s", d.watchdog_s, 0.0, 10.0, true},
      {"rejoin_s", d.rejoin_s, 0.0, 100.0, true},
      {"tremor_hz", d.path.tremor_hz, 0.1, 100.0, false},
      {"tremor_amplitude_m", d.path.tremor_amplitude_m, 0.0, 1.0, false},
      {"arm_mass_kg", d.arm.mass_kg, 0.0, 100.0, true},
      {"arm_stiffness_n_m", d.arm.stiffness_n_m, 0.0, 1e6, true},
      {"arm_damping_n_s_m", d.arm.damping_n_s_m, 0.0, 1e6, false},
      {"port", static_cast<double>(d.port), 0.0, 65535.0, false},
  };
  for (const DeviceNumber& n : numbers)
    if (!((n.low_open ? n.value > n.low : n.value >= n.low) && n.value <= n.high))
      throw InputError(fmt::format("{}.{}: found {}, allowed: {}{}, {}]", where, n.key, n.value, n.low_open ? "(" : "[",
                                   n.low, n.high));
  if (d.body.empty() == d.touches.empty())
    throw InputError(fmt::format("{}: {}, allowed: body or touches", where,
                                 d.body.empty() ? "it holds and touches nothing" : "body and touches are both given"));
  const auto& path = d.path;
  if (!path.times_s.empty() && path.times_s.size() != path.points_m.size())
    throw InputError(fmt::format("{}.times_s: found {} values, allowed: one for each of the {} points", where,
                                 path.times_s.size(), path.points_m.size()));
  for (std::size_t i = 1; i < path.times_s.size(); ++i)
    if (!(path.times_s[i] > path.times_s[i - 1]))
      throw InputError(
          fmt::format("{}.times_s: must rise, but {} s follows {} s", where, path.times_s[i], path.times_s[i - 1]));
}

}  // namespace distal
