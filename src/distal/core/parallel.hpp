// A fixed team of threads for loops of tens of microseconds. Which thread does what never changes a result: work is
// split by the caller into parts whose results are combined in a fixed order.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace distal {

class ThreadTeam {
 public:
  // `threads` includes the calling one.
  explicit ThreadTeam(int threads);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  int size() const { return size_; }

  // Calls work(thread) once on every thread, the caller being thread 0, and returns when all are done.
  template <typename Work>
  void run(Work&& work) {
    if (size_ == 1) {
      work(0);
      return;
    }
    run_erased([](void* w, int thread) { (*static_cast<std::remove_reference_t<Work>*>(w))(thread); }, &work);
  }

  // Contiguous share of [0, count) for one thread.
  static int share_begin(int count, int thread, int threads) {
    return static_cast<int>(static_cast<std::int64_t>(count) * thread / threads);
  }

 private:
  using Call = void (*)(void*, int);
  void run_erased(Call call, void* work);
  void start_round();
  void serve(int thread);

  int size_;
  Call call_ = nullptr;
  void* work_ = nullptr;
  std::atomic<bool> stop_{false};
  // Written by one side and watched by the other: each on a cache line of its own. 32 bits is what a futex waits on.
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<int> pending_{0};
  alignas(64) std::atomic<int> sleepers_{0};
  std::atomic<bool> caller_sleeps_{false};
  std::vector<std::jthread> threads_;
};

}  // namespace distal
