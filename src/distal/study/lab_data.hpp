// Which column of a laboratory's table is what, in SI units.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "distal/study/lab_table.hpp"

namespace distal {

class LabData {
 public:
  // `choices`: "force=Load (N)", with ":UNIT" behind the header where it names none, and a minus before it to turn the
  // sign; only chosen columns are then used. Without choices columns with known names are found. Throws InputError for
  // what is no quantity or no column.
  LabData(const LabTable& table, const std::vector<std::string>& choices);

  bool has(const std::string& quantity) const { return columns_.contains(quantity); }
  // In SI. Throws InputError for a gap, a unit that is missing or does not fit, or ways longer than any soft touch.
  std::vector<double> values(const std::string& quantity) const;
  std::string place(std::size_t row) const { return table_.place(row); }  // for messages: file and line
  // What there is, for a message: `found: time ("Time (s)"), ...; columns: ...`.
  std::string description() const;

 private:
  struct Source {
    std::size_t column = 0;
    std::string unit;
    double sign = 1.0;
    bool ambiguous = false;
  };
  void choose(const std::string& choice);
  void find_known_names();
  void check_way(const LabColumn& column, const std::vector<double>& values_m) const;

  const LabTable& table_;
  std::map<std::string, Source> columns_;  // by quantity
};

// "a=x,b=y, z" is "a=x" and "b=y, z": headers may hold commas.
std::vector<std::string> split_column_choices(const std::vector<std::string>& texts);

}  // namespace distal
