// The page's style sheet and the script that reads values off the plots.
#pragma once
#include <string_view>

namespace distal {

extern const std::string_view report_style;
extern const std::string_view report_script;

}  // namespace distal
