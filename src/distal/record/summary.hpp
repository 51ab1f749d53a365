// summary.json and recording/header.json.
#pragma once
#include <string>

#include "distal/record/run_header.hpp"
#include "distal/record/statistics.hpp"

namespace distal {

std::string summary_json(const RunHeader& header, const RunEnd& end, const RunStatistics& statistics);

// What `recording` needs beside the commands and scene.toml to run again.
std::string recording_header_json(const RunHeader& header);

}  // namespace distal
