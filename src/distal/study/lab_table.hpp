// A laboratory's table as it comes: any lines, then a header, then numbers. Separated by commas, semicolons or tabs;
// with decimal commas where the separator is not a comma; units in brackets behind the names or in a line of their own.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace distal {

struct LabColumn {
  std::string header;  // as written: "Load (N)"
  std::string name;    // without the unit: "Load"
  std::string unit;    // "N"; empty where there is none
};

class LabTable {
 public:
  // Throws InputError where no header with numbers below it is found.
  explicit LabTable(const std::filesystem::path& file);
  LabTable(std::string text, std::string file_name);

  const std::string& file() const { return file_; }
  const std::vector<LabColumn>& columns() const { return columns_; }
  std::string header_list() const;           // for messages
  std::string place(std::size_t row) const;  // "file:line"

  // The numbers of a column as written. A gap, or what is no finite number, throws InputError with the line.
  std::vector<double> numbers(std::size_t column) const;

 private:
  struct Row {
    std::size_t line;
    std::vector<std::string> cells;
  };
  bool read_with(const std::vector<std::string_view>& lines, char separator);
  bool is_number_row(const std::vector<std::string>& cells) const;
  void take_header(const std::vector<std::string>& names, const std::vector<std::string>& units);

  std::string file_, text_;
  char separator_ = ',';
  std::vector<LabColumn> columns_;
  std::vector<Row> rows_;
};

}  // namespace distal
