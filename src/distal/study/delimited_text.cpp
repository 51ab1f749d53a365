#include "distal/study/delimited_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/core/error.hpp"
#include "distal/core/text_file.hpp"

namespace distal {

std::string load_text_file(const std::filesystem::path& file) {
  constexpr std::size_t kMost_mib = 256;
  std::string text = load_text(file, "a file of text", kMost_mib);
  if (text.find('\0') != std::string::npos)
    throw InputError(
        fmt::format("{}: is not plain text (UTF-16 or a spreadsheet's own format?); save it as UTF-8 or "
                    "ASCII text with separators",
                    file.string()));
  return text;
}

std::string_view trimmed_cell(std::string_view text) {
  // A tab is never part of a cell's text, whatever separates the cells.
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string_view> text_lines(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::vector<std::string> split_cells(std::string_view line, char separator) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (c == '"' && (quoted || trimmed_cell(cells.back()).empty())) {
      quoted = !quoted;
    } else if (c == separator && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  for (std::string& cell : cells) cell = std::string(trimmed_cell(cell));
  return cells;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char c : cells[i]) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + '\n';
}

}  // namespace distal
