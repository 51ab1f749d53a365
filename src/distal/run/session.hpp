// A scene being run whose commands come from outside: simulation and record, without controllers and clocks.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "distal/controller/imperfect_plant.hpp"
#include "distal/record/checkpoint.hpp"
#include "distal/record/recorder.hpp"
#include "distal/run/grasp_tables.hpp"
#include "distal/run/hand_record.hpp"
#include "distal/run/run_result.hpp"
#include "distal/run/simulated_plant.hpp"
#include "distal/run/soft_measures.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

struct SessionOptions {
  std::filesystem::path out;  // empty: nothing is recorded
  bool force = false;         // replace the results that the folder holds
  std::string version;        // of the program, for the record
};

class Session {
 public:
  // `scene` must outlive the session. Throws InputError before anything is simulated, OutputError when results cannot
  // be written; so do the methods.
  Session(const Scene& scene, const SessionOptions& options);

  double period_s() const { return plant_.period_s(); }
  std::span<const BodyFeedback> feedback() const { return reality_.feedback(); }  // as the controller sees it
  std::span<const BodyReading> readings() const { return plant_.readings(); }     // the truth
  std::span<const BodyCommand> acted() const { return reality_.acted(); }         // what reached the bodies last
  const Simulation& simulation() const { return simulation_; }
  bool reached_duration() const;  // run.duration_s

  // One control period, recorded. A failed one is not: the state stays where it was. `joints`: one per joint, or none.
  // `touches`: one per device that touches a skin, or none.
  StepReport advance(std::span<const BodyCommand> commands, std::span<const JointCommand> joints = {},
                     std::span<const TouchCommand> touches = {});
  // What the hands on devices did in the period just advanced.
  void add_hands(std::span<HandPort* const> ports);
  void add_loop(LoopReport loop) { hands_.add_loop(std::move(loop)); }

  // Back to the first state. A record that is open is finished as interrupted; what follows is recorded in a folder of
  // its own: OUT-2, OUT-3, ...
  void reset();

  // The run as it is now, for a later run of the same scene to continue with.
  void save_checkpoint(std::vector<ControllerMemory> controllers) const;
  // Before the first period. Throws InputError for a checkpoint of another scene or instruction set.
  void continue_from(const Checkpoint& checkpoint);

  // A settled state of `body`; its contact patch is added.
  void add_curve_row(CurveRow row, std::size_t body);
  void add_note(std::string note) { notes_.push_back(std::move(note)); }
  // For the summary of a run that is commanded over the network.
  void set_link(const LinkReport& link) { end_.link = link; }

  // Completes the record.
  RunResult finish(RunStatus status, const std::string& message = {});

 private:
  void open_record();
  void open_next_folder();
  void add_frame();
  void add_taxels(double time_s);
  void add_statistics(RunResult& result) const;
  void note_shorter_step(double step_before_s);

  const Scene& scene_;
  SessionOptions options_;
  std::optional<OutputFolder> folder_;  // none: nothing is recorded
  Simulation simulation_;
  State first_;
  SimulatedPlant plant_;
  ImperfectPlant reality_;  // the plant as seen through the scene's channels
  ImperfectionMemory first_channels_;
  std::optional<Checkpoint> origin_;  // of a continued run
  std::optional<Recorder> recorder_;  // from the first period on, so that a run refused before it costs no old results
  SoftMeasures measures_;
  GraspTables grasp_;
  HandRecord hands_;
  std::vector<JointCommand> joints_;   // of this period, one per joint
  std::vector<TouchCommand> touches_;  // of this period, one per touching device
  RunEnd end_;
  std::optional<std::chrono::steady_clock::time_point> start_;  // of the first period
  int episode_ = 1;
  std::int64_t frames_ = 0;
  int spurious_steps_ = 0, linearised_steps_ = 0;
  std::int32_t worst_pair_ = -1;
  std::vector<CurveRow> curve_;
  std::vector<std::string> notes_;
};

}  // namespace distal
