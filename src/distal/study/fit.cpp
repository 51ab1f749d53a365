#include "distal/study/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/study/fit_statistics.hpp"
#include "distal/study/fit_summary.hpp"
#include "distal/study/fit_trials.hpp"
#include "distal/study/minimise.hpp"

namespace distal {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kScoutsPerParameter = 4;        // runs that look around before the search
constexpr int kExpectedPerParameter = 20;     // runs of the search, for progress
constexpr double kRelativeDifference = 0.01;  // of a logarithmic parameter, for derivatives
constexpr double kShareDifference = 0.01;     // of the bounds, for others
constexpr double kLongestPolish = 0.1;        // of the bounds: farther the derivatives do not hold
constexpr double kCarefulStep = 0.03;         // of the bounds, of a search among runs that fail
constexpr double kAtBound = 2e-3;             // of the bounds: nearer counts as at the bound

// Evenly spread points that do not line up (Halton).
double halton(std::size_t index, int base) {
  double share = 0.0, digit = 1.0 / base;
  for (; index > 0; index /= static_cast<std::size_t>(base), digit /= base)
    share += digit * static_cast<double>(index % static_cast<std::size_t>(base));
  return share;
}

class Fitter {
 public:
  Fitter(const Scene& scene, const Measurement& measurement, std::vector<FitParameter> parameters,
         const FitOptions& options)
      : scene_(scene),
        measurement_(measurement),
        parameters_(std::move(parameters)),
        options_(options),
        trials_(scene, measurement_, parameters_, options_) {}

  FitResult run() {
    check_counts();
    const FitTrial start = first_trial();
    best_ = start;
    look_around();
    search();
    MatrixXd jacobian = differentiate();
    if (polish(jacobian)) jacobian = differentiate();
    FitResult result = summarise(start, jacobian);
    draw_surfaces(result);
    result.runs = trials_.count();
    return result;
  }

 private:
  Index count() const { return static_cast<Index>(parameters_.size()); }

  void check_counts() const {
    const std::size_t observed = measurement_.observations().size();
    if (parameters_.empty()) throw InputError("nothing to fit: name keys with --fit KEY");
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (parameters_[i].key.key == parameters_[j].key.key)
          throw InputError(fmt::format("--fit {} is given twice", parameters_[i].key.key));
    if (observed < parameters_.size() + 1)
      throw InputError(fmt::format("{}{}{} measured points for {} parameters: at least {} are needed{}",
                                   options_.data_file, options_.data_file.empty() ? "" : ": ", observed,
                                   parameters_.size(), parameters_.size() + 1,
                                   observed == 0 ? "; does --range leave any?" : ""));
  }

  VectorXd start_point() const {
    VectorXd point(count());
    for (Index i = 0; i < count(); ++i) {
      const FitParameter& parameter = parameters_[static_cast<std::size_t>(i)];
      const double value = parameter.key.value;
      const bool inside = value >= parameter.low && value <= parameter.high;  // not for NaN
      point[i] = inside ? parameter.share_of(value) : 0.5;
    }
    return point;
  }

  // In this process' own words, so that what is wrong with the scene is said as by `distal run`.
  FitTrial first_trial() {
    const VectorXd point = start_point();
    scene_at(scene_, options_, parameters_, point);
    trials_.begin("looking around", 1 + static_cast<std::size_t>(kScoutsPerParameter * count()));
    FitTrial trial = trials_.run(point);
    if (!trial.good()) throw InputError(fmt::format("the scene fails where the fit starts: {}", trial.problem));
    return trial;
  }

  void take_better(const FitTrial& trial) {
    if (trial.good() && trial.sum_of_squares() < best_.sum_of_squares()) best_ = trial;
  }

  void look_around() {
    constexpr int kBases[] = {2, 3, 5, 7, 11, 13, 17, 19};
    std::vector<VectorXd> points;
    for (int k = 1; k <= kScoutsPerParameter * count(); ++k) {
      VectorXd point(count());
      for (Index i = 0; i < count(); ++i)
        point[i] = halton(static_cast<std::size_t>(k), kBases[static_cast<std::size_t>(i) % std::size(kBases)]);
      points.push_back(std::move(point));
    }
    for (const FitTrial& trial : trials_.run(points)) take_better(trial);
  }

  void search() {
    trials_.begin("fitting", trials_.count() + static_cast<std::size_t>(kExpectedPerParameter * count()));
    double worst = best_.sum_of_squares();
    int failed = 0;
    std::string problem;
    VectorXd point = best_.shares;
    const auto cost = [&](const VectorXd& shares) {
      const FitTrial trial = trials_.run(VectorXd(shares.cwiseMax(0.0).cwiseMin(1.0)));
      // A run that fails is worse than any that does not.
      if (!trial.good()) {
        ++failed;
        problem = trial.problem;
        return 10.0 * worst;
      }
      worst = std::max(worst, trial.sum_of_squares());
      take_better(trial);
      return trial.sum_of_squares();
    };
    MinimumSearch limits;
    limits.most_evaluations = 100 * static_cast<int>(count());
    bool found = minimise(cost, point, limits);
    if (failed > 0) {  // which spoils the quadratic: once more, with steps that stay where runs do not fail
      notes_.push_back(fmt::format("{} runs of the search failed; the last: {}", failed, problem));
      point = best_.shares;
      limits.first_step = kCarefulStep;
      found = minimise(cost, point, limits);
    }
    if (!found)
      notes_.push_back(
          fmt::format("the search was ended after {} runs: the optimum may not be found", limits.most_evaluations));
  }

  double difference_of(const FitParameter& parameter) const {
    return parameter.is_logarithmic() ? kRelativeDifference / std::log(parameter.high / parameter.low)
                                      : kShareDifference;
  }

  // Central differences of the residuals by the shares; to one side at a bound.
  MatrixXd differentiate() {
    trials_.begin("uncertainty", trials_.count() + 2 * parameters_.size());
    std::vector<VectorXd> points;
    for (Index i = 0; i < count(); ++i)
      for (const double side : {-1.0, 1.0}) {
        VectorXd point = best_.shares;
        point[i] = std::clamp(point[i] + side * difference_of(parameters_[static_cast<std::size_t>(i)]), 0.0, 1.0);
        points.push_back(std::move(point));
      }
    const std::vector<FitTrial> sides = trials_.run(points);
    MatrixXd jacobian = MatrixXd::Zero(best_.residuals.size(), count());
    for (Index i = 0; i < count(); ++i) {
      const FitTrial& low = sides[static_cast<std::size_t>(2 * i)];
      const FitTrial& high = sides[static_cast<std::size_t>(2 * i + 1)];
      const FitTrial& from = low.good() ? low : best_;
      const FitTrial& to = high.good() ? high : best_;
      const double distance = to.shares[i] - from.shares[i];
      if (distance > 0.0) jacobian.col(i) = (to.residuals - from.residuals) / distance;
    }
    return jacobian;
  }

  // One step of Gauss and Newton, as the search ends a little beside the optimum: in all directions, and only in those
  // that the data determine well. False where little was gained.
  bool polish(const MatrixXd& jacobian) {
    const Eigen::JacobiSVD<MatrixXd> svd(jacobian, Eigen::ComputeThinU | Eigen::ComputeThinV);
    const VectorXd along = svd.matrixU().transpose() * -best_.residuals;
    std::vector<VectorXd> points;
    for (const double smallest : {1e-6, 0.05}) {
      VectorXd step = VectorXd::Zero(count());
      for (Index i = 0; i < count(); ++i)
        if (svd.singularValues()[i] > smallest * svd.singularValues()[0])
          step += svd.matrixV().col(i) * along[i] / svd.singularValues()[i];
      if (step.cwiseAbs().maxCoeff() < kLongestPolish)
        points.push_back((best_.shares + step).cwiseMax(0.0).cwiseMin(1.0));
    }
    const double before = best_.sum_of_squares();
    for (const FitTrial& trial : trials_.run(points)) take_better(trial);
    return best_.sum_of_squares() < (1.0 - 1e-3) * before;
  }

  FitResult summarise(const FitTrial& start, const MatrixXd& jacobian) {
    FitResult result;
    result.observations = measurement_.observations();
    result.start_values = start.prediction.values;
    result.values = best_.prediction.values;
    result.rmse = std::sqrt(best_.sum_of_squares() / static_cast<double>(best_.residuals.size()));
    VectorXd weights(best_.residuals.size());
    for (Index i = 0; i < weights.size(); ++i) weights[i] = result.observations[static_cast<std::size_t>(i)].weight;
    const FitUncertainty uncertainty = compute_uncertainty(best_.residuals, jacobian, weights);
    result.degrees_of_freedom = uncertainty.degrees_of_freedom;
    result.correlation = uncertainty.correlation;
    for (Index i = 0; i < count(); ++i) result.parameters.push_back(fitted(i, start, uncertainty.half_width[i]));
    for (const std::string& note : best_.prediction.notes) notes_.push_back("the fitted scene: " + note);
    result.notes = notes_;
    add_qualities(result);
    add_point_quality(result);
    add_doubts(result, best_.residuals);
    return result;
  }

  FittedParameter fitted(Index i, const FitTrial& start, double half_width) const {
    const FitParameter& parameter = parameters_[static_cast<std::size_t>(i)];
    FittedParameter result{parameter, parameter.value_at(start.shares[i]), parameter.value_at(best_.shares[i])};
    result.at_bound = best_.shares[i] < kAtBound || best_.shares[i] > 1.0 - kAtBound;
    result.determined = half_width < 1.0;  // wider than the bounds says nothing
    result.low = parameter.low;
    result.high = parameter.high;
    if (!result.determined) return result;
    // The interval may pass the bounds, which are no knowledge about the value.
    const double share = best_.shares[i];
    const auto at = [&](double s) {
      return parameter.is_logarithmic() ? parameter.low * std::pow(parameter.high / parameter.low, s)
                                        : parameter.low + (parameter.high - parameter.low) * s;
    };
    result.low = at(share - half_width);
    result.high = at(share + half_width);
    return result;
  }

  void draw_surfaces(FitResult& result) {
    const auto cells = static_cast<std::size_t>(std::max(0, options_.surface));
    if (cells < 2) return;
    const std::size_t n = parameters_.size();
    const std::size_t per_surface = n == 1 ? cells : cells * cells;
    trials_.begin("error surface", trials_.count() + per_surface * std::max<std::size_t>(1, n * (n - 1) / 2));
    if (n == 1) result.surfaces.push_back(surface(0, 0, cells));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n; ++j) result.surfaces.push_back(surface(i, j, cells));
    for (const ErrorSurface& one : result.surfaces)
      if (*std::min_element(one.rmse.begin(), one.rmse.end(),
                            [](double a, double b) { return std::isnan(b) || a < b; }) < 0.999 * result.rmse) {
        result.notes.emplace_back(
            "the error surface has a lower place than the fit found: start again with narrower bounds around it");
        break;
      }
  }

  ErrorSurface surface(std::size_t first, std::size_t second, std::size_t cells) {
    ErrorSurface result{first, second, {}, {}, {}};
    std::vector<VectorXd> points;
    const auto share = [&](std::size_t k) { return static_cast<double>(k) / static_cast<double>(cells - 1); };
    for (std::size_t k = 0; k < cells; ++k) {
      result.first_values.push_back(parameters_[first].value_at(share(k)));
      if (first != second) result.second_values.push_back(parameters_[second].value_at(share(k)));
    }
    for (std::size_t row = 0; row < (first == second ? 1 : cells); ++row)
      for (std::size_t column = 0; column < cells; ++column) {
        VectorXd point = best_.shares;
        if (first != second) point[static_cast<Index>(second)] = share(row);
        point[static_cast<Index>(first)] = share(column);
        points.push_back(std::move(point));
      }
    const auto observed = static_cast<double>(measurement_.observations().size());
    for (const FitTrial& trial : trials_.run(points))
      result.rmse.push_back(trial.good() ? std::sqrt(trial.sum_of_squares() / observed) : NAN);
    return result;
  }

  const Scene& scene_;
  const Measurement& measurement_;
  std::vector<FitParameter> parameters_;
  const FitOptions& options_;
  FitTrials trials_;
  FitTrial best_;
  std::vector<std::string> notes_;
};

}  // namespace

FitResult fit(const Scene& scene, const Measurement& measurement, std::vector<FitParameter> parameters,
              const FitOptions& options) {
  return Fitter(scene, measurement, std::move(parameters), options).run();
}

}  // namespace distal
