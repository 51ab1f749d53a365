// Result tables read back at given times.
#pragma once
#include <filesystem>
#include <span>
#include <vector>

#include "distal/sensor/reading.hpp"

namespace distal {

// One row of series/NAME.csv.
struct SeriesRow {
  BodyReading reading;
  BodyCommand command;  // a pose comes back without its orientation
};

// For each time the last row at or before it; the first row for times before that. `times_s` rise. A last line that a
// killed run left incomplete is left out; anything else that is damaged throws InputError with file and line.
std::vector<SeriesRow> load_series_at(const std::filesystem::path& file, std::span<const double> times_s);
// Energy residual over the work done, as in the summary, up to each time.
std::vector<double> load_energy_residual_at(const std::filesystem::path& file, std::span<const double> times_s);

}  // namespace distal
