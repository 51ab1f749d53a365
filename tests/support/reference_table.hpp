// Reads the reference curves of tests/reference: comma-separated, `#` starts a comment, first line names the columns.
#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace distal::test {

using ReferenceRow = std::map<std::string, std::string>;

// Rows whose columns have the values of `wanted` (compared as text).
inline std::vector<ReferenceRow> load_reference(const std::string& file, const ReferenceRow& wanted) {
  std::ifstream in(std::string(DISTAL_TEST_REFERENCE_DIR) + "/" + file);
  EXPECT_TRUE(in.good()) << file;
  std::vector<std::string> columns;
  std::vector<ReferenceRow> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> values;
    std::stringstream parts(line);
    for (std::string value; std::getline(parts, value, ',');) values.push_back(value);
    if (columns.empty()) {
      columns = values;
      continue;
    }
    ReferenceRow row;
    for (std::size_t i = 0; i < values.size() && i < columns.size(); ++i) row[columns[i]] = values[i];
    bool fits = true;
    for (const auto& [column, value] : wanted) fits = fits && row[column] == value;
    if (fits) rows.push_back(row);
  }
  EXPECT_FALSE(rows.empty()) << file;
  return rows;
}

inline double number(const ReferenceRow& row, const std::string& column) { return std::stod(row.at(column)); }

}  // namespace distal::test
