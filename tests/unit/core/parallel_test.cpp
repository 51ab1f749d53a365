#include "distal/core/parallel.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace distal
