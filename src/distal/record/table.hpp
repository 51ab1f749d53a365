// A CSV file that is readable at any moment: each row is written whole, as soon as it is complete.
#pragma once
#include <fmt/format.h>

#include <concepts>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

// A cell of a CSV row: in quotes where it has to be.
void append_cell(std::string_view text, fmt::memory_buffer& row);

class Table {
 public:
  // Creates or empties the file and writes the heading. Throws OutputError.
  Table(std::filesystem::path path, const std::vector<std::string>& columns);
  ~Table();
  Table(Table&& other) noexcept;
  Table& operator=(Table&&) = delete;
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  // Values of one row, left to right. Numbers are the shortest text that reads back as the same bits.
  void add(double value);  // must be finite
  void add(std::integral auto value) {
    separate();
    fmt::format_to(std::back_inserter(row_), "{}", value);
  }
  void add(std::string_view text);
  void add(const Vec3& value);
  void add(const Quat& value);  // x, y, z, w

  // Writes the row. On failure no part of it stays in the file, and OutputError names the file and the rows that do.
  void end_row();

 private:
  void separate();
  void write_row();

  std::filesystem::path path_;
  int file_ = -1;
  fmt::memory_buffer row_;
  std::size_t columns_ = 0, filled_ = 0, rows_ = 0, bytes_ = 0;
};

}  // namespace distal
