// The columns of the result tables, each heading beside the row that fills it.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "distal/record/table.hpp"
#include "distal/sensor/reading.hpp"
#include "distal/state/exchange.hpp"

namespace distal {

std::string_view name_of(CommandMode mode);
std::string_view name_of(JointMode mode);

// NAME.csv of each body; names that look alike in a file system are told apart.
std::vector<std::string> series_file_names(std::span<const std::string> body_names);

// series/NAME.csv: one body, one row per control period.
std::vector<std::string> series_columns();
void add_series_row(Table& table, double time_s, const BodyReading& reading, const BodyCommand& command);

// measured/NAME.csv: what the controller of a body behind channels saw.
std::vector<std::string> measured_columns();
void add_measured_row(Table& table, const BodyFeedback& seen);

// energy.csv [J].
std::vector<std::string> energy_columns();
void add_energy_row(Table& table, double time_s, const EnergyReading& energy);

// curve.csv: settled states.
std::vector<std::string> curve_columns();
void add_curve_table_row(Table& table, const CurveRow& row);

// recording/commands.csv: every input of a period, exactly; and hashes of what came of it.
std::vector<std::string> recording_columns(std::span<const std::string> body_names,
                                           std::span<const std::string> joint_names,
                                           std::span<const std::string> touch_names = {});
void add_recording_row(Table& table, double time_s, std::span<const BodyCommand> commands,
                       std::span<const JointCommand> joints, std::span<const TouchCommand> touches,
                       std::uint64_t feedback_hash, std::optional<std::uint64_t> state_hash);

}  // namespace distal
