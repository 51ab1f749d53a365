// joints.csv and contacts.csv: what joints and hard contacts did, one control period after the other.
#pragma once
#include <optional>

#include "distal/record/history.hpp"
#include "distal/record/output_folder.hpp"
#include "distal/record/table.hpp"
#include "distal/sensor/reading.hpp"
#include "distal/state/state.hpp"

namespace distal {

class GraspTables {
 public:
  // Nothing where the model has neither.
  void open(const OutputFolder& folder, const Model& model);
  void close();
  void add_period(const Model& model, const State& state);
  // For the report: pairs of rigid bodies, and what they bear now.
  static std::vector<std::string> pair_names(const Model& model);
  static GraspSample make_sample(const Model& model, const State& state);

 private:
  std::optional<Table> joints_, contacts_;
};

// limit_surface.csv, where a motion has slid.
void write_limit_surface(const OutputFolder& folder, const std::vector<CurveRow>& curve);

}  // namespace distal
