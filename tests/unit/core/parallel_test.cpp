#include "distal/core/parallel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

namespace distal {
namespace {

TEST(ThreadTeam, CallsEveryThreadOnceARound) {
  for (const int threads : {1, 2, 3, 4}) {
    ThreadTeam team(threads);
    std::vector<int> calls(static_cast<std::size_t>(threads), 0);
    for (int round = 0; round < 500; ++round) team.run([&](int t) { ++calls[static_cast<std::size_t>(t)]; });
    for (const int count : calls) EXPECT_EQ(count, 500) << threads << " threads";
  }
}

TEST(ThreadTeam, RoundsSeeWhatTheRoundBeforeWrote) {
  ThreadTeam team(3);
  std::vector<long> value(3, 1), next(3, 0);
  for (int round = 0; round < 30; ++round) {
    // Each thread reads what another has written, without any lock.
    team.run([&](int t) {
      next[static_cast<std::size_t>(t)] =
          value[static_cast<std::size_t>((t + 1) % 3)] + value[static_cast<std::size_t>(t)];
    });
    team.run([&](int t) { value[static_cast<std::size_t>(t)] = next[static_cast<std::size_t>(t)]; });
  }
  for (const long v : value) EXPECT_EQ(v, 1L << 30);
}

TEST(ThreadTeam, WakesSleepersAndWaitsForSlowOnes) {
  ThreadTeam team(3);
  std::atomic<int> done{0};
  for (int round = 0; round < 20; ++round) {
    // Longer than a thread looks before it sleeps: once between rounds, once inside them.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    team.run([&](int t) {
      if (t == round % 3) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      done.fetch_add(1);
    });
    ASSERT_EQ(done.load(), 3 * (round + 1));
  }
}

TEST(ThreadTeam, TheCallerDoesWhatASleeperHasNotBegun) {
  ThreadTeam team(2);
  int by_caller = 0, calls = 0;
  for (int round = 0; round < 200; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));  // longer than a thread looks before it sleeps
    const auto caller = std::this_thread::get_id();
    team.run([&](int t) {
      if (t == 1) ++calls, by_caller += std::this_thread::get_id() == caller ? 1 : 0;
    });
  }
  EXPECT_EQ(calls, 200);
  EXPECT_GT(by_caller, 100);  // waking takes longer than a share of nothing
}

TEST(ThreadTeam, EndsWithoutARound) {
  for (int i = 0; i < 50; ++i) ThreadTeam team(4);
}

TEST(ThreadTeam, ManyThreadsOnFewCoresStillFinish) {
  ThreadTeam team(16);
  std::atomic<long> sum{0};
  for (int round = 0; round < 300; ++round) team.run([&](int t) { sum.fetch_add(t); });
  EXPECT_EQ(sum.load(), 300L * 120);
}

TEST(ThreadTeam, SharesCoverTheRangeInOrder) {
  for (const int count : {0, 1, 5, 1000000})
    for (const int threads : {1, 2, 3, 7}) {
      EXPECT_EQ(ThreadTeam::share_begin(count, 0, threads), 0);
      EXPECT_EQ(ThreadTeam::share_begin(count, threads, threads), count);
      for (int t = 0; t < threads; ++t) {
        const int share = ThreadTeam::share_begin(count, t + 1, threads) - ThreadTeam::share_begin(count, t, threads);
        EXPECT_GE(share, count / threads);
        EXPECT_LE(share, count / threads + 1);
      }
    }
}

// Of two shares the larger one decides: no other place to split may have a smaller one.
TEST(SplitEvenly, TwoSharesAreAsEvenAsPlanesAllow) {
  const std::vector<std::vector<double>> costs = {{6, 10, 5}, {1, 10, 1, 1}, {1, 1, 10}, {3, 1, 4, 1, 5, 9, 2, 6}, {7}};
  for (const std::vector<double>& cost : costs) {
    const auto larger_share = [&](int split) {
      double share[2] = {0.0, 0.0};
      for (int k = 0; k < static_cast<int>(cost.size()); ++k)
        share[k < split ? 0 : 1] += cost[static_cast<std::size_t>(k)];
      return std::max(share[0], share[1]);
    };
    double best = larger_share(0);
    for (int split = 1; split <= static_cast<int>(cost.size()); ++split) best = std::min(best, larger_share(split));
    std::vector<int> first;
    split_evenly(cost, 2, first);
    ASSERT_EQ(first.size(), 3u);
    EXPECT_EQ(first[0], 0);
    EXPECT_EQ(first[2], static_cast<int>(cost.size()));
    EXPECT_EQ(larger_share(first[1]), best) << "of " << cost.size() << " planes, split before " << first[1];
  }
}

TEST(SplitEvenly, SharesFollowEachOtherForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 4, 9}) {
    std::vector<int> first;
    split_evenly({2, 0, 1, 5, 1, 1}, threads, first);
    ASSERT_EQ(static_cast<int>(first.size()), threads + 1);
    EXPECT_EQ(first.front(), 0);
    EXPECT_EQ(first.back(), 6);
    EXPECT_TRUE(std::is_sorted(first.begin(), first.end())) << threads;
  }
}

}  // namespace
}  // namespace distal
