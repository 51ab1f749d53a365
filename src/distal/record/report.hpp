// report.html: one self-contained page that shows a run.
#pragma once
#include <string>

#include "distal/record/history.hpp"
#include "distal/record/run_header.hpp"
#include "distal/record/statistics.hpp"

namespace distal {

std::string report_html(const RunHeader& header, const RunEnd& end, const RunStatistics& statistics,
                        const History& history);

}  // namespace distal
