#include "distal/core/parallel.hpp"

#include "distal/core/error.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace distal {
namespace {

// Loops follow each other within microseconds, so a thread looks for a while before it sleeps. With more threads than
// cores looking only takes time from the thread that is waited for.
constexpr int kLooks = 4000;

void relax() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

template <typename T>
void wait_while_equal(const std::atomic<T>& value, T old, bool look) {
  for (int i = 0; look && i < kLooks; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax();
  }
  value.wait(old, std::memory_order_acquire);
}

bool enough_cores(int threads) { return threads <= static_cast<int>(std::thread::hardware_concurrency()); }

}  // namespace

ThreadTeam::ThreadTeam(int threads) : size_(threads) {
  DISTAL_ASSERT(threads >= 1);
  for (int t = 1; t < threads; ++t) threads_.emplace_back([this, t] { serve(t); });
}

ThreadTeam::~ThreadTeam() {
  stop_.store(true, std::memory_order_release);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadTeam::run_erased(Call call, void* work) {
  call_ = call;
  work_ = work;
  pending_.store(size_ - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  call(work, 0);
  for (int left = pending_.load(std::memory_order_acquire); left != 0; left = pending_.load(std::memory_order_acquire))
    wait_while_equal(pending_, left, enough_cores(size_));
}

void ThreadTeam::serve(int thread) {
  std::uint64_t seen = 0;
  while (true) {
    while (round_.load(std::memory_order_acquire) == seen) wait_while_equal(round_, seen, enough_cores(size_));
    ++seen;
    if (stop_.load(std::memory_order_acquire)) return;
    call_(work_, thread);
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
  }
}

}  // namespace distal
