#include "distal/core/newest.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace distal {
namespace {

TEST(NewestThread, TheReaderSeesWholeValuesInOrderAndTheLast) {
  constexpr int kValues = 20000;
  Newest<std::vector<int>> newest;
  std::jthread writer([&] {
    for (int i = 1; i <= kValues; ++i) {
      newest.back().assign(100, i);
      newest.publish();
    }
  });
  int last = 0;
  while (last < kValues) {
    if (!newest.take()) continue;
    const std::vector<int>& value = newest.front();
    ASSERT_EQ(value.size(), 100u);
    ASSERT_GT(value.front(), last);
    for (const int each : value) ASSERT_EQ(each, value.front());
    last = value.front();
  }
  EXPECT_FALSE(newest.take());
}

TEST(Newest, HasNothingBeforeTheFirst) {
  Newest<int> newest;
  EXPECT_FALSE(newest.take());
  newest.back() = 3;
  EXPECT_FALSE(newest.take());
  newest.publish();
  EXPECT_TRUE(newest.take());
  EXPECT_EQ(newest.front(), 3);
}

}  // namespace
}  // namespace distal
