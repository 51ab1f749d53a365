// Lines of text with cells between separators, as spreadsheets and machines write them.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace distal {

// A user's file as it is. Throws InputError where there is none, or where it is not plain text.
std::string load_text_file(const std::filesystem::path& file);

// A text's lines, without their ends (LF or CRLF) and without a byte order mark.
std::vector<std::string_view> text_lines(std::string_view text);

// The cells of a line, trimmed; a cell in double quotes may hold the separator, and "" for a quote.
std::vector<std::string> split_cells(std::string_view line, char separator);

// A line of CSV with its end; cells are quoted where they need it.
std::string csv_line(const std::vector<std::string>& cells);

std::string_view trimmed_cell(std::string_view text);

}  // namespace distal
