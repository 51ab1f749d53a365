#include "distal/record/history.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace distal {

void History::add_period(double time_s, std::span<const BodyReading> readings, const EnergyReading& energy_reading) {
  for (std::size_t body = 0; body < readings.size(); ++body) {
    const BodyReading& reading = readings[body];
    const BodyFeedback& feedback = reading.feedback;
    bodies[body].add({time_s, reading.depth_m, reading.patch.area_m2, feedback.twist.linear.norm(), feedback.contact,
                      feedback.tip, feedback.sensor});
  }
  energy.add({time_s, energy_reading});
}

void History::add_frame(std::shared_ptr<const Frame> frame) {
  if (frame->touching && !first_contact) first_contact = frame;
  // The latest of equally deep frames: a tip that is twisted or dragged at depth shows the end of it.
  if (frame->touching && (!deepest || frame->depth_m >= 0.999 * deepest->depth_m)) deepest = frame;
  last = frame;
  frames.add(std::move(frame));
}

void History::add_taxels(TaxelGrid grid) {
  const auto total = [](const TaxelGrid& g) {
    return std::accumulate(g.pressure_pa.begin(), g.pressure_pa.end(), 0.0);
  };
  const auto same = std::find_if(taxels.begin(), taxels.end(), [&](const TaxelGrid& g) { return g.name == grid.name; });
  if (same == taxels.end())
    taxels.push_back(std::move(grid));
  else if (total(grid) >= total(*same))
    *same = std::move(grid);
}

}  // namespace distal
