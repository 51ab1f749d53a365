// Tells somebody who waits what takes so long: nothing at first, then a running clock on a terminal, one line
// elsewhere.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace distal {

class Patience {
 public:
  explicit Patience(std::string what);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  void now(std::string what);  // the next thing that may take long

 private:
  void watch(std::stop_token stop);
  void tell(bool terminal, std::chrono::seconds waited);

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string what_;
  bool told_ = false;
  std::jthread watcher_;  // last: it uses the others
};

}  // namespace distal
