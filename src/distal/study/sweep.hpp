// Many runs of one scene with other values each: in processes of their own, on all cores, into one table. A sweep that
// was interrupted or killed is continued without repeating a finished run. docs/guide/sweep.md.
#pragma once
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "distal/study/ledger.hpp"
#include "distal/study/sweep_grid.hpp"

namespace distal {

struct SweepProgress {
  std::size_t finished = 0, failed = 0, runs = 0;
  double left_s = 0.0;  // expected wall time left; negative while unknown
};

struct SweepOptions {
  std::filesystem::path scene;                         // a file
  std::filesystem::path out;                           // folder for ledger, table and page
  std::vector<std::string> measures;                   // columns of the table; empty: default_measures
  int jobs = 0;                                        // runs at a time; 0: one a core
  bool force = false;                                  // begin anew in a folder that holds a sweep
  bool keep_runs = false;                              // keep all results of each run in runs/
  std::string version;                                 // of the program
  std::function<void(const SweepProgress&)> progress;  // called a few times a second
  const std::atomic<bool>* stop = nullptr;             // set it to end early; what is finished stays finished
};

using RunRecords = std::map<std::size_t, RunRecord>;

struct SweepResult {
  RunRecords records;
  std::size_t found = 0;  // finished before this call
  bool interrupted = false;
  std::vector<std::string> measures;
};

// Throws InputError before anything is run, where no run of the grid would be allowed, where the folder holds another
// sweep, and for an unknown measure as soon as a run has finished; OutputError when results cannot be written.
SweepResult sweep(const SweepGrid& grid, const SweepOptions& options);

// The table: one row a finished run, in the order of the grid.
std::string sweep_table_csv(const SweepGrid& grid, const RunRecords& records, const std::vector<std::string>& measures);
// A page with plots where one or two keys with numbers are varied, and the table.
std::string sweep_page_html(const std::string& title, const SweepGrid& grid, const RunRecords& records,
                            const std::vector<std::string>& measures);

}  // namespace distal
