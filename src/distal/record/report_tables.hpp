// The tables and the opening lines of the report.
#pragma once
#include <string>

#include "distal/record/run_header.hpp"
#include "distal/record/statistics.hpp"

namespace distal {

std::string verdict_html(const RunHeader& header, const RunEnd& end, const RunStatistics& statistics);
std::string facts_html(const RunEnd& end, const RunStatistics& statistics);
std::string run_table_html(const RunHeader& header, const RunEnd& end);
std::string wrench_table_html(const BodyStatistics& body);

}  // namespace distal
