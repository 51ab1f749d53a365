#include "distal/geometry/external_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

#include "distal/core/error.hpp"

extern char** environ;

namespace distal {
namespace {

// How a program is started: what it prints goes to a file, and it leads a group of its own, to be ended together.
class SpawnPlan {
 public:
  SpawnPlan(const std::filesystem::path& folder, const std::filesystem::path& output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addchdir_np(&actions_, folder.c_str());
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions_, STDOUT_FILENO, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&actions_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  // 0, or an errno.
  int spawn(const std::filesystem::path& program, const std::vector<std::string>& arguments, pid_t& pid) const {
    std::vector<char*> words{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    return posix_spawn(&pid, program.c_str(), &actions_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

ProgramEnd wait_for(pid_t pid, double time_limit_s) {
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::duration<double>(time_limit_s);
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) break;
    if (ended < 0 && errno != EINTR) return {ProgramEnd::Kind::not_started, errno, {}};
    if (Clock::now() > limit) {
      kill(-pid, SIGKILL);
      while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
      return {ProgramEnd::Kind::timed_out, SIGKILL, {}};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  if (WIFSIGNALED(status)) return {ProgramEnd::Kind::killed, WTERMSIG(status), {}};
  return {ProgramEnd::Kind::exited, WEXITSTATUS(status), {}};
}

}  // namespace

std::optional<std::filesystem::path> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    // A relative folder would mean another program from every place.
    if (!folder.starts_with('/')) continue;
    const std::filesystem::path candidate = std::filesystem::path(folder) / name;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "distal_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw OutputError(fmt::format("{}: cannot make a temporary folder: {}", name, std::strerror(errno)));
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ProgramEnd::describe() const {
  switch (kind) {
    case Kind::exited:
      return code == 0 ? "" : fmt::format("ended with code {}", code);
    case Kind::killed:
      return fmt::format("was ended by signal {} ({})", code, strsignal(code));
    case Kind::timed_out:
      return "did not end within its time limit";
    case Kind::not_started:
      break;
  }
  return fmt::format("could not be started: {}", std::strerror(code));
}

ProgramEnd run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                       const std::filesystem::path& folder, double time_limit_s) {
  const std::filesystem::path output = folder / "printed.txt";
  pid_t pid = 0;
  const int error = SpawnPlan(folder, output).spawn(program, arguments, pid);
  if (error != 0) return {ProgramEnd::Kind::not_started, error, {}};
  ProgramEnd end = wait_for(pid, time_limit_s);
  std::ifstream stream(output, std::ios::binary);
  end.output.assign(std::istreambuf_iterator<char>(stream), {});
  return end;
}

}  // namespace distal
