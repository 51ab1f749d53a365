#include "distal/controller/description.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "distal/core/error.hpp"

namespace distal {
namespace {

enum class Lower { open, closed };

void require(const char* key, double value, Lower lower, double low, double high) {
  const bool above = lower == Lower::open ? value > low : value >= low;
  if (above && value <= high) return;  // NaN fails both
  throw InputError(
      fmt::format("{} = {} is out of range {}{}, {}]", key, value, lower == Lower::open ? '(' : '[', low, high));
}

void require_each(const char* key, const Vec3& values, Lower lower, double low, double high) {
  for (const double value : values) require(key, value, lower, low, high);
}

void require_direction(const char* key, const Vec3& direction) {
  require_each(key, direction, Lower::closed, -1e150, 1e150);
  if (direction.norm() > 1e-12) return;
  throw InputError(fmt::format("{} = [{}, {}, {}] has no length; give a direction such as [0, 0, -1]", key,
                               direction.x(), direction.y(), direction.z()));
}

void require_wrench_control(const WrenchControlDescription& d) {
  require_direction("direction", d.direction);
  require("contact_threshold_n", d.contact_threshold_n, Lower::closed, 0.0, 1e3);
  require("bandwidth_hz", d.bandwidth_hz, Lower::closed, 0.1, 500.0);
  require("angular_bandwidth_hz", d.angular_bandwidth_hz, Lower::closed, 0.1, 500.0);
  require("integral_time_s", d.integral_time_s, Lower::open, 0.0, 10.0);
  require("moving_mass_kg", d.moving_mass_kg, Lower::open, 0.0, 1e6);
  require_each("centre_of_mass_m", d.centre_of_mass_m, Lower::closed, -10.0, 10.0);
  require_each("gyration_radii_m", d.gyration_radii_m, Lower::open, 0.0, 10.0);
  require_each("gravity_m_s2", d.gravity_m_s2, Lower::closed, -1e4, 1e4);
  require("force_limit_n", d.force_limit_n, Lower::open, 0.0, 1e5);
  require("torque_limit_n_m", d.torque_limit_n_m, Lower::open, 0.0, 1e5);
}

}  // namespace

void validate(const AdaptivePidDescription& d) {
  require_wrench_control(d);
  require("speed_m_s", d.speed_m_s, Lower::open, 0.0, 10.0);
  require("depth_m", d.depth_m, Lower::closed, 0.0, 1.0);
  require("adaptation_rate", d.adaptation_rate, Lower::closed, 0.0, 100.0);
}

void validate(const MotionDescription& d) {
  require_direction("direction", d.direction);
  require("speed_m_s", d.speed_m_s, Lower::open, 0.0, 10.0);
  require("angular_speed_rad_s", d.angular_speed_rad_s, Lower::open, 0.0, 100.0);
  if (d.depths_m.empty() && d.forces_n.empty())
    throw InputError("depths_m is empty, and so is forces_n; give at least one depth, for example [0.001], or force");
  if (!d.depths_m.empty() && !d.forces_n.empty())
    throw InputError("depths_m and forces_n are both given; give one of the two");
  if (!d.forces_n.empty() && (!d.twist_rad.empty() || !d.shift_m.empty()))
    throw InputError("twist_rad and shift_m go with depths_m, not with forces_n");
  if (d.slide_m.size() != d.slide_twist_rad.size())
    throw InputError(fmt::format("slide_m has {} values and slide_twist_rad {}; they go together", d.slide_m.size(),
                                 d.slide_twist_rad.size()));
  if (!d.forces_n.empty() && !d.slide_m.empty()) throw InputError("slide_m goes with depths_m, not with forces_n");
  for (const double slide : d.slide_m) require("slide_m", slide, Lower::closed, -1.0, 1.0);
  for (const double twist : d.slide_twist_rad) require("slide_twist_rad", twist, Lower::closed, -100.0, 100.0);
  for (const double force : d.forces_n) require("forces_n", force, Lower::open, 0.0, 1e6);
  double least = 0.0;
  for (const double depth : d.depths_m) {
    require("depths_m (increasing)", depth, least > 0.0 ? Lower::open : Lower::closed, least, 1.0);
    least = depth;
  }
  for (const double twist : d.twist_rad) require("twist_rad", twist, Lower::closed, -100.0, 100.0);
  for (const double shift : d.shift_m) require("shift_m", shift, Lower::closed, -1.0, 1.0);
  require_each("shift_direction", d.shift_direction, Lower::closed, -1e150, 1e150);
  if (!d.shift_m.empty() || !d.slide_m.empty()) {
    require_direction("shift_direction", d.shift_direction);
    const Vec3 press = d.direction.normalized(), shift = d.shift_direction.normalized();
    if (press.cross(shift).norm() < 1e-6)
      throw InputError("shift_direction is parallel to direction; give one across it");
  }
  require("settle_tolerance", d.settle_tolerance, Lower::open, 0.0, 1.0);
  require("settle_window_s", d.settle_window_s, Lower::open, 0.0, 10.0);
  require("settle_limit_s", d.settle_limit_s, Lower::open, 0.0, 100.0);
  if (d.settle_limit_s < d.settle_window_s)
    throw InputError(
        fmt::format("settle_limit_s = {} is shorter than settle_window_s = {}", d.settle_limit_s, d.settle_window_s));
}

namespace {

void require_imperfection(const std::string& part, const Imperfection& i) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  require((part + ".noise").c_str(), i.noise, Lower::closed, 0.0, 1e6);
  require_each((part + ".bias").c_str(), i.bias, Lower::closed, -1e6, 1e6);
  require((part + ".quantisation").c_str(), i.quantisation, Lower::closed, 0.0, 1e6);
  require((part + ".limit").c_str(), i.limit, Lower::open, 0.0, kInfinity);
  require((part + ".rate").c_str(), i.rate, Lower::open, 0.0, kInfinity);
}

}  // namespace

void validate(const ChannelDescription& d) {
  require("latency_s", d.latency_s, Lower::closed, 0.0, 10.0);
  require("jitter_s", d.jitter_s, Lower::closed, 0.0, 10.0);
  require("drop_out_share", d.drop_out_share, Lower::closed, 0.0, 0.999);
  require("filter_hz", d.filter_hz, Lower::open, 0.0, std::numeric_limits<double>::infinity());
  require_imperfection("linear", d.linear);
  require_imperfection("angular", d.angular);
}

void validate(const SqueezeDescription& d) {
  require_wrench_control(d);
  require("approach_speed_m_s", d.approach_speed_m_s, Lower::open, 0.0, 10.0);
  require("force_n", d.force_n, Lower::closed, 0.0, 1e4);
  require("ramp_s", d.ramp_s, Lower::open, 0.0, 100.0);
  require("damping_n_s_m", d.damping_n_s_m, Lower::closed, 0.0, 1e6);
  require("lift_start_s", d.lift_start_s, Lower::closed, 0.0, 1e6);
  require("lift_m", d.lift_m, Lower::closed, -10.0, 10.0);
  require_direction("lift_direction", d.lift_direction);
  if (d.direction.normalized().cross(d.lift_direction.normalized()).norm() < 1e-6)
    throw InputError("lift_direction is parallel to direction; give one across it");
  require("lift_time_s", d.lift_time_s, Lower::open, 0.0, 1e3);
}

}  // namespace distal
