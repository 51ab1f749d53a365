// What a sweep has done, on disk: a line for every run that began and for every run that ended. Lines are only ever
// added, and those of finished runs are safe once written, whatever happens next.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "distal/study/measures.hpp"

namespace distal {

// How one run of a sweep ended.
struct RunRecord {
  // done; failed: a step failed; refused: the values are not allowed; crashed; lost: its results could not be written,
  // it is done again when the sweep is continued
  std::string status;
  std::string message;  // why, where it is not done
  Measures measures;
};

inline constexpr const char* kLostRun = "lost";

// What must be the same for a sweep to be continued.
struct SweepIdentity {
  std::string values;   // a fingerprint of keys and values
  std::string scenes;   // of the scenes they give
  std::string version;  // of the program
  std::size_t runs = 0;
};

class Ledger {
 public:
  // Opens or begins the ledger of a sweep; `anew`: whatever is there. A last line that a killed program left incomplete
  // is dropped. Throws InputError for the ledger of another sweep, a damaged one, or one that another process has open.
  Ledger(std::filesystem::path file, const SweepIdentity& identity, bool anew = false);
  ~Ledger();
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  const std::map<std::size_t, RunRecord>& finished() const { return finished_; }

  void note_start(std::size_t run);
  void add(std::size_t run, const RunRecord& record);

 private:
  void read(const SweepIdentity& identity);
  void note_end(std::size_t run, RunRecord record, std::size_t line);
  void write_line(const std::string& line);

  std::filesystem::path path_;
  int file_ = -1;
  std::map<std::size_t, RunRecord> finished_;
};

}  // namespace distal
