// What was measured on soft bodies, as JSON for the summary and as parts of the report.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "distal/record/measure_results.hpp"

namespace distal {

// Adds "volume_m3" and its like to the bodies, and an object "sensors" if there are any.
void add_measures(nlohmann::ordered_json& summary, const MeasureResults& measures);

// Figures and tables; empty where there is nothing to show.
std::string contours_html(const MeasureResults& measures);
std::string point_errors_html(const MeasureResults& measures);
std::string compressions_html(const MeasureResults& measures);
std::string volumes_html(const MeasureResults& measures);

}  // namespace distal
