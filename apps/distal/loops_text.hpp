// The loops of a run in real time, for people: rate and jitter, a line each.
#pragma once
#include <span>

#include "distal/record/device_results.hpp"
#include "distal/terminal.hpp"

namespace distal {

inline void print_loops(std::span<const LoopReport> loops) {
  for (const LoopReport& loop : loops)
    say("  {:<20}{:.1f} Hz, {:.2f} % on time; begins late by {:.0f} us median, {:.0f} us 99.9 %, {:.0f} us worst\n",
        loop.name + " loop", loop.rate_hz, 100.0 * loop.on_time(), 1e6 * loop.start_delay_p50_s,
        1e6 * loop.start_delay_p999_s, 1e6 * loop.start_delay_worst_s);
}

}  // namespace distal
