#include <cmath>
#include <nlohmann/json.hpp>

#include "distal/core/error.hpp"
#include "distal/record/measure_report.hpp"

namespace distal {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  DISTAL_ASSERT(std::isfinite(value));
  return value;
}

Json state_json(const MeasureResults& measures, std::size_t state) {
  const SettledState& settled = measures.states[state];
  return {{"state", state + 1},
          {"phase", settled.phase},
          {"force_n", number(settled.force_n)},
          {"depth_m", number(settled.depth_m)}};
}

Json points_json(const MeasureResults& measures, const PointsResult& points) {
  Json states = Json::array();
  for (std::size_t s = 0; s < points.states.size(); ++s) {
    Json state = state_json(measures, s);
    if (const auto& error = points.states[s].error) {
      state["rmse_m"] = number(error->rmse_m);
      state["rmse_over_length"] = number(error->over_length);
      state["rmse_over_displacement"] = number(error->over_displacement);
    }
    states.push_back(std::move(state));
  }
  return {{"type", "points"}, {"body", points.body}, {"states", std::move(states)}};
}

Json compression_json(const MeasureResults& measures, const CompressionResult& test) {
  Json states = Json::array();
  for (std::size_t s = 0; s < test.strain.size(); ++s) {
    Json state = state_json(measures, s);
    state["strain"] = number(test.strain[s]);
    state["stress_pa"] = number(test.stress_pa[s]);
    states.push_back(std::move(state));
  }
  return {{"type", "compression"},
          {"body", test.body},
          {"area_m2", number(test.area_m2)},
          {"height_m", number(test.height_m)},
          {"youngs_modulus_pa", number(test.youngs_modulus_pa)},
          {"states", std::move(states)}};
}

}  // namespace

void add_measures(Json& summary, const MeasureResults& measures) {
  for (const VolumeResult& volume : measures.volumes) {
    Json& body = summary["bodies"][volume.body];
    body["rest_volume_m3"] = number(volume.rest_m3);
    body["volume_m3"] = number(volume.volume_m3);
    body["volume_error"] = number(volume.error());
    body["largest_volume_error"] = number(volume.largest_error);
  }
  for (const PointsResult& points : measures.points) summary["sensors"][points.name] = points_json(measures, points);
  for (const CompressionResult& test : measures.compressions)
    summary["sensors"][test.name] = compression_json(measures, test);
}

}  // namespace distal
