#include "distal/controller/pole_placement.hpp"

#include <cmath>

namespace distal {

PidGains critically_damped_gains(double bandwidth_rad_s, double integral_time_s, double period_s) {
  // With delta = z - 1 the loop is delta^3 + (kd T + kp T^2/2) delta^2 + (kp T^2 + ki T^3/2) delta + ki T^3 = 0;
  // the wanted one is (delta + fast)^2 (delta + slow). expm1 keeps the digits of short periods.
  const double fast = -std::expm1(-bandwidth_rad_s * period_s);
  const double slow = -std::expm1(-period_s / integral_time_s);
  const double ki_t3 = fast * fast * slow;
  const double kp_t2 = fast * fast + 2.0 * fast * slow - 0.5 * ki_t3;
  const double kd_t = 2.0 * fast + slow - 0.5 * kp_t2;
  return {kp_t2 / (period_s * period_s), kd_t / period_s, ki_t3 / (period_s * period_s * period_s)};
}

}  // namespace distal
