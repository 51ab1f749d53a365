#include "distal/record/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace distal {

void PeakVector::update(const Vec3& candidate, double now_s) {
  if (candidate.squaredNorm() <= value.squaredNorm()) return;
  value = candidate;
  time_s = now_s;
}

void BodyStatistics::update(double time_s, const BodyReading& reading) {
  const BodyFeedback& feedback = reading.feedback;
  const auto update_wrench = [time_s](PeakWrench& peak, const Wrench& wrench) {
    peak.force.update(wrench.force, time_s);
    peak.torque.update(wrench.torque, time_s);
  };
  update_wrench(contact, feedback.contact);
  update_wrench(tip, feedback.tip);
  update_wrench(sensor, feedback.sensor);
  peak_depth_m = std::max(peak_depth_m, reading.depth_m);
  peak_contact_area_m2 = std::max(peak_contact_area_m2, reading.patch.area_m2);
  peak_pressure_pa = std::max(peak_pressure_pa, reading.patch.peak_pressure_pa);
  closure_residual = std::max(closure_residual, reading.closure_residual);
  // Contacts of rigid bodies by samples have no patch, but a force.
  const bool touches = reading.patch.count > 0 || feedback.contact.force != Vec3::Zero();
  if (first_contact_s < 0.0 && touches) first_contact_s = time_s;
  last = reading;
}

void EnergyStatistics::update(const EnergyReading& energy) {
  if (!started_) {
    started_ = true;
    first_gravity_ = energy.gravity;
    first_work_ = energy.control_work;
  }
  residual_j = std::max(residual_j, std::abs(energy.residual));
  integrator_j = energy.integrator;
  work_done_j =
      std::max({work_done_j, std::abs(energy.control_work - first_work_), std::abs(energy.gravity - first_gravity_)});
}

double EnergyStatistics::relative_residual() const { return work_done_j > 0.0 ? residual_j / work_done_j : 0.0; }

double DurationStatistics::lower_edge_s(std::size_t bin) {
  return smallest_s * std::pow(10.0, static_cast<double>(bin) / bins_per_decade);
}

void DurationStatistics::update(double seconds) {
  const double place = bins_per_decade * std::log10(std::max(seconds, smallest_s) / smallest_s);
  const auto bin = std::min(static_cast<std::size_t>(place), bins_.size() - 1);
  ++bins_[bin];
  ++count_;
  worst_s_ = std::max(worst_s_, seconds);
  total_s_ += seconds;
}

double DurationStatistics::quantile_s(double fraction) const {
  if (count_ == 0) return 0.0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
  std::uint64_t below = 0;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    below += bins_[bin];
    if (below >= rank) return std::min(worst_s_, std::sqrt(lower_edge_s(bin) * lower_edge_s(bin + 1)));
  }
  return worst_s_;
}

}  // namespace distal
