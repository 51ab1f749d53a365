// Collects what is wrong with a scene, so that a user sees it in one go.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace distal {

class Problems {
 public:
  void add(std::string_view place, std::string_view key, std::string_view message);
  void add_first(std::string_view place, std::string_view key, std::string_view message);
  bool empty() const { return messages_.empty(); }
  // Throws InputError with the first ten, in order.
  void throw_if_any() const;

 private:
  std::vector<std::string> messages_;
};

// Why the path of a file that shall be read is none; nothing if it is one.
std::optional<std::string> file_problem(const std::string& path);

}  // namespace distal
