#include "distal/core/parallel.hpp"

#include <chrono>

#include "distal/core/error.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace distal {
namespace {

// Loops follow each other within microseconds, so a thread looks for a while before it sleeps. Where a core is taken by
// somebody else, looking only takes time from the thread that is waited for: it gives way in between, and looks less.
constexpr std::chrono::microseconds kLookTime{200};
constexpr int kLooksBetween = 64;  // a few microseconds
constexpr std::chrono::microseconds kLongestWait{500};
using Clock = std::chrono::steady_clock;

void relax() {
#if defined(__x86_64__)
  _mm_pause();
#endif
}

// True if the value has changed within the time that is worth looking.
template <typename T>
bool changes_soon(const std::atomic<T>& value, T old) {
  const auto start = std::chrono::steady_clock::now();
  do {
    for (int i = 0; i < kLooksBetween; ++i) {
      if (value.load(std::memory_order_acquire) != old) return true;
      relax();
    }
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() - start < kLookTime);
  return false;
}

}  // namespace

ThreadTeam::ThreadTeam(int threads) : size_(threads), claims_(static_cast<std::size_t>(threads)) {
  DISTAL_ASSERT(threads >= 1);
  for (int t = 1; t < threads; ++t) threads_.emplace_back([this, t] { serve(t); });
}

ThreadTeam::~ThreadTeam() {
  stop_.store(true, std::memory_order_relaxed);
  start_round();
}

void ThreadTeam::start_round() {
  // Sleepers announce themselves before their last look at the round, and we look for sleepers after having moved it:
  // one of the two sees the other (both orders are sequentially consistent).
  round_.fetch_add(1, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) > 0) round_.notify_all();
}

// Every share of a round is claimed once, and no round ends before; so whoever comes late finds another number.
bool ThreadTeam::claim(int share, std::uint32_t round) {
  std::uint32_t before = round - 1;
  return claims_[static_cast<std::size_t>(share)].round.compare_exchange_strong(before, round,
                                                                                std::memory_order_acq_rel);
}

// Where other programs hold the cores, waiting for a thread of ours costs more than its share of the work: the caller
// then does all shares for a while, and for longer each time the team is late again. Who does them never changes a
// result.
void ThreadTeam::run_erased(Call call, void* work) {
  if (rounds_alone_ > 0) {
    --rounds_alone_;
    for (int t = 0; t < size_; ++t) call(work, t);
    return;
  }
  const auto start = Clock::now();
  call_ = call;
  work_ = work;
  pending_.store(size_ - 1, std::memory_order_relaxed);
  start_round();
  const std::uint32_t round = round_.load(std::memory_order_relaxed);
  call(work, 0);
  const auto own = Clock::now() - start;
  for (int t = 1; t < size_; ++t)
    if (claim(t, round)) call(work, t), pending_.fetch_sub(1, std::memory_order_relaxed);
  bool late = false;
  for (int left = pending_.load(std::memory_order_acquire); left != 0; left = pending_.load(std::memory_order_acquire))
    if (!changes_soon(pending_, left)) {
      caller_sleeps_.store(true, std::memory_order_seq_cst);
      left = pending_.load(std::memory_order_seq_cst);
      if (left != 0) pending_.wait(left, std::memory_order_acquire);
      caller_sleeps_.store(false, std::memory_order_relaxed);
      late = Clock::now() - start > 2 * own + kLongestWait;
    }
  if (late) rounds_alone_ = next_rounds_alone_;
  next_rounds_alone_ =
      std::clamp(late ? 2 * next_rounds_alone_ : next_rounds_alone_ - 1, kFewRoundsAlone, kMostRoundsAlone);
}

void ThreadTeam::serve(int share) {
  std::uint32_t seen = 0;
  while (true) {
    while (round_.load(std::memory_order_acquire) == seen)
      if (!changes_soon(round_, seen)) {
        sleepers_.fetch_add(1, std::memory_order_seq_cst);
        if (round_.load(std::memory_order_seq_cst) == seen) round_.wait(seen, std::memory_order_acquire);
        sleepers_.fetch_sub(1, std::memory_order_relaxed);
      }
    seen = round_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    if (!claim(share, seen)) continue;
    call_(work_, share);
    const bool last = pending_.fetch_sub(1, std::memory_order_seq_cst) == 1;
    if (last && caller_sleeps_.load(std::memory_order_seq_cst)) pending_.notify_one();
  }
}

void split_evenly(const std::vector<double>& cost, int threads, std::vector<int>& first) {
  double total = 0.0, sum = 0.0;
  for (const double c : cost) total += c;
  first.assign(1, 0);
  for (std::size_t k = 0; k < cost.size(); ++k) {
    // A share ends where it is nearest to its due: before or behind the plane that reaches it.
    while (static_cast<int>(first.size()) < threads) {
      const double due = total * static_cast<double>(first.size()) / threads;
      if (sum + cost[k] < due) break;
      first.push_back(static_cast<int>(k) + (due - sum < sum + cost[k] - due ? 0 : 1));
    }
    sum += cost[k];
  }
  while (static_cast<int>(first.size()) <= threads) first.push_back(static_cast<int>(cost.size()));
  first.back() = static_cast<int>(cost.size());
}

}  // namespace distal
