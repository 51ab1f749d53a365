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
  if (!stream || fs::is_directory(path)) throw InputError(fmt::format("{} cannot be read", path.string()));
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

// A JSON file whose values are asked for by name.
class JsonFile {
 public:
  explicit JsonFile(const fs::path& path) : path_(path) {
    const std::string text = whole_file(path);
    try {
      json_ = RecordJson::parse(text);
    } catch (const RecordJson::parse_error& problem) {
      throw InputError(fmt::format("{} is damaged: what stands at byte {} of {} is no JSON", path.string(),
                                   std::min(problem.byte, text.size()), text.size()));
    }
  }
  template <typename T>
  T get(const char* key) const {
    try {
      return json_.at(key).get<T>();
    } catch (const RecordJson::exception&) {
      throw InputError(fmt::format("{} is damaged: \"{}\" is missing, or not what it should be", path_.string(), key));
    }
  }

 private:
  fs::path path_;
  RecordJson json_;
};

RecordedEnd read_end(const fs::path& path) {
  const JsonFile file(path);
  const auto hash = file.get<std::string>("final_state_hash");
  RecordedEnd end{file.get<std::string>("status"), 0};
  const auto [stop, error] = std::from_chars(hash.data(), hash.data() + hash.size(), end.state_hash, 16);
  if (error != std::errc() || stop != hash.data() + hash.size())
    throw InputError(fmt::format("{} is damaged: final_state_hash \"{}\" is no hash", path.string(), hash));
  return end;
}

void refuse_other_folders(const fs::path& folder) {
  if (!fs::is_directory(folder))
    throw InputError(fmt::format("{}: no such folder; expected one with the results of a run", folder.string()));
  if (!fs::exists(folder / "recording/header.json"))
    throw InputError(
        fmt::format("{}: holds no recording/header.json, so these are not the results of a run", folder.string()));
}

}  // namespace

Recording load_recording(const fs::path& folder) {
  refuse_other_folders(folder);
  const fs::path path = folder / "recording";
  const JsonFile header(path / "header.json");
  if (const int format = header.get<int>("format"); format != 2)
    throw InputError(
        fmt::format("{} has format {}, this program reads format 2", (path / "header.json").string(), format));
  Recording recording;
  recording.version = header.get<std::string>("version");
  recording.instruction_set = header.get<std::string>("instruction_set");
  recording.scene_file = header.get<std::string>("scene");
  recording.scene_toml = header.get<std::string>("scene_toml");
  recording.body_names = header.get<std::vector<std::string>>("bodies");
  if (fs::exists(path / "end.json")) recording.end = read_end(path / "end.json");
  read_periods(path / "commands.csv", recording);
  if (fs::exists(path / "start.checkpoint")) recording.start = path / "start.checkpoint";
  return recording;
}

}  // namespace distal
