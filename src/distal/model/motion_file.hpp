// A recorded motion: a table with a column time_s and one for every joint, as joints.csv of a run has them.
#pragma once
#include <string>
#include <vector>

namespace distal {

struct MotionTable {
  std::vector<std::string> columns;         // without time_s
  std::vector<double> times_s;              // rising
  std::vector<std::vector<double>> values;  // of each column

  const std::vector<double>* find(const std::string& column) const;  // null: there is none
};

// Throws InputError with file and line: no table, no time_s, a column twice, a row of another length, a number that is
// none, times that do not rise.
MotionTable load_motion(const std::string& file);

}  // namespace distal
