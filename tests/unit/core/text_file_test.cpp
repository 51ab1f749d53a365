#include "distal/core/text_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "distal/core/error.hpp"
#include "unit/record/scratch_folder.hpp"

namespace distal {
namespace {

using ::testing::StrEq;
using ::testing::ThrowsMessage;

TEST(TextFile, is_read_whole_up_to_its_limit) {
  test::ScratchFolder folder;
  const std::string mib(1 << 20, 'x');
  std::ofstream(folder / "one", std::ios::binary) << mib;
  EXPECT_EQ(load_text(folder / "one", "a list", 1), mib);
  std::ofstream(folder / "empty", std::ios::binary);
  EXPECT_EQ(load_text(folder / "empty", "a list", 1), "");
  std::ofstream(folder / "more", std::ios::binary) << mib << 'x';
  EXPECT_THAT([&] { load_text(folder / "more", "a list", 1); },
              ThrowsMessage<InputError>(StrEq((folder / "more").string() + ": is longer than 1 MiB: not a list")));
}

TEST(TextFile, what_is_no_file_or_never_ends_is_refused) {
  EXPECT_THAT([] { load_text("/dev/zero", "a list", 3); },
              ThrowsMessage<InputError>(StrEq("/dev/zero: is longer than 3 MiB: not a list")));
  EXPECT_THAT([] { load_text("/dev", "a list", 3); },
              ThrowsMessage<InputError>(StrEq("/dev: is a folder, expected a list")));
  EXPECT_THAT([] { load_text("/nowhere/at_all", "a list", 3); },
              ThrowsMessage<InputError>(StrEq("/nowhere/at_all: there is no such file")));
}

}  // namespace
}  // namespace distal
