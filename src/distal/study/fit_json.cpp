#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "distal/study/delimited_text.hpp"
#include "distal/study/fit.hpp"

namespace distal {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no NaN: a cell whose run failed is null.
Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json parameter_json(const FittedParameter& one) {
  return {{"key", one.parameter.key.key},
          {"unit", one.parameter.key.unit},
          {"value", one.value},
          {"interval_95", {one.low, one.high}},
          {"bounds", {one.parameter.low, one.parameter.high}},
          {"start", one.start},
          {"at_bound", one.at_bound},
          {"determined", one.determined}};
}

Json surface_json(const ErrorSurface& one, const FitResult& result) {
  Json json;
  json["first"] = result.parameters[one.first].parameter.key.key;
  json["first_values"] = one.first_values;
  if (one.first != one.second) {
    json["second"] = result.parameters[one.second].parameter.key.key;
    json["second_values"] = one.second_values;
  }
  json["rmse"] = Json::array();
  for (const double value : one.rmse) json["rmse"].push_back(number_or_null(value));
  return json;
}

}  // namespace

std::string fit_json(const FitResult& result) {
  Json json;
  json["parameters"] = Json::array();
  for (const FittedParameter& one : result.parameters) json["parameters"].push_back(parameter_json(one));
  json["correlation"] = Json::array();
  for (Eigen::Index i = 0; i < result.correlation.rows(); ++i) {
    Json row = Json::array();
    for (Eigen::Index j = 0; j < result.correlation.cols(); ++j) row.push_back(result.correlation(i, j));
    json["correlation"].push_back(row);
  }
  json["points"] = result.observations.size();
  json["degrees_of_freedom"] = result.degrees_of_freedom;
  json["weighted_rmse"] = result.rmse;
  json["quantities"] = Json::object();
  for (const FitQuality& one : result.qualities)
    json["quantities"][one.name] = {{"points", one.count},
                                    {"rmse", one.rmse},
                                    {"normalised_rmse", one.normalised_rmse},
                                    {"start_rmse", one.start_rmse}};
  if (result.points)
    json["measured_points"] = {{"points", result.points->count},
                               {"rmse_m", result.points->rmse_m},
                               {"rms_displacement_m", result.points->displacement_m},
                               {"over_displacement", result.points->over_displacement()},
                               {"start_rmse_m", result.points->start_rmse_m}};
  json["runs"] = result.runs;
  json["notes"] = result.notes;
  json["surfaces"] = Json::array();
  for (const ErrorSurface& one : result.surfaces) json["surfaces"].push_back(surface_json(one, result));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string fit_table_csv(const FitResult& result) {
  std::string text = csv_line({"quantity", "point", "over", "abscissa", "measured", "fitted", "residual", "before"});
  for (std::size_t i = 0; i < result.observations.size(); ++i) {
    const Observation& one = result.observations[i];
    std::vector<std::string> cells = {one.name, one.point < 0 ? "" : fmt::format("{}", one.point), one.over};
    for (const double value :
         {one.abscissa, one.value, result.values[i], result.values[i] - one.value, result.start_values[i]})
      cells.push_back(fmt::format("{}", value));
    text += csv_line(cells);
  }
  return text;
}

}  // namespace distal
