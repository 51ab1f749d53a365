#include "distal/record/table.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "distal/core/error.hpp"
#include "distal/record/output_folder.hpp"

namespace distal {

Table::Table(std::filesystem::path path, const std::vector<std::string>& columns)
    : path_(std::move(path)), columns_(columns.size()) {
  DISTAL_ASSERT(!columns.empty());
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
  if (file_ < 0) throw OutputError(fmt::format("cannot create {}: {}", path_.string(), std::strerror(errno)));
  for (const std::string& column : columns) add(std::string_view(column));
  try {
    write_row();
  } catch (...) {  // the destructor of an unfinished object does not run
    ::close(file_);
    throw;
  }
}

Table::~Table() {
  if (file_ >= 0) ::close(file_);
}

Table::Table(Table&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      row_(std::move(other.row_)),
      columns_(other.columns_),
      filled_(other.filled_),
      rows_(other.rows_),
      bytes_(other.bytes_) {}

void Table::separate() {
  if (filled_++ > 0) row_.push_back(',');
}

void Table::add(double value) {
  DISTAL_ASSERT(std::isfinite(value));
  separate();
  fmt::format_to(std::back_inserter(row_), "{}", value);
}

void append_cell(std::string_view text, fmt::memory_buffer& row) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    row.append(text);
    return;
  }
  row.push_back('"');
  for (const char c : text) {
    if (c == '"') row.push_back('"');
    row.push_back(c == '\n' || c == '\r' ? ' ' : c);  // one row is one line
  }
  row.push_back('"');
}

void Table::add(std::string_view text) {
  separate();
  append_cell(text, row_);
}

void Table::add(const Vec3& value) {
  for (const double component : value) add(component);
}

void Table::add(const Quat& value) {
  for (const double component : value.coeffs()) add(component);  // Eigen stores x, y, z, w
}

void Table::end_row() {
  write_row();
  ++rows_;
}

void Table::write_row() {
  DISTAL_ASSERT(filled_ == columns_);
  row_.push_back('\n');
  const int problem = write_all(file_, {row_.data(), row_.size()});
  if (problem == 0) bytes_ += row_.size();
  row_.clear();
  filled_ = 0;
  if (problem == 0) return;
  const bool cut = ::ftruncate(file_, static_cast<off_t>(bytes_)) == 0;
  throw OutputError(fmt::format(
      "cannot write {}: {}. Its first {} rows are {}; free some space, or choose another "
      "folder with --out DIR.",
      path_.string(), std::strerror(problem), rows_, cut ? "whole and safe" : "whole, a torn line may follow them"));
}

}  // namespace distal
