// The figures of the report, each a list of HTML figure elements; empty where there is nothing to show.
#pragma once
#include <string>

#include "distal/record/history.hpp"
#include "distal/record/run_header.hpp"

namespace distal {

std::string figure(std::string_view title, std::string_view note, std::string_view svg);

// Force and torque against time and depth of one body: the contact wrench, then tip and sensor folded away.
std::string wrench_figures(const Thinned<BodySample>& samples);
std::string curve_figures(const std::vector<CurveRow>& curve);
// Load and friction of the contacts of rigid bodies: those with the largest loads.
std::string grasp_figures(const History& history);
std::string energy_figures(const Thinned<EnergySample>& samples);

}  // namespace distal
