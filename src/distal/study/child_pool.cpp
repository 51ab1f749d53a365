#include "distal/study/child_pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

#include "distal/core/error.hpp"
#include "distal/record/output_folder.hpp"

namespace distal {
namespace {

constexpr int kAnswered = 0, kThrew = 3, kLost = 4;  // exit codes of a child

struct Pipe {
  int read_end = -1, write_end = -1;
};

Pipe open_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw OutputError(fmt::format("cannot start a run: {}", std::strerror(errno)));
  return {ends[0], ends[1]};
}

// Ctrl-C on the terminal is for the parent, who decides about its children; a parent that dies takes them along.
void live_as_child(pid_t parent, int message_end) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kThrew);
  ::dup2(message_end, STDERR_FILENO);
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGTERM, SIG_DFL);
}

[[noreturn]] void work_as_child(const std::function<std::string()>& work, int answer_end) {
  int code = kThrew;
  std::string text;
  try {
    text = work();
    code = kAnswered;
  } catch (const OutputError& problem) {
    text = problem.what();
    code = kLost;
  } catch (const std::bad_alloc&) { text = "out of memory"; } catch (const std::exception& problem) {
    text = problem.what();
  }
  if (write_all(answer_end, text) != 0 && code == kAnswered) code = kThrew;
  ::_exit(code);  // what the parent holds open and has not written is the parent's
}

// Takes what there is; false at the end.
bool read_some(int pipe, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0;
}

std::string last_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  const std::size_t end = text.rfind('\n');
  return end == std::string::npos ? text : text.substr(end + 1);
}

std::string death_of(int status, const std::string& messages) {
  const std::string said = messages.empty() ? "" : ": " + last_line(messages);
  if (WIFSIGNALED(status)) return fmt::format("{}{}", ::strsignal(WTERMSIG(status)), said);
  return fmt::format("ended with code {}{}", WEXITSTATUS(status), said);
}

void close_pipe(int& pipe) {
  if (pipe >= 0) ::close(pipe);
  pipe = -1;
}

int wait_for(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

}  // namespace

ChildPool::ChildPool(int jobs) : limit_(static_cast<std::size_t>(std::max(1, jobs))) {}

ChildPool::~ChildPool() {
  for (Child& child : children_) ::kill(child.process, SIGKILL);
  for (Child& child : children_) {
    wait_for(child.process);
    close_pipe(child.answer_pipe);
    close_pipe(child.message_pipe);
  }
}

void ChildPool::start(std::size_t job, const std::function<std::string()>& work) {
  DISTAL_ASSERT(has_room());
  const Pipe answer = open_pipe();
  const Pipe message = open_pipe();
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) {
    live_as_child(parent, message.write_end);
    work_as_child(work, answer.write_end);
  }
  const int problem = errno;
  ::close(answer.write_end);
  ::close(message.write_end);
  if (process < 0) {
    ::close(answer.read_end);
    ::close(message.read_end);
    throw OutputError(fmt::format("cannot start a run: {}", std::strerror(problem)));
  }
  Child child;
  child.process = process;
  child.answer_pipe = answer.read_end;
  child.message_pipe = message.read_end;
  child.result.job = job;
  children_.push_back(std::move(child));
}

void ChildPool::read_pipes(std::chrono::milliseconds patience) {
  std::vector<pollfd> waiting;
  for (const Child& child : children_)
    for (const int pipe : {child.answer_pipe, child.message_pipe})
      if (pipe >= 0) waiting.push_back({pipe, POLLIN, 0});
  if (::poll(waiting.data(), waiting.size(), static_cast<int>(patience.count())) <= 0) return;
  const auto is_ready = [&](int pipe) {
    return std::any_of(waiting.begin(), waiting.end(),
                       [&](const pollfd& entry) { return entry.fd == pipe && entry.revents != 0; });
  };
  for (Child& child : children_) {
    if (is_ready(child.answer_pipe) && !read_some(child.answer_pipe, child.result.answer))
      close_pipe(child.answer_pipe);
    if (is_ready(child.message_pipe) && !read_some(child.message_pipe, child.messages)) close_pipe(child.message_pipe);
  }
}

std::vector<ChildResult> ChildPool::collect(std::chrono::milliseconds patience) {
  read_pipes(patience);
  std::vector<ChildResult> ended;
  for (Child& child : children_) {
    if (child.answer_pipe >= 0 || child.message_pipe >= 0) continue;
    const int status = wait_for(child.process);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    child.result.lost = code == kLost;
    if (code == kThrew || code == kLost)
      child.result.problem = child.result.answer.empty() ? "ended without a word" : child.result.answer;
    else if (code != kAnswered)
      child.result.problem = death_of(status, child.messages), child.result.died = true;
    if (!child.result.problem.empty()) child.result.answer.clear();
    ended.push_back(std::move(child.result));
    child.process = -1;
  }
  std::erase_if(children_, [](const Child& child) { return child.process < 0; });
  return ended;
}

int usable_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (::sched_getaffinity(0, sizeof(cores), &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

}  // namespace distal
