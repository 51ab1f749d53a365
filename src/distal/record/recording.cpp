#include "distal/record/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "distal/core/error.hpp"
#include "distal/record/row_reader.hpp"
#include "distal/record/table.hpp"

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

TouchCommand read_touch(RowReader& row) {
  TouchCommand touch;
  touch.soft = static_cast<std::int32_t>(row.number());
  touch.triangle = static_cast<std::int32_t>(row.number());
  for (Vec3* v : {&touch.weight, &touch.velocity_m_s, &touch.normal}) *v = row.vector();
  touch.friction = row.number();
  if (touch.friction < 0.0) touch.friction = std::numeric_limits<double>::infinity();
  return touch;
}

RecordedPeriod read_period(RowReader row, const Recording& recording) {
  RecordedPeriod period;
  period.time_s = row.number();
  for (std::size_t b = 0; b < recording.body_names.size(); ++b) period.commands.push_back(read_command(row));
  for (std::size_t j = 0; j < recording.joint_names.size(); ++j) {
    JointCommand& command = period.joints.emplace_back();
    command.mode = row.joint_mode();
    command.value = row.number();
    command.rate = row.number();
  }
  for (std::size_t t = 0; t < recording.touch_names.size(); ++t) period.touches.push_back(read_touch(row));
  period.state_hash = row.hash();
  period.feedback_hash = row.hash();
  row.expect_end();
  return period;
}

void read_periods(const fs::path& path, Recording& recording) {
  const std::vector<std::string> columns =
      recording_columns(recording.body_names, recording.joint_names, recording.touch_names);
  const std::string text = load_whole_file(path);
  fmt::memory_buffer first_line;
  for (const std::string& column : columns) {
    append_cell(column, first_line);
    first_line.push_back(&column == &columns.back() ? '\n' : ',');
  }
  const std::string heading = fmt::to_string(first_line);
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
    recording.periods.push_back(read_period(row, recording));
    rest.remove_prefix(end + 1);
  }
}

// A JSON file whose values are asked for by name.
class JsonFile {
 public:
  explicit JsonFile(const fs::path& path) : path_(path) {
    const std::string text = load_whole_file(path);
    try {
      json_ = RecordJson::parse(text);
    } catch (const RecordJson::parse_error& problem) {
      throw InputError(fmt::format("{} is damaged: what stands at byte {} of {} is no JSON", path.string(),
                                   std::min(problem.byte, text.size()), text.size()));
    }
  }
  bool holds(const char* key) const { return json_.contains(key); }
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
  if (header.holds("joints")) recording.joint_names = header.get<std::vector<std::string>>("joints");
  if (header.holds("touches")) recording.touch_names = header.get<std::vector<std::string>>("touches");
  if (fs::exists(path / "end.json")) recording.end = read_end(path / "end.json");
  read_periods(path / "commands.csv", recording);
  if (fs::exists(path / "start.checkpoint")) recording.start = path / "start.checkpoint";
  return recording;
}

}  // namespace distal
