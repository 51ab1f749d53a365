#include "distal/study/child_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <thread>

#include "distal/core/error.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

std::map<std::size_t, ChildResult> finish_all(ChildPool& pool) {
  std::map<std::size_t, ChildResult> results;
  while (!pool.idle())
    for (const ChildResult& result : pool.collect(1000ms)) results[result.job] = result;
  return results;
}

TEST(ChildPool, brings_answers_of_any_size_and_content) {
  ChildPool pool(2);
  const std::string large(3'000'000, 'x');
  pool.start(7, [&] { return large; });
  pool.start(8, [] { return std::string("a\0b", 3); });
  EXPECT_FALSE(pool.has_room());
  const auto results = finish_all(pool);
  EXPECT_EQ(results.at(7).answer, large);
  EXPECT_EQ(results.at(8).answer, std::string("a\0b", 3));
  EXPECT_TRUE(results.at(7).problem.empty() && results.at(8).problem.empty());
}

TEST(ChildPool, an_exception_is_told_and_a_crash_loses_one_job_only) {
  ChildPool pool(3);
  pool.start(0, []() -> std::string { throw InputError("no such value"); });
  pool.start(1, []() -> std::string { fail_assertion("one is two", "file", 1); });
  pool.start(2, [] { return std::string("fine"); });
  const auto results = finish_all(pool);
  EXPECT_EQ(results.at(0).problem, "no such value");
  EXPECT_FALSE(results.at(0).died);
  EXPECT_THAT(results.at(1).problem, HasSubstr("one is two is false"));
  EXPECT_TRUE(results.at(1).died);
  EXPECT_EQ(results.at(2).answer, "fine");
}

TEST(ChildPool, what_the_disk_refuses_is_lost_and_not_failed) {
  ChildPool pool(2);
  pool.start(0, []() -> std::string { throw OutputError("no space left"); });
  pool.start(1, []() -> std::string { throw InputError("no such value"); });
  const auto results = finish_all(pool);
  EXPECT_TRUE(results.at(0).lost && !results.at(1).lost);
  EXPECT_FALSE(results.at(0).died);
  EXPECT_EQ(results.at(0).problem, "no space left");
}

TEST(ChildPool, ends_its_children) {
  test::ScratchFolder folder;
  pid_t child = 0;
  {
    ChildPool pool(1);
    pool.start(0, [&]() -> std::string {
      std::ofstream(folder / "process") << ::getpid() << std::endl;
      std::this_thread::sleep_for(600s);
      return "";
    });
    while (child == 0) std::ifstream(folder / "process") >> child;
    EXPECT_EQ(::kill(child, 0), 0);
  }
  EXPECT_NE(::kill(child, 0), 0);
}

TEST(ChildPool, what_a_child_changes_stays_there) {
  int value = 1;
  ChildPool pool(1);
  pool.start(0, [&] { return std::to_string(++value); });
  EXPECT_EQ(finish_all(pool).at(0).answer, "2");
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace distal
