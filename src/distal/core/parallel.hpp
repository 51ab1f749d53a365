// A fixed team of threads for loops of tens of microseconds. Which thread does what never changes a result: work is
// split by the caller into parts whose results are combined in a fixed order.
#pragma once
#include <algorithm>
#include <array>
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

  // Calls work(share) once for every share, of which each thread has one and the caller the first, and returns when all
  // are done. A share whose thread has not begun it when the caller is done with its own is done by the caller.
  template <typename Work>
  void run(Work&& work) {
    if (size_ == 1) {
      work(0);
      return;
    }
    run_erased([](void* w, int share) { (*static_cast<std::remove_reference_t<Work>*>(w))(share); }, &work);
  }

  // Contiguous share of [0, count) for one thread.
  static int share_begin(int count, int thread, int threads) {
    return static_cast<int>(static_cast<std::int64_t>(count) * thread / threads);
  }

 private:
  using Call = void (*)(void*, int);
  static constexpr int kFewRoundsAlone = 16, kMostRoundsAlone = 2048;
  void run_erased(Call call, void* work);
  void start_round();
  bool claim(int share, std::uint32_t round);
  void serve(int share);

  // The last round in which somebody began this share.
  struct alignas(64) Claim {
    std::atomic<std::uint32_t> round{0};
  };

  int size_;
  int rounds_alone_ = 0;                     // left
  int next_rounds_alone_ = kFewRoundsAlone;  // if the team is late again
  Call call_ = nullptr;
  void* work_ = nullptr;
  std::atomic<bool> stop_{false};
  // Written by one side and watched by the other: each on a cache line of its own. 32 bits is what a futex waits on.
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<int> pending_{0};
  alignas(64) std::atomic<int> sleepers_{0};
  std::atomic<bool> caller_sleeps_{false};
  std::vector<Claim> claims_;
  std::vector<std::jthread> threads_;
};

// Combines what work(begin, end) returns for pieces of [0, count), in order. The pieces do not depend on the number of
// threads, and begin on whole cache lines: the same bits for any team.
template <typename Work, typename Combine>
auto reduce_pieces(ThreadTeam& team, std::size_t count, Work&& work, Combine&& combine) {
  constexpr std::size_t kMostPieces = 32, kGrain = 128;
  using Result = decltype(work(std::size_t{}, std::size_t{}));
  const std::size_t size = ((count + kMostPieces - 1) / kMostPieces + kGrain - 1) / kGrain * kGrain;
  const int pieces = size == 0 ? 0 : static_cast<int>((count + size - 1) / size);
  std::array<Result, kMostPieces> results{};
  team.run([&](int t) {
    const int end = ThreadTeam::share_begin(pieces, t + 1, team.size());
    for (int i = ThreadTeam::share_begin(pieces, t, team.size()); i < end; ++i) {
      const std::size_t begin = static_cast<std::size_t>(i) * size;
      results[static_cast<std::size_t>(i)] = work(begin, std::min(begin + size, count));
    }
  });
  Result sum{};
  for (int i = 0; i < pieces; ++i) sum = combine(sum, results[static_cast<std::size_t>(i)]);
  return sum;
}
template <typename Work>
auto sum_pieces(ThreadTeam& team, std::size_t count, Work&& work) {
  return reduce_pieces(team, count, work, [](const auto& a, const auto& b) { return a + b; });
}
// Of numbers that are not negative; one that is none comes through.
template <typename Work>
double largest_piece(ThreadTeam& team, std::size_t count, Work&& work) {
  return reduce_pieces(team, count, work, [](double a, double b) { return b <= a ? a : b; });
}

// Splits planes so that every thread has about the same cost: the first plane of each thread, and the end.
void split_evenly(const std::vector<double>& cost, int threads, std::vector<int>& first);

}  // namespace distal
