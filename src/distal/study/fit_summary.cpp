#include "distal/study/fit_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "distal/study/fit_statistics.hpp"

namespace distal {
namespace {

constexpr double kHighCorrelation = 0.98;
constexpr double kOwnRoughness = 1e-3;  // of a settled run: patterns below it are the run's own

}  // namespace

void add_qualities(FitResult& result) {
  for (std::size_t i = 0; i < result.observations.size(); ++i) {
    const Observation& one = result.observations[i];
    auto quality = std::find_if(result.qualities.begin(), result.qualities.end(),
                                [&](const FitQuality& q) { return q.name == one.name; });
    if (quality == result.qualities.end()) quality = result.qualities.insert(quality, FitQuality{one.name});
    ++quality->count;
    quality->rmse += std::pow(result.values[i] - one.value, 2);
    quality->start_rmse += std::pow(result.start_values[i] - one.value, 2);
    quality->normalised_rmse = std::max(quality->normalised_rmse, std::abs(one.value));  // the largest, until below
  }
  for (FitQuality& quality : result.qualities) {
    quality.rmse = std::sqrt(quality.rmse / static_cast<double>(quality.count));
    quality.start_rmse = std::sqrt(quality.start_rmse / static_cast<double>(quality.count));
    quality.normalised_rmse = quality.rmse / quality.normalised_rmse;
  }
}

void add_point_quality(FitResult& result) {
  PointQuality sum;
  std::set<std::pair<double, int>> points;
  for (std::size_t i = 0; i < result.observations.size(); ++i) {
    const Observation& one = result.observations[i];
    if (one.point < 0) continue;
    points.emplace(one.abscissa, one.point);
    sum.rmse_m += std::pow(result.values[i] - one.value, 2);
    sum.start_rmse_m += std::pow(result.start_values[i] - one.value, 2);
    sum.displacement_m += std::pow(one.value, 2);
  }
  if (points.empty()) return;
  sum.count = points.size();
  for (double* value : {&sum.rmse_m, &sum.start_rmse_m, &sum.displacement_m})
    *value = std::sqrt(*value / static_cast<double>(sum.count));
  result.points = sum;
}

void add_doubts(FitResult& result, const Eigen::VectorXd& residuals) {
  for (const FittedParameter& one : result.parameters) {
    if (one.at_bound)
      result.notes.push_back(fmt::format("{} ends at its bound, {:.6g}: widen the bounds, or the model is not right",
                                         one.parameter.key.key, one.value));
    if (!one.determined)
      result.notes.push_back(fmt::format("{} is not determined by these data: its interval is wider than its bounds",
                                         one.parameter.key.key));
  }
  for (std::size_t i = 0; i < result.parameters.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const double r = result.correlation(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
          std::abs(r) > kHighCorrelation)
        result.notes.push_back(
            fmt::format("{} and {} can hardly be told apart by these data (correlation {:.3f}): fix one of them",
                        result.parameters[j].parameter.key.key, result.parameters[i].parameter.key.key, r));
  for (const FitQuality& quality : result.qualities)
    if (quality.normalised_rmse > kOwnRoughness &&
        find_pattern(result.observations, residuals, quality.name).suspicious)
      result.notes.push_back(fmt::format(
          "the residuals of {} are not random: the scene does not describe the data, and the intervals are too "
          "narrow",
          quality.name));
}

}  // namespace distal
