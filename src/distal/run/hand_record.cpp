#include "distal/run/hand_record.hpp"

#include "distal/record/series_table.hpp"
#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

// A table that a device of type "replay" reads again.
const std::vector<std::string> kHandColumns = {"time_s", "connected", "px_m",   "py_m",   "pz_m",   "qx",      "qy",
                                               "qz",     "qw",        "vx_m_s", "vy_m_s", "vz_m_s", "buttons", "fx_n",
                                               "fy_n",   "fz_n",      "tx_n_m", "ty_n_m", "tz_n_m", "energy_j"};

}  // namespace

std::vector<std::string> touching_devices(const Scene& scene) {
  std::vector<std::string> names;
  for (const auto& [name, device] : scene.devices)
    if (!device.touches.empty()) names.push_back(name);
  return names;
}

void HandRecord::add_period(const OutputFolder& folder, double time_s, std::span<HandPort* const> ports) {
  if (hands_.empty()) {
    std::vector<std::string> names;
    for (const HandPort* port : ports) names.push_back(port->name());
    const std::vector<std::string> files = series_file_names(names);
    for (std::size_t p = 0; p < ports.size(); ++p)
      hands_.push_back(
          {ports[p], Table(folder.folder("devices") / files[p], kHandColumns), {}, Thinned<HandInstant>{3000}, 0});
  }
  for (Hand& hand : hands_) {
    const HandState& state = hand.port->hand();
    Table& table = hand.table;
    table.add(time_s);
    table.add(state.connected ? 1 : 0);
    table.add(state.hand.position);
    table.add(state.hand.q);
    table.add(state.wanted.twist.linear);
    table.add(state.buttons);
    table.add(state.shown.force);
    table.add(state.shown.torque);
    table.add(state.energy_j);
    table.end_row();
    ++hand.periods;
    if (state.connected) hand.places_m.push_back(state.hand.position);
    hand.history.add({time_s, state.hand.position, state.shown.force});
  }
}

std::vector<DeviceReport> HandRecord::finish(double period_s) const {
  std::vector<DeviceReport> reports;
  for (const Hand& hand : hands_) {
    const DeviceMemory& memory = hand.port->side().memory();
    DeviceReport report;
    report.name = hand.port->name();
    report.type = device_types()[static_cast<std::size_t>(hand.port->description().kind)];
    report.tremor = find_tremor(hand.places_m, period_s);
    report.most_force_n = memory.most_force_n;
    report.most_jump_n = memory.most_jump_n;
    report.energy_j = memory.linear.energy_j + memory.angular.energy_j;
    report.least_energy_j = memory.linear.least_j + memory.angular.least_j;
    report.damped_j = memory.linear.damped_j + memory.angular.damped_j;
    report.periods = hand.periods;
    report.connected = hand.places_m.size();
    report.not_numbers = memory.guard.not_numbers;
    report.jumps = memory.guard.jumps;
    report.unplugged = memory.guard.unplugged;
    report.history = hand.history.values();
    report.loops = loops_;
    reports.push_back(std::move(report));
  }
  return reports;
}

}  // namespace distal
