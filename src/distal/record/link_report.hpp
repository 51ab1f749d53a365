// How a controller outside was served: what came over the network, and how well the clock was kept.
#pragma once
#include <cstdint>
#include <string>

namespace distal {

struct LinkReport {
  std::string clock;  // lockstep, realtime
  std::uint64_t received = 0, lost = 0, late = 0, repeated = 0, malformed = 0, refused = 0;
  std::uint64_t safe_actions = 0;  // how often the controller was silent for too long
  // Real time only.
  bool fixed_priority = false, locked_memory = false;
  std::uint64_t periods = 0, missed_deadlines = 0;
  double start_delay_p50_s = 0.0, start_delay_p99_s = 0.0, start_delay_p999_s = 0.0, start_delay_worst_s = 0.0;
  double largest_lag_s = 0.0;
};

}  // namespace distal
