#include "distal/scenario/edit_text.hpp"

#include <fmt/format.h>

#include <vector>

#include "distal/scenario/field_printer.hpp"

namespace distal {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool is_header(std::string_view line, std::string_view header) {
  line = trimmed(line.substr(0, line.find('#')));
  return line.size() == header.size() + 2 && line.front() == '[' && line.back() == ']' &&
         line.substr(1, header.size()) == header;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    lines.emplace_back(text.substr(0, end + 1));
    text.remove_prefix(end + 1);
  }
  return lines;
}

// The line with another value; what stands before it, and a comment behind it in its column, stay.
std::string with_value(const std::string& line, const std::string& value) {
  const std::size_t equals = line.find('=');
  const std::size_t begin = line.find_first_not_of(" \t", equals + 1);
  const std::size_t end = line.find_first_of(" \t\r\n#", begin);
  const std::size_t rest = std::min(line.find_first_not_of(" \t", end), line.size());
  std::string gap = line.substr(end, rest - end);
  const std::size_t old_size = end - begin;
  if (gap.size() > 1 && value.size() <= old_size)
    gap.append(old_size - value.size(), ' ');
  else if (gap.size() > 1)
    gap.resize(std::max<std::size_t>(1, gap.size() - std::min(gap.size(), value.size() - old_size)), ' ');
  return line.substr(0, begin) + value + gap + line.substr(rest);
}

}  // namespace

std::string with_number(std::string_view text, std::string_view header, std::string_view key, double value) {
  std::vector<std::string> lines = lines_of(text);
  std::size_t at = 0;
  while (at < lines.size() && !is_header(lines[at], header)) ++at;
  if (at == lines.size()) return std::string(text);
  const std::size_t table = at;
  for (++at; at < lines.size() && !trimmed(lines[at]).starts_with('['); ++at) {
    if (trimmed(std::string_view(lines[at]).substr(0, lines[at].find('='))) != key) continue;
    lines[at] = with_value(lines[at], toml_text(value));
    return fmt::format("{}", fmt::join(lines, ""));
  }
  if (!lines[table].ends_with('\n')) lines[table] += '\n';
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(table) + 1, fmt::format("{} = {}\n", key, toml_text(value)));
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace distal
