#include "distal/study/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "distal/core/error.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const SweepIdentity kIdentity{"values", "scenes", "1.0", 5};

TEST(Ledger, remembers_what_is_finished_bit_for_bit) {
  test::ScratchFolder folder;
  {
    Ledger ledger(folder / "ledger", kIdentity);
    EXPECT_TRUE(ledger.finished().empty());
    ledger.note_start(3);
    ledger.note_start(1);
    ledger.add(3, {"done", "", {{"a.b", 0.1 + 0.2}, {"c", 1e-300}}});
  }
  Ledger ledger(folder / "ledger", kIdentity);
  ASSERT_EQ(ledger.finished().size(), 1u);
  EXPECT_EQ(ledger.finished().at(3).status, "done");
  EXPECT_EQ(ledger.finished().at(3).measures, (Measures{{"a.b", 0.1 + 0.2}, {"c", 1e-300}}));
  ledger.add(1, {"failed", "why,\n\"so\"", {}});
  EXPECT_EQ(ledger.finished().at(1).message, "why,\n\"so\"");
}

TEST(Ledger, a_torn_last_line_is_dropped_and_the_next_one_is_whole) {
  test::ScratchFolder folder;
  { Ledger(folder / "ledger", kIdentity).add(0, {"done", "", {}}); }
  std::ofstream(folder / "ledger", std::ios::app) << R"({"finished":1,"status":"do)";
  {
    Ledger ledger(folder / "ledger", kIdentity);
    EXPECT_EQ(ledger.finished().size(), 1u);
    ledger.add(2, {"done", "", {}});
  }
  EXPECT_EQ(Ledger(folder / "ledger", kIdentity).finished().size(), 2u);
}

TEST(Ledger, a_damaged_line_is_an_error_that_names_it) {
  test::ScratchFolder folder;
  { Ledger ledger(folder / "ledger", kIdentity); }
  std::ofstream(folder / "ledger", std::ios::app) << "{\"finished\":1\n";
  EXPECT_THAT([&] { Ledger(folder / "ledger", kIdentity); },
              ThrowsMessage<InputError>(HasSubstr("ledger:2 is damaged")));
  EXPECT_TRUE(Ledger(folder / "ledger", kIdentity, true).finished().empty());
}

TEST(Ledger, what_was_lost_is_not_finished) {
  test::ScratchFolder folder;
  {
    Ledger ledger(folder / "ledger", kIdentity);
    ledger.add(0, {"done", "", {}});
    ledger.add(1, {kLostRun, "no space", {}});
    EXPECT_EQ(ledger.finished().size(), 2u);
  }
  Ledger ledger(folder / "ledger", kIdentity);
  EXPECT_EQ(ledger.finished().size(), 1u);
  EXPECT_FALSE(ledger.finished().contains(1));
}

TEST(Ledger, an_unknown_status_is_an_error_that_names_its_line) {
  test::ScratchFolder folder;
  { Ledger(folder / "ledger", kIdentity).add(0, {"done", "", {}}); }
  std::ofstream(folder / "ledger", std::ios::app) << "{\"finished\":1,\"status\":\"bogus\"}\n";
  EXPECT_THAT([&] { Ledger(folder / "ledger", kIdentity); },
              ThrowsMessage<InputError>(HasSubstr("ledger:3: status is \"bogus\", allowed: done, failed,")));
}

TEST(Ledger, another_sweep_is_refused) {
  test::ScratchFolder folder;
  { Ledger ledger(folder / "ledger", kIdentity); }
  const auto refuses = [&](SweepIdentity other, const std::string& words) {
    EXPECT_THAT([&] { Ledger(folder / "ledger", other); }, ThrowsMessage<InputError>(HasSubstr(words)));
  };
  refuses({"other", "scenes", "1.0", 5}, "with other values");
  refuses({"values", "scenes", "1.0", 6}, "5 runs there, 6 now");
  refuses({"values", "other", "1.0", 5}, "of another scene");
  refuses({"values", "scenes", "2.0", 5}, "by version 1.0");
}

TEST(Ledger, belongs_to_one_process) {
  test::ScratchFolder folder;
  Ledger ledger(folder / "ledger", kIdentity);
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      Ledger(folder / "ledger", kIdentity);
    } catch (const InputError& problem) {
      ::_exit(std::string(problem.what()).find("another sweep is running") == std::string::npos ? 1 : 42);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

}  // namespace
}  // namespace distal
