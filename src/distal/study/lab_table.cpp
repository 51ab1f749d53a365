#include "distal/study/lab_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "distal/core/error.hpp"
#include "distal/study/delimited_text.hpp"

namespace distal {
namespace {

// A finite number, NaN for words that stand for a missing one, or nothing for other text.
std::optional<double> read_cell(std::string text, char separator) {
  if (separator != ',' && text.find('.') == std::string::npos) std::replace(text.begin(), text.end(), ',', '.');
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = end == digits.data() + digits.size() && !digits.empty();
  if (whole && error == std::errc::result_out_of_range) return NAN;
  if (whole && error == std::errc()) return std::isfinite(value) ? value : NAN;
  for (const std::string_view word : {"---", "--", "-", "NA", "N/A", "n/a", "#N/A", "#DIV/0!"})
    if (text == word) return NAN;
  return std::nullopt;
}

bool is_empty_row(const std::vector<std::string>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const std::string& cell) { return cell.empty(); });
}

struct Bracketed {
  std::string before, inside;
};

// "Load (N)" and "Load [N]"; nothing inside where there are no brackets at the end.
Bracketed split_unit(const std::string& text) {
  for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
    if (!text.ends_with(close)) continue;
    const std::size_t at = text.rfind(open);
    if (at == std::string::npos) continue;
    return {std::string(trimmed_cell(std::string_view(text).substr(0, at))),
            std::string(trimmed_cell(std::string_view(text).substr(at + 1, text.size() - at - 2)))};
  }
  return {text, ""};
}

// A line of units below the names: "(s);(mm);(N)".
bool is_unit_row(const std::vector<std::string>& cells) {
  bool any = false;
  for (const std::string& cell : cells) {
    if (cell.empty()) continue;
    const Bracketed parts = split_unit(cell);
    if (!parts.before.empty() || parts.inside.empty()) return false;
    any = true;
  }
  return any;
}

}  // namespace

LabTable::LabTable(const std::filesystem::path& file) : LabTable(load_text_file(file), file.string()) {}

LabTable::LabTable(std::string text, std::string file_name) : file_(std::move(file_name)), text_(std::move(text)) {
  const std::vector<std::string_view> lines = text_lines(text_);
  // A file with decimal commas also falls apart at its commas: they come last.
  for (const char separator : {';', '\t', ','})
    if (read_with(lines, separator)) return;
  throw InputError(
      fmt::format("{}: found no table: expected a line with the names of at least two columns and numbers below it, "
                  "separated by commas, semicolons or tabs",
                  file_));
}

bool LabTable::is_number_row(const std::vector<std::string>& cells) const {
  return std::count_if(cells.begin(), cells.end(),
                       [&](const std::string& cell) { return read_cell(cell, separator_).has_value(); }) >= 2;
}

bool LabTable::read_with(const std::vector<std::string_view>& lines, char separator) {
  separator_ = separator;
  std::vector<Row> all;
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (Row row{i + 1, split_cells(lines[i], separator)}; !is_empty_row(row.cells)) all.push_back(std::move(row));
  const auto is_header = [&](const Row& row) {
    const auto names = std::count_if(row.cells.begin(), row.cells.end(), [&](const std::string& cell) {
      return !cell.empty() && !read_cell(cell, separator);
    });
    const auto filled = std::count_if(row.cells.begin(), row.cells.end(), [](const auto& c) { return !c.empty(); });
    return names >= 2 && names == filled;
  };
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (!is_header(all[i])) continue;
    const bool has_units = is_unit_row(all[i + 1].cells);
    const std::size_t first = i + (has_units ? 2 : 1);
    if (first >= all.size() || !is_number_row(all[first].cells)) continue;
    take_header(all[i].cells, has_units ? all[i + 1].cells : std::vector<std::string>{});
    rows_.assign(std::make_move_iterator(all.begin() + static_cast<std::ptrdiff_t>(first)),
                 std::make_move_iterator(all.end()));
    return true;
  }
  return false;
}

void LabTable::take_header(const std::vector<std::string>& names, const std::vector<std::string>& units) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Bracketed parts = split_unit(names[i]);
    LabColumn column{names[i], parts.before, parts.inside};
    if (i < units.size() && !units[i].empty() && column.unit.empty()) {
      column.unit = split_unit(units[i]).inside;
      column.header += " " + units[i];
    }
    columns_.push_back(std::move(column));
  }
}

std::string LabTable::header_list() const {
  std::string text;
  for (const LabColumn& column : columns_)
    if (!column.header.empty()) text += fmt::format("{}\"{}\"", text.empty() ? "" : ", ", column.header);
  return text;
}

std::string LabTable::place(std::size_t row) const { return fmt::format("{}:{}", file_, rows_[row].line); }

std::vector<double> LabTable::numbers(std::size_t column) const {
  std::vector<double> values;
  for (const Row& row : rows_) {
    for (std::size_t extra = columns_.size(); extra < row.cells.size(); ++extra)
      if (!row.cells[extra].empty())
        throw InputError(
            fmt::format("{}:{}: has {} cells under {} headings; are its decimals commas, like its separators?", file_,
                        row.line, row.cells.size(), columns_.size()));
    const std::string cell = column < row.cells.size() ? row.cells[column] : "";
    const std::optional<double> value = read_cell(cell, separator_);
    if (!value || std::isnan(*value))
      throw InputError(fmt::format("{}:{}: column \"{}\" {}, expected a finite number; repair or remove the line",
                                   file_, row.line, columns_[column].header,
                                   cell.empty() ? "is empty" : fmt::format("holds \"{}\"", cell)));
    values.push_back(*value);
  }
  return values;
}

}  // namespace distal
