// Gains of a sampled PID that moves a mass: where the poles go, and nothing else.
#pragma once

namespace distal {

// Per unit of mass: acceleration = kp * error + kd * error rate + sum(ki * period * error).
struct PidGains {
  double kp = 0.0;  // [1/s^2]
  double kd = 0.0;  // [1/s]
  double ki = 0.0;  // [1/s^3]
};

// The closed loop of a free mass under a command held for `period_s` gets the real poles w, w and 1/integral_time, so
// it is critically damped at any bandwidth and any period. Derivation: docs/models/adaptive_pid.md.
PidGains critically_damped_gains(double bandwidth_rad_s, double integral_time_s, double period_s);

}  // namespace distal
