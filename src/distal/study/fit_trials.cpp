#include "distal/study/fit_trials.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "distal/core/error.hpp"
#include "distal/study/child_pool.hpp"

namespace distal {
namespace {

constexpr std::chrono::milliseconds kTrialPatience(100);

// Between processes: the count, the values, and the notes, each with a zero at its end.
std::string packed(const Prediction& prediction) {
  const std::size_t count = prediction.values.size();
  std::string bytes(sizeof(count) + count * sizeof(double), '\0');
  std::memcpy(bytes.data(), &count, sizeof(count));
  std::memcpy(bytes.data() + sizeof(count), prediction.values.data(), count * sizeof(double));
  for (const std::string& note : prediction.notes) bytes += note + '\0';
  return bytes;
}

Prediction unpacked(const std::string& bytes) {
  Prediction prediction;
  std::size_t count = 0;
  DISTAL_ASSERT(bytes.size() >= sizeof(count));
  std::memcpy(&count, bytes.data(), sizeof(count));
  std::size_t at = sizeof(count) + count * sizeof(double);
  DISTAL_ASSERT(bytes.size() >= at);
  prediction.values.resize(count);
  std::memcpy(prediction.values.data(), bytes.data() + sizeof(count), count * sizeof(double));
  for (std::size_t end; (end = bytes.find('\0', at)) != std::string::npos; at = end + 1)
    prediction.notes.push_back(bytes.substr(at, end - at));
  return prediction;
}

}  // namespace

Scene scene_at(const Scene& scene, const FitOptions& options, const std::vector<FitParameter>& parameters,
               const Eigen::VectorXd& point, std::span<const std::string> more) {
  std::vector<std::string> overrides = options.overrides;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    overrides.push_back(
        fmt::format("{}={}", parameters[i].key.key, parameters[i].value_at(point[static_cast<Eigen::Index>(i)])));
  overrides.insert(overrides.end(), more.begin(), more.end());
  return parse_scene(options.scene_text, scene.file, overrides);
}

Prediction FitTrials::predict(const Eigen::VectorXd& point, bool alone) const {
  std::vector<std::string> more = {"record.frames_per_s=0"};
  if (!alone) more.emplace_back("run.threads=1");
  return measurement_.predict(scene_at(scene_, options_, parameters_, point, more));
}

std::vector<FitTrial> FitTrials::run(const std::vector<Eigen::VectorXd>& points) {
  std::vector<FitTrial> trials(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) trials[i].shares = points[i];
  if (measurement_.is_formula()) {
    for (FitTrial& trial : trials) {
      try {
        trial.prediction = predict(trial.shares, true);
      } catch (const InputError& problem) { trial.problem = problem.what(); }
      complete(trial);
    }
    return trials;
  }
  ChildPool pool(options_.jobs > 0 ? options_.jobs : usable_cores());
  for (std::size_t next = 0; next < points.size() || !pool.idle();) {
    for (; next < points.size() && pool.has_room(); ++next)
      pool.start(next, [&, next] { return packed(predict(points[next], points.size() == 1)); });
    for (const ChildResult& child : pool.collect(kTrialPatience)) {
      FitTrial& trial = trials[child.job];
      trial.problem = child.problem;
      if (child.problem.empty()) trial.prediction = unpacked(child.answer);
      complete(trial);
    }
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) throw RunFailure("the fit was interrupted");
  }
  return trials;
}

void FitTrials::complete(FitTrial& trial) {
  ++count_;
  const std::vector<Observation>& observations = measurement_.observations();
  if (trial.problem.empty()) {
    trial.residuals.resize(static_cast<Eigen::Index>(observations.size()));
    for (std::size_t i = 0; i < observations.size(); ++i)
      trial.residuals[static_cast<Eigen::Index>(i)] = (trial.prediction.values[i] - observations[i].value) /
                                                      observations[i].scale * std::sqrt(observations[i].weight);
    if (!trial.residuals.allFinite()) {
      trial.problem = "the scene gives values that are not finite";
      trial.residuals.resize(0);
    } else {
      best_ = std::min(best_, trial.sum_of_squares());
    }
  }
  show_progress();
}

void FitTrials::begin(std::string phase, std::size_t expected_runs) {
  phase_ = std::move(phase);
  expected_ = expected_runs;
}

void FitTrials::show_progress() const {
  if (!options_.progress) return;
  const auto observed = static_cast<double>(measurement_.observations().size());
  options_.progress({phase_, count_, expected_, std::isfinite(best_) ? std::sqrt(best_ / observed) : NAN});
}

}  // namespace distal
