#include "distal/record/output_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>

#include "distal/core/error.hpp"
#include "scratch_folder.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

std::string folder_refusal(const fs::path& path, bool force) {
  try {
    OutputFolder folder(path, force);
  } catch (const InputError& error) { return error.what(); }
  return "";
}

TEST(OutputFolder, IsCreatedWithItsParents) {
  const test::ScratchFolder scratch;
  const OutputFolder folder(scratch / "a/b/c", false);
  EXPECT_TRUE(fs::is_directory(scratch / "a/b/c"));
  EXPECT_TRUE(fs::is_empty(scratch / "a/b/c"));  // the write test leaves nothing
}

TEST(OutputFolder, ResultsAreReplacedOnlyWithForce) {
  const test::ScratchFolder scratch;
  for (const char* result : {"summary.json", "energy.csv", "scene.toml", "run.pvd"}) {
    OutputFolder(scratch / "out", true).write_file(result, "old");
    const std::string message = folder_refusal(scratch / "out", false);
    EXPECT_NE(message.find("--force"), std::string::npos) << result;
    EXPECT_NE(message.find(result), std::string::npos) << message;
    EXPECT_EQ(test::read_text(scratch / "out" / result), "old");
    EXPECT_EQ(folder_refusal(scratch / "out", true), "");
    EXPECT_EQ(test::read_text(scratch / "out" / result), "old");
    OutputFolder(scratch / "out", true).remove_old_results();
    EXPECT_FALSE(fs::exists(scratch / "out" / result));
  }
}

TEST(OutputFolder, ForceRemovesNothingThatIsNotAResult) {
  const test::ScratchFolder scratch;
  {
    const OutputFolder folder(scratch.path(), false);
    folder.folder("frames");
    folder.folder("series");
    for (const char* file : {"frames/a.vtu", "frames/film.mp4", "series/a.csv", "notes.txt"})
      folder.write_file(file, "x");
  }
  OutputFolder(scratch.path(), true).remove_old_results();
  EXPECT_FALSE(fs::exists(scratch / "frames/a.vtu"));
  EXPECT_FALSE(fs::exists(scratch / "series"));
  EXPECT_TRUE(fs::exists(scratch / "frames/film.mp4"));
  EXPECT_TRUE(fs::exists(scratch / "notes.txt"));
}

TEST(OutputFolder, BelongsToOneRunAtATime) {
  const test::ScratchFolder scratch;
  std::optional<OutputFolder> first(std::in_place, scratch.path(), false), copy = first;
  first.reset();
  for (const bool force : {false, true})
    EXPECT_EQ(folder_refusal(scratch.path(), force),
              fmt::format("another run is writing to the output folder {}. Choose another with --out DIR.",
                          scratch.path().string()));
  copy.reset();
  EXPECT_EQ(folder_refusal(scratch.path(), false), "");
}

TEST(OutputFolder, OtherFilesAreNotInTheWay) {
  const test::ScratchFolder scratch;
  OutputFolder(scratch.path(), false).write_file("notes.txt", "x");
  EXPECT_EQ(folder_refusal(scratch.path(), false), "");
}

TEST(OutputFolder, TheUsersOwnSceneIsNeverReplaced) {
  const test::ScratchFolder scratch;
  OutputFolder(scratch.path(), false).write_file("scene.toml", "mine");
  EXPECT_THROW(OutputFolder(scratch.path(), true, scratch / "scene.toml"), InputError);
  EXPECT_EQ(test::read_text(scratch / "scene.toml"), "mine");
  EXPECT_NO_THROW(OutputFolder(scratch.path(), true, scratch / "other.toml"));
}

TEST(OutputFolder, WhatCannotBeWrittenIsBadInput) {
  const test::ScratchFolder scratch;
  OutputFolder(scratch.path(), false).write_file("file", "x");
  EXPECT_NE(folder_refusal(scratch / "file", false).find("is a file"), std::string::npos);
  EXPECT_NE(folder_refusal(scratch / "file/inside", false).find("--out"), std::string::npos);
  EXPECT_NE(folder_refusal("/proc/self/fd", false).find("cannot be written"), std::string::npos);  // even for root
}

TEST(OutputFolderDeathTest, FullDiskKeepsTheOldFile) {
  const test::ScratchFolder scratch;
  const OutputFolder folder(scratch.path(), false);
  folder.write_file("summary.json", "old");
  const auto fill = [&] {
    test::limit_file_size(1000);
    try {
      folder.write_file("summary.json", std::string(5000, 'x'));
    } catch (const OutputError& error) {
      std::exit(std::string(error.what()).find("summary.json") == std::string::npos ? 1 : 0);
    }
    std::exit(2);
  };
  EXPECT_EXIT(fill(), ::testing::ExitedWithCode(0), "");
  EXPECT_EQ(test::read_text(scratch / "summary.json"), "old");
  EXPECT_FALSE(fs::exists(scratch / "summary.json.part"));
}

TEST(FileName, IsSafe) {
  EXPECT_EQ(file_name_of("hand/index_tip"), "hand_index_tip");
  EXPECT_EQ(file_name_of("../x"), "_.._x");
  EXPECT_EQ(file_name_of("finger-1.a"), "finger-1.a");
  EXPECT_EQ(file_name_of(""), "_");
}

}  // namespace
}  // namespace distal
