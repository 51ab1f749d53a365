// Runs a scene for a while; every period has to end well.
#pragma once
#include <gtest/gtest.h>

#include "distal/simulation/simulation.hpp"

namespace distal::test {

inline void run_for(Simulation& simulation, double seconds, const BodyCommand& command = {}) {
  const std::vector<BodyCommand> commands(simulation.body_count(), command);
  const double end = simulation.state().time_s + seconds - 1e-9;
  while (simulation.state().time_s < end) {
    const StepReport report = simulation.advance(commands);
    ASSERT_EQ(report.status, StepStatus::good) << report.message;
  }
}

}  // namespace distal::test
