// Runs another program, without a shell.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace distal {

// The first executable file of that name on PATH.
std::optional<std::filesystem::path> find_program(const std::string& name);

// A new folder that nobody else can read, removed with all it holds at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

struct ProgramEnd {
  enum class Kind { exited, killed, timed_out, not_started } kind;
  int code;            // exit code, signal or errno
  std::string output;  // what it printed, errors too

  // "ended with code 3", for messages; empty after a good end.
  std::string describe() const;
};

// Runs in `folder`, with nothing to read. After the time limit it is killed, with all it started.
ProgramEnd run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                       const std::filesystem::path& folder, double time_limit_s);

}  // namespace distal
