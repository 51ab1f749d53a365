#include "distal/study/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "distal/core/error.hpp"
#include "distal/record/output_folder.hpp"
#include "distal/run/run_scene.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/state/hasher.hpp"
#include "distal/study/child_pool.hpp"
#include "distal/study/delimited_text.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;
using SweepClock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLookAround(100);   // how often Ctrl-C is seen and progress shown
constexpr std::chrono::milliseconds kTableEvery(1000);  // while runs go on
constexpr const char* kLedgerFile = "ledger.jsonl";
constexpr const char* kTableFile = "table.csv";
constexpr const char* kPageFile = "sweep.html";

std::string fingerprint_text(const Hasher& hasher) { return fmt::format("{:016x}", hasher.value()); }

// A message of several lines in one cell.
std::string one_line(std::string text) {
  for (std::size_t end; (end = text.find('\n')) != std::string::npos;) text.replace(end, 1, "; ");
  return text;
}

class Sweeper {
 public:
  Sweeper(const SweepGrid& grid, const SweepOptions& options)
      : grid_(grid),
        options_(options),
        scene_text_(load_text_file(options.scene)),
        identity_(plan()),
        folder_(options.out, true),
        ledger_(checked_file(), identity_, options.force) {
    if (options.force) {
      for (const char* name : {kTableFile, kPageFile}) fs::remove(options.out / name);
      remove_run_folders();
    }
    found_ = ledger_.finished().size();
  }

  SweepResult run() {
    start_ = SweepClock::now();
    for (const auto& [run, message] : refused_)
      if (!ledger_.finished().contains(run)) ledger_.add(run, {"refused", message, {}});
    for (const auto& [run, record] : ledger_.finished()) check_measures(record);
    const bool complete = run_rest();
    if (!options_.keep_runs) remove_run_folders();  // of runs that were ended on the way, now or before
    SweepResult result;
    result.records = ledger_.finished();
    result.found = found_;
    result.interrupted = !complete;
    result.measures = shown_measures();
    write_table();
    // A sweep that was killed between the end of a run and its tidying left a folder behind.
    if (std::error_code ignored; complete && !options_.keep_runs) fs::remove_all(options_.out / "runs", ignored);
    folder_.write_file(kPageFile, sweep_page_html(title_, grid_, result.records, result.measures));
    return result;
  }

 private:
  std::vector<std::string> overrides(std::size_t run) const {
    std::vector<std::string> texts = grid_.overrides(run);
    texts.emplace_back("run.threads=1");  // many runs fill the cores better than many threads
    if (!options_.keep_runs) texts.emplace_back("record.frames_per_s=0");
    return texts;
  }

  // Every run's scene is read before the first one begins, so that a slip of the pen does not cost an afternoon.
  SweepIdentity plan() {
    Hasher values, scenes;
    std::string first_problem;
    for (std::size_t run = 0; run < grid_.size(); ++run) {
      for (const std::string& text : grid_.overrides(run)) values.add(text), values.add(std::uint64_t{256});
      try {
        const Scene scene = parse_scene(scene_text_, options_.scene, overrides(run));
        title_ = scene.model.title.empty() ? options_.scene.filename().string() : scene.model.title;
        scenes.add(scene.resolved_toml);
      } catch (const InputError& problem) {
        const std::string message = grid_.named_places(run, problem.what());
        if (refused_.empty()) first_problem = message;
        refused_[run] = one_line(message);
        scenes.add(refused_[run]);
      }
    }
    if (refused_.size() == grid_.size()) throw InputError(first_problem);
    return {fingerprint_text(values), fingerprint_text(scenes), options_.version, grid_.size()};
  }

  // Somebody else's table of the same name is not ours to replace.
  fs::path checked_file() const {
    const fs::path ledger = options_.out / kLedgerFile;
    for (const char* name : {kTableFile, kPageFile})
      if (!options_.force && !fs::exists(ledger) && fs::exists(options_.out / name))
        throw InputError(
            fmt::format("{} exists, without a ledger. Choose another folder with --out DIR, or replace it "
                        "with --force.",
                        (options_.out / name).string()));
    return ledger;
  }

  void remove_run_folders() const {
    const fs::path runs = options_.out / "runs";
    if (!fs::is_directory(runs)) return;
    std::vector<fs::path> old;
    for (const auto& entry : fs::directory_iterator(runs))
      if (entry.is_directory() && entry.path().filename().string().starts_with("run_")) old.push_back(entry.path());
    for (const fs::path& folder : old) fs::remove_all(folder);
    if (fs::is_empty(runs)) fs::remove(runs);
  }

  fs::path run_folder(std::size_t run) const { return options_.out / "runs" / fmt::format("run_{:06}", run); }

  // True when every run is finished.
  bool run_rest() {
    ChildPool pool(options_.jobs > 0 ? options_.jobs : usable_cores());
    std::size_t next = 0;
    while (true) {
      while (next < grid_.size() && pool.has_room()) {
        if (!ledger_.finished().contains(next)) start_run(pool, next);
        ++next;
      }
      if (pool.idle()) return true;
      for (const ChildResult& child : pool.collect(kLookAround)) finish_run(child);
      show_progress();
      if (options_.stop && options_.stop->load(std::memory_order_relaxed)) return false;
    }
  }

  void start_run(ChildPool& pool, std::size_t run) {
    ledger_.note_start(run);
    pool.start(run, [this, run] {
      const Scene scene = parse_scene(scene_text_, options_.scene, overrides(run));
      RunOptions options;
      options.out = run_folder(run);
      options.force = true;
      options.version = options_.version;
      // A folder that cannot be made or written is no fault of the values.
      try {
        OutputFolder(options.out, true);
      } catch (const InputError& problem) { throw OutputError(problem.what()); }
      run_scene(scene, options);
      return load_text_file(options.out / "summary.json");
    });
  }

  void finish_run(const ChildResult& child) {
    RunRecord record;
    if (child.problem.empty()) {
      const auto summary = nlohmann::json::parse(child.answer);
      record.status = summary.at("status").get<std::string>();
      record.message = one_line(summary.value("message", ""));
      if (record.status == "done") record.measures = find_measures(child.answer);
    } else {
      record.status = child.lost ? kLostRun : child.died ? "crashed" : "failed";
      record.message = one_line(child.problem);
    }
    ledger_.add(child.job, record);
    std::error_code ignored;
    if (!options_.keep_runs) fs::remove_all(run_folder(child.job), ignored);
    check_measures(record);
    if (SweepClock::now() - table_written_ >= kTableEvery) write_table();
  }

  void check_measures(const RunRecord& record) {
    if (measures_checked_ || record.status != "done") return;
    for (const std::string& name : options_.measures) check_measure(name, record.measures);
    measures_checked_ = true;
  }

  std::vector<std::string> shown_measures() const {
    if (!options_.measures.empty()) return options_.measures;
    Measures all;
    for (const auto& [run, record] : ledger_.finished()) all.insert(record.measures.begin(), record.measures.end());
    return default_measures(all);
  }

  void write_table() {
    folder_.write_file(kTableFile, sweep_table_csv(grid_, ledger_.finished(), shown_measures()));
    table_written_ = SweepClock::now();
  }

  void show_progress() const {
    if (!options_.progress) return;
    SweepProgress progress;
    progress.runs = grid_.size();
    progress.finished = ledger_.finished().size();
    for (const auto& [run, record] : ledger_.finished()) progress.failed += record.status != "done";
    const std::size_t now = progress.finished - found_;
    const double wall = std::chrono::duration<double>(SweepClock::now() - start_).count();
    progress.left_s =
        now == 0 ? -1.0 : wall / static_cast<double>(now) * static_cast<double>(grid_.size() - progress.finished);
    options_.progress(progress);
  }

  const SweepGrid& grid_;
  const SweepOptions& options_;
  std::string scene_text_, title_;
  std::map<std::size_t, std::string> refused_;  // by the checks of a scene, with the reason
  SweepIdentity identity_;
  OutputFolder folder_;
  Ledger ledger_;
  std::size_t found_ = 0;
  bool measures_checked_ = false;
  SweepClock::time_point start_, table_written_;
};

}  // namespace

SweepResult sweep(const SweepGrid& grid, const SweepOptions& options) { return Sweeper(grid, options).run(); }

std::string sweep_table_csv(const SweepGrid& grid, const RunRecords& records,
                            const std::vector<std::string>& measures) {
  std::vector<std::string> cells = {"run"};
  cells.insert(cells.end(), grid.keys().begin(), grid.keys().end());
  cells.emplace_back("status");
  cells.insert(cells.end(), measures.begin(), measures.end());
  cells.emplace_back("message");
  std::string text = csv_line(cells);
  for (const auto& [run, record] : records) {
    cells = {fmt::format("{}", run)};
    for (std::string& value : grid.values(run)) cells.push_back(std::move(value));
    cells.push_back(record.status);
    for (const std::string& name : measures) {
      const auto found = record.measures.find(name);
      cells.push_back(found == record.measures.end() ? "" : fmt::format("{}", found->second));
    }
    cells.push_back(record.message);
    text += csv_line(cells);
  }
  return text;
}

}  // namespace distal
