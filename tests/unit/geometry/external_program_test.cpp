#include "distal/geometry/external_program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "file_checks.hpp"

namespace distal {
namespace {

class ExternalProgram : public test::FileTest {};

TEST_F(ExternalProgram, PrintsInItsFolderWithoutAShell) {
  const ProgramEnd end = run_program("/bin/pwd", {}, folder_, 10.0);
  EXPECT_EQ(end.output, std::filesystem::canonical(folder_).string() + "\n");
  EXPECT_EQ(end.describe(), "");
  // A shell would do something with these.
  EXPECT_EQ(run_program("/bin/echo", {"$HOME; ls", "two  words"}, folder_, 10.0).output, "$HOME; ls two  words\n");
}

TEST_F(ExternalProgram, BadEndsAreDescribed) {
  const ProgramEnd failed = run_program("/bin/sh", {"-c", "echo no luck >&2; exit 3"}, folder_, 10.0);
  EXPECT_EQ(failed.describe(), "ended with code 3");
  EXPECT_EQ(failed.output, "no luck\n");
  EXPECT_NE(run_program("/bin/sh", {"-c", "kill -11 $$"}, folder_, 10.0).describe().find("signal 11"),
            std::string::npos);
  EXPECT_NE(run_program(folder_ / "nothing", {}, folder_, 10.0).describe().find("could not be started"),
            std::string::npos);
}

TEST_F(ExternalProgram, IsEndedAfterItsTimeWithAllItStarted) {
  const ProgramEnd end = run_program("/bin/sh", {"-c", "sleep 1000 & echo $!; wait"}, folder_, 0.3);
  EXPECT_EQ(end.describe(), "did not end within its time limit");
  const pid_t child = std::stoi(end.output);
  // Gone, or waiting for its new parent to notice; to die takes a moment.
  std::string state;
  for (int look = 0; look < 500 && state != "gone" && state != "Z" && state != "X"; ++look) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::ifstream status("/proc/" + std::to_string(child) + "/stat");
    std::string number, name;
    state = "gone";
    status >> number >> name >> state;
  }
  EXPECT_TRUE(state == "gone" || state == "Z" || state == "X") << state;
}

TEST_F(ExternalProgram, ReadsNothing) { EXPECT_EQ(run_program("/bin/cat", {}, folder_, 10.0).output, ""); }

TEST_F(ExternalProgram, IsFoundOnThePath) {
  EXPECT_TRUE(find_program("sh"));
  EXPECT_FALSE(find_program("no_such_program_of_distal"));
}

TEST_F(ExternalProgram, TemporaryFoldersArePrivateAndVanish) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::ofstream(path / "file") << "x";
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace distal
