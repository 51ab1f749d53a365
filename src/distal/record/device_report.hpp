// What was told about hands, as JSON for the summary and as a part of the report.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "distal/record/device_results.hpp"

namespace distal {

// Adds an object "devices" if there are any.
void add_devices(nlohmann::ordered_json& summary, const std::vector<DeviceReport>& devices);

std::string device_note(const DeviceReport& device);
std::string device_figures(const DeviceReport& device);  // place, force, spectrum, and a table

}  // namespace distal
