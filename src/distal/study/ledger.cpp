#include "distal/study/ledger.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "distal/core/error.hpp"
#include "distal/core/printable.hpp"
#include "distal/record/output_folder.hpp"
#include "distal/study/delimited_text.hpp"

namespace distal {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string header_line(const SweepIdentity& identity) {
  return line_of({{"distal_sweep", kFormat},
                  {"version", identity.version},
                  {"runs", identity.runs},
                  {"values", identity.values},
                  {"scenes", identity.scenes}});
}

void check_identity(const Json& header, const SweepIdentity& identity, const std::string& folder) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(fmt::format(
        "{} holds a sweep {}. Choose another folder with --out DIR, or begin anew with --force.", folder, what));
  };
  if (header.value("distal_sweep", 0) != kFormat) refuse("of another format");
  if (header.value("runs", std::size_t{0}) != identity.runs || header.value("values", "") != identity.values)
    refuse(
        fmt::format("with other values ({} runs there, {} now)", header.value("runs", std::size_t{0}), identity.runs));
  if (header.value("scenes", "") != identity.scenes) refuse("of another scene, or the scene has changed since");
  if (header.value("version", "") != identity.version)
    refuse(fmt::format("by version {} of the program, this is {}", header.value("version", ""), identity.version));
}

constexpr std::array kStatuses = {"done", "failed", "refused", "crashed", "interrupted", kLostRun};

RunRecord record_of(const Json& json) {
  RunRecord record{json.at("status").get<std::string>(), json.value("message", ""), {}};
  if (json.contains("measures"))
    for (const auto& [name, value] : json["measures"].items()) record.measures[name] = value.get<double>();
  return record;
}

}  // namespace

Ledger::Ledger(std::filesystem::path file, const SweepIdentity& identity, bool anew) : path_(std::move(file)) {
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) throw OutputError(fmt::format("cannot open {}: {}", path_.string(), std::strerror(errno)));
  try {
    // Of this process alone: children do not hold it, and it ends with the process.
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    if (::fcntl(file_, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN))
      throw InputError(fmt::format("another sweep is running in {}", path_.parent_path().string()));
    if (anew && ::ftruncate(file_, 0) != 0)
      throw OutputError(fmt::format("cannot empty {}: {}", path_.string(), std::strerror(errno)));
    read(identity);
  } catch (...) {  // the destructor of an unfinished object does not run
    ::close(file_);
    throw;
  }
}

Ledger::~Ledger() {
  if (file_ >= 0) ::close(file_);
}

void Ledger::read(const SweepIdentity& identity) {
  // Through the open file: closing another one would give the lock away.
  std::string text;
  std::string buffer(1 << 16, '\0');
  while (true) {
    const ssize_t count = ::pread(file_, buffer.data(), buffer.size(), static_cast<off_t>(text.size()));
    if (count < 0) throw InputError(fmt::format("cannot read {}: {}", path_.string(), std::strerror(errno)));
    if (count == 0) break;
    text.append(buffer, 0, static_cast<std::size_t>(count));
  }
  const std::size_t whole = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  if (whole != text.size() && ::ftruncate(file_, static_cast<off_t>(whole)) != 0)
    throw OutputError(fmt::format("cannot cut a torn line off {}: {}", path_.string(), std::strerror(errno)));
  text.resize(whole);
  if (text.empty()) return write_line(header_line(identity));
  const std::vector<std::string_view> lines = text_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    try {
      const Json json = Json::parse(lines[i]);
      if (i == 0)
        check_identity(json, identity, path_.parent_path().string());
      else if (json.contains("finished"))
        note_end(json.at("finished").get<std::size_t>(), record_of(json), i + 1);
    } catch (const Json::exception&) {
      throw InputError(
          fmt::format("{}:{} is damaged; begin the sweep anew with --force, or delete the line to repeat its run",
                      path_.string(), i + 1));
    }
  }
}

void Ledger::note_end(std::size_t run, RunRecord record, std::size_t line) {
  if (std::find(kStatuses.begin(), kStatuses.end(), record.status) == kStatuses.end())
    throw InputError(
        fmt::format("{}:{}: status is \"{}\", allowed: {}; begin the sweep anew with --force, or delete the line to "
                    "repeat its run",
                    path_.string(), line, printable(record.status), fmt::join(kStatuses, ", ")));
  if (record.status == kLostRun)
    finished_.erase(run);
  else
    finished_[run] = std::move(record);
}

void Ledger::write_line(const std::string& line) {
  const off_t end = ::lseek(file_, 0, SEEK_END);
  const int problem = write_all(file_, line);
  if (problem == 0) return;
  const bool cut = ::ftruncate(file_, end) == 0;
  throw OutputError(
      fmt::format("cannot write {}: {}. The runs before are safe{}; free some space and start the sweep "
                  "again to go on.",
                  path_.string(), std::strerror(problem), cut ? "" : ", a torn line may follow them"));
}

void Ledger::note_start(std::size_t run) { write_line(line_of({{"started", run}})); }

void Ledger::add(std::size_t run, const RunRecord& record) {
  Json json = {{"finished", run}, {"status", record.status}};
  if (!record.message.empty()) json["message"] = record.message;
  if (!record.measures.empty()) json["measures"] = record.measures;
  write_line(line_of(json));
  if (::fsync(file_) != 0)
    throw OutputError(fmt::format("cannot write {} to its disk: {}", path_.string(), std::strerror(errno)));
  finished_[run] = record;
}

}  // namespace distal
