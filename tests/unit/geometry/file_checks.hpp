// Files for tests of readers.
#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>

#include "distal/core/error.hpp"

namespace distal::test {

// A folder of its own for each test, removed at its end.
class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              (std::string("distal_") + info->test_suite_name() + "_" + info->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) const {
    const std::string file = folder_ / name;
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

  std::filesystem::path folder_;
};

// Must be refused with a message that begins with the file and holds the reason.
inline void expect_refused(const std::function<void()>& load, const std::string& file, const std::string& reason) {
  try {
    load();
    FAIL() << "accepted, but expected: " << reason;
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with(file + ": ")) << message;
    EXPECT_NE(message.find(reason), std::string::npos) << message << "\nexpected: " << reason;
  }
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// Cut anywhere, and with bytes changed at random: refused with an InputError or read, and never anything else.
// Returns how many were refused.
inline int count_refusals(const std::string& whole, const std::function<void(const std::string& content)>& load) {
  int refused = 0;
  const auto attempt = [&](const std::string& content) {
    try {
      load(content);
    } catch (const InputError& error) {
      ++refused;
      EXPECT_GT(std::string(error.what()).size(), 10u);
    }
  };
  for (std::size_t length = 1; length < whole.size(); length += 1 + whole.size() / 400)
    attempt(whole.substr(0, length));
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    std::string content = whole;
    for (int k = 0; k < 1 + i % 4; ++k) {
      const char common[] = "0123456789-+.e \n$/\"<>";
      content[random() % content.size()] =
          i % 2 == 0 ? static_cast<char>(random()) : common[random() % (sizeof common - 1)];
    }
    attempt(content);
  }
  return refused;
}

}  // namespace distal::test
