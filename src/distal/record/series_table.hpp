// The columns of the result tables, each heading beside the row that fills it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "distal/record/table.hpp"
#include "distal/sensor/reading.hpp"
#include "distal/state/exchange.hpp"

namespace distal {

std::string_view name_of(CommandMode mode);

// series/NAME.csv: one body, one row per control period.
std::vector<std::string> series_columns();
void add_series_row(Table& table, double time_s, const BodyReading& reading, const BodyCommand& command);

// energy.csv [J].
std::vector<std::string> energy_columns();
void add_energy_row(Table& table, double time_s, const EnergyReading& energy);

// curve.csv: settled states.
std::vector<std::string> curve_columns();
void add_curve_table_row(Table& table, const CurveRow& row);

// recording/commands.csv: every input of a period, exactly.
std::vector<std::string> recording_columns(std::span<const std::string> body_names);
void add_recording_row(Table& table, double time_s, std::span<const BodyCommand> commands);

}  // namespace distal
