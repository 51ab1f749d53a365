#include "distal/record/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "distal/core/error.hpp"
#include "distal/record/row_reader.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;
using RecordJson = nlohmann::json;

BodyCommand read_command(RowReader& row) {
  BodyCommand command;
  command.mode = row.mode();
  const Vec3 first = row.vector();
  if (command.mode == CommandMode::pose) {
    command.pose.position = first;
    for (double& component : command.pose.q.coeffs()) component = row.number();
    return command;
  }
  const Vec3 second = row.vector();
  row.number();  // poses only
  if (command.mode == CommandMode::wrench) command.wrench = {first, second};
  if (command.mode == CommandMode::twist) command.twist = {first, second};
  return command;
}

RecordedPeriod read_period(RowReader row, std::size_t bodies) {
  RecordedPeriod period;
  period.time_s = row.number();
  for (std::size_t b = 0; b < bodies; ++b) period.commands.push_back(read_command(row));
  period.state_hash = row.hash();
  period.feedback_hash = row.hash();
  row.expect_end();
  return period;
}

void read_periods(const fs::path& path, Recording& recording) {
  const std::vector<std::string> columns = recording_columns(recording.body_names);
  const std::string text = load_whole_file(path), heading = fmt::format("{}\n", fmt::join(columns, ","));
  if (!text.starts_with(heading))
    throw InputError(fmt::format("{}:1: the heading does not fit the bodies of header.json: {}", path.string(),
                                 fmt::join(recording.body_names, ", ")));
  std::string_view rest = std::string_view(text).substr(heading.size());
  for (std::size_t line = 2; !rest.empty(); ++line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      if (!recording.end) return;  // killed while it was written
      throw InputError(fmt::format("{}:{}: the row is torn, though the run ended well", path.string(), line));
    }
    const RowReader row(rest.substr(0, end), fmt::format("{}:{}", path.string(), line), columns);
    recording.periods.push_back(read_period(row, recording.body_names.size()));
    rest.remove_prefix(end + 1);
  }
}

RecordJson read_json(const fs::path& path) {
  try {
    return RecordJson::parse(load_whole_file(path));
  } catch (const RecordJson::exception& problem) {
    throw InputError(fmt::format("{} is damaged: {}", path.string(), problem.what()));
  }
}

}  // namespace

Recording load_recording(const fs::path& folder) {
  const fs::path path = folder / "recording";
  const RecordJson header = read_json(path / "header.json");
  Recording recording;
  try {
    if (const int format = header.at("format"); format != 2)
      throw InputError(
          fmt::format("{} has format {}, this program reads format 2", (path / "header.json").string(), format));
    header.at("version").get_to(recording.version);
    header.at("instruction_set").get_to(recording.instruction_set);
    header.at("scene").get_to(recording.scene_file);
    header.at("scene_toml").get_to(recording.scene_toml);
    header.at("bodies").get_to(recording.body_names);
    if (fs::exists(path / "end.json")) {
      const RecordJson end = read_json(path / "end.json");
      recording.end =
          RecordedEnd{end.at("status"), std::stoull(end.at("final_state_hash").get<std::string>(), nullptr, 16)};
    }
  } catch (const RecordJson::exception& problem) {
    throw InputError(fmt::format("{} is damaged: {}", path.string(), problem.what()));
  } catch (const std::logic_error& problem) {  // no number
    throw InputError(fmt::format("{}: final_state_hash is no hash", (path / "end.json").string()));
  }
  read_periods(path / "commands.csv", recording);
  if (fs::exists(path / "start.checkpoint")) recording.start = path / "start.checkpoint";
  return recording;
}

}  // namespace distal
