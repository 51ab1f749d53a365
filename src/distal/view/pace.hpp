// Simulated time against the clock, at a speed that may change.
#pragma once
#include <cstdint>

namespace distal {

class Pace {
 public:
  // Simulated seconds a second; 0 is as fast as it goes.
  explicit Pace(double speed) : speed_(speed) {}

  double speed() const { return speed_; }
  void set_speed(double speed, double simulated_s);
  // From here on: the time that passed before does not count.
  void restart(double simulated_s);

  // Waits for the moment at which this simulated time is due, but not for long: false when it is not there yet.
  bool wait(double simulated_s);

  // Reached over the last half second or so; 0 while time stands still.
  double real_time_factor() const { return factor_; }
  std::uint64_t late_periods() const { return late_; }

 private:
  void measure(double now_s, double simulated_s);

  double speed_;
  double start_s_ = 0.0, start_simulated_s_ = 0.0;  // what the clock counts from
  double mark_s_ = 0.0, mark_simulated_s_ = 0.0;    // what the factor is measured from
  double factor_ = 0.0;
  bool started_ = false, measured_ = false;
  std::uint64_t late_ = 0;
};

}  // namespace distal
