// summary.json, and the two JSON files of recording/.
#pragma once
#include <string>

#include "distal/record/run_header.hpp"
#include "distal/record/statistics.hpp"

namespace distal {

std::string summary_json(const RunHeader& header, const RunEnd& end, const RunStatistics& statistics);

// What `recording` needs beside the commands and scene.toml to run again.
std::string recording_header_json(const RunHeader& header);
// And what it must come to; a killed run has none.
std::string recording_end_json(const RunEnd& end);

}  // namespace distal
