#include "distal/record/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>

#include "distal/core/error.hpp"
#include "distal/record/series_table.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;
using RecordJson = nlohmann::json;

std::string whole_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || fs::is_directory(path))
    throw InputError(fmt::format("{} cannot be read: is this the folder of a run's results?", path.string()));
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// One row of the table, taken from left to right.
class RowReader {
 public:
  RowReader(std::string_view line, std::string place, const std::vector<std::string>& columns)
      : rest_(line), place_(std::move(place)), columns_(columns) {}

  std::string_view word() {
    if (done_) refuse("is missing");
    const std::size_t comma = rest_.find(',');
    const std::string_view word = rest_.substr(0, comma);
    done_ = comma == std::string_view::npos;
    rest_.remove_prefix(done_ ? rest_.size() : comma + 1);
    ++column_;
    return word;
  }
  double number() {
    const std::string_view text = word();
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
      refuse_found(text, "a finite number");
    return value;
  }
  Vec3 vector() {
    Vec3 v;
    for (double& component : v) component = number();
    return v;
  }
  CommandMode mode() {
    const std::string_view text = word();
    for (const CommandMode mode : {CommandMode::wrench, CommandMode::twist, CommandMode::pose})
      if (name_of(mode) == text) return mode;
    refuse_found(text, "wrench, twist or pose");
  }
  // Nothing for an empty field.
  std::optional<std::uint64_t> hash() {
    const std::string_view text = word();
    if (text.empty()) return std::nullopt;
    std::uint64_t value = 0;
    const std::string_view digits = text.substr(1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (text[0] != 'x' || error != std::errc() || end != digits.data() + digits.size() || digits.size() != 16)
      refuse_found(text, "x and 16 hexadecimal digits");
    return value;
  }
  void expect_end() {
    if (!done_) throw InputError(fmt::format("{}: has more than {} columns", place_, columns_.size()));
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError(fmt::format("{}: column {} {}", place_, columns_[std::min(column_, columns_.size() - 1)], what));
  }
  [[noreturn]] void refuse_found(std::string_view text, const char* expected) {
    --column_;
    refuse(fmt::format("holds \"{}\", expected {}", text, expected));
  }

  std::string_view rest_;
  std::string place_;
  const std::vector<std::string>& columns_;
  std::size_t column_ = 0;
  bool done_ = false;
};

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
  const std::string text = whole_file(path), heading = fmt::format("{}\n", fmt::join(columns, ","));
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
    return RecordJson::parse(whole_file(path));
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
