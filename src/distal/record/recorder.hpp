// Writes the results of a run while it runs. Every file is readable at any moment; the summary and the report come
// last.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "distal/record/frame_writer.hpp"
#include "distal/record/history.hpp"
#include "distal/record/output_folder.hpp"
#include "distal/record/run_header.hpp"
#include "distal/record/statistics.hpp"
#include "distal/record/table.hpp"
#include "distal/sensor/reading.hpp"
#include "distal/state/exchange.hpp"

namespace distal {

// What went between controller and bodies in one control period; one of each for every body.
struct PeriodExchange {
  std::span<const BodyCommand> sent;        // by the controller
  std::span<const BodyCommand> acted;       // what reached the bodies
  std::span<const BodyFeedback> seen;       // by the controller, at the end
  std::optional<std::uint64_t> state_hash;  // at the end
  std::span<const JointCommand> joints{};   // one for each of RunHeader::joint_names
  std::span<const TouchCommand> touches{};  // one for each of RunHeader::touch_names
};

// Any method may throw OutputError (disk full); what was written before stays whole.
class Recorder {
 public:
  // Old results go here and not before: what can be refused has been.
  Recorder(OutputFolder folder, RunHeader header);

  // End of a control period. One reading for each of RunHeader::body_names, in that order.
  void add_period(double time_s, std::span<const BodyReading> readings, const PeriodExchange& exchange,
                  const EnergyReading& energy, const PeriodCost& cost);
  void add_frame(double time_s, std::vector<BodySnapshot> bodies);
  void add_curve_row(const CurveRow& row);
  void set_pair_names(std::vector<std::string> names) { history_.pair_names = std::move(names); }
  void add_grasp(GraspSample sample) { history_.grasp.add(std::move(sample)); }
  // A grid of `rows` x `columns` pressures, row by row; the size of a name never changes.
  void add_taxels(const std::string& name, int rows, int columns, std::span<const double> pressure_pa, double time_s);

  void set_devices(std::vector<DeviceReport> devices) { statistics_.devices = std::move(devices); }
  void set_measures(MeasureResults measures) { statistics_.measures = std::move(measures); }

  // Writes summary.json and report.html.
  void finish(const RunEnd& end);

  const OutputFolder& folder() const { return folder_; }
  const RunStatistics& statistics() const { return statistics_; }

 private:
  OutputFolder folder_;
  RunHeader header_;
  RunStatistics statistics_;
  History history_;
  FrameWriter frames_;
  std::vector<Table> series_;                   // one per body
  std::vector<std::optional<Table>> measured_;  // of bodies behind channels
  Table energy_, timing_, commands_;
  std::optional<Table> curve_;
  std::map<std::string, Table> taxels_;
};

}  // namespace distal
