// The runs of a sweep: every combination of lists of values.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace distal {

// Keys that change together, and their values: one key of --set, or all columns of a --list file.
struct SweepAxis {
  std::vector<std::string> keys;
  std::vector<std::vector<std::string>> rows;  // of values as TOML, one for each key
  std::vector<std::string> places;             // of each row in a file, for messages; none for --set
};

// "key=a,b,c" or "key=start:stop:count[:log]", also mixed; a single value is a list of one. Commas inside brackets and
// quotes belong to the value. Throws InputError.
SweepAxis parse_sweep_values(const std::string& text);
// A CSV file: keys in the first line, each further line one set of values. Throws InputError with the line.
SweepAxis load_sweep_list(const std::filesystem::path& file);

inline constexpr std::size_t kMostRuns = 100000;

class SweepGrid {
 public:
  // The first axis changes slowest. Throws InputError for a key that is set twice, or too many runs.
  explicit SweepGrid(std::vector<SweepAxis> axes);

  std::size_t size() const { return size_; }
  const std::vector<std::string>& keys() const { return keys_; }
  std::vector<std::string> values(std::size_t run) const;  // in the order of keys()
  std::vector<std::string> overrides(std::size_t run) const;
  std::string named_places(std::size_t run, std::string message) const;  // files instead of --set, where there are any
  std::vector<std::size_t> varied_keys() const;  // places in keys() of those with more than one value

 private:
  std::vector<SweepAxis> axes_;
  std::vector<std::string> keys_;
  std::size_t size_ = 1;
};

}  // namespace distal
