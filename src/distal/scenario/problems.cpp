#include "distal/scenario/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "distal/core/error.hpp"
#include "distal/core/printable.hpp"

namespace distal {

void Problems::add(std::string_view place, std::string_view key, std::string_view message) {
  // One line each, whatever the file has in its names.
  messages_.push_back(
      printable(key.empty() ? fmt::format("{}: {}", place, message) : fmt::format("{}: {}: {}", place, key, message)));
}

void Problems::add_first(std::string_view place, std::string_view key, std::string_view message) {
  add(place, key, message);
  std::rotate(messages_.rbegin(), messages_.rbegin() + 1, messages_.rend());
}

void Problems::throw_if_any() const {
  if (messages_.empty()) return;
  constexpr std::size_t kShown = 10;
  const std::size_t shown = std::min(kShown, messages_.size());
  std::string text = fmt::format("{}", fmt::join(messages_.begin(), messages_.begin() + shown, "\n"));
  if (shown < messages_.size()) text += fmt::format("\nand {} more", messages_.size() - shown);
  throw InputError(text);
}

std::optional<std::string> file_problem(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  if (std::filesystem::is_directory(path, ignored)) return fmt::format("{} is a folder, expected a file", path);
  return fmt::format("there is no file {}", path);
}

}  // namespace distal
