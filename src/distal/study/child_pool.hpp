// Jobs in child processes of this program, a few at a time: a crash loses one job only. Children end with their parent,
// however it ends. For programs with a single thread, as other threads do not exist in a forked child.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace distal {

// How a job ended.
struct ChildResult {
  std::size_t job = 0;
  std::string answer;   // what the work returned
  std::string problem;  // why there is none: the exception's text, or how the process died; empty when all is well
  bool died = false;    // without saying why by itself
  bool lost = false;    // through an OutputError: nothing that the job itself is to blame for
};

class ChildPool {
 public:
  explicit ChildPool(int jobs);  // at most so many at a time
  ~ChildPool();                  // ends those that still run
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;

  bool has_room() const { return children_.size() < limit_; }
  bool idle() const { return children_.empty(); }

  // Runs `work` in a child. It sees everything as it is now, and changes nothing here.
  void start(std::size_t job, const std::function<std::string()>& work);
  // Those that ended, after waiting for at most `patience` for one.
  std::vector<ChildResult> collect(std::chrono::milliseconds patience);

 private:
  struct Child {
    pid_t process = -1;
    int answer_pipe = -1, message_pipe = -1;  // closed at their end
    ChildResult result;
    std::string messages;  // standard error
  };
  void read_pipes(std::chrono::milliseconds patience);

  std::size_t limit_;
  std::vector<Child> children_;
};

// The cores that this process may use.
int usable_cores();

}  // namespace distal
