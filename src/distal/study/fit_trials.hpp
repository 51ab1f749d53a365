// Runs of a scene at points of the parameters, in child processes.
#pragma once
#include <Eigen/Dense>
#include <span>
#include <string>
#include <vector>

#include "distal/study/fit.hpp"

namespace distal {

struct FitTrial {
  Eigen::VectorXd shares;  // where: on the scale of the bounds
  Prediction prediction;
  std::string problem;        // why there is none
  Eigen::VectorXd residuals;  // (scene - measured) / scale sqrt(weight); empty where there are none

  bool good() const { return problem.empty(); }
  double sum_of_squares() const { return residuals.squaredNorm(); }
};

class FitTrials {
 public:
  FitTrials(const Scene& scene, const Measurement& measurement, const std::vector<FitParameter>& parameters,
            const FitOptions& options)
      : scene_(scene), measurement_(measurement), parameters_(parameters), options_(options) {}

  // All of them, several at a time. Throws RunFailure when interrupted.
  std::vector<FitTrial> run(const std::vector<Eigen::VectorXd>& points);
  FitTrial run(const Eigen::VectorXd& point) { return run(std::vector{point}).front(); }

  std::size_t count() const { return count_; }
  void begin(std::string phase, std::size_t expected_runs);  // for progress: runs of this phase

 private:
  Prediction predict(const Eigen::VectorXd& point, bool alone) const;
  void complete(FitTrial& trial);
  void show_progress() const;

  const Scene& scene_;
  const Measurement& measurement_;
  const std::vector<FitParameter>& parameters_;
  const FitOptions& options_;
  std::string phase_;
  std::size_t count_ = 0, expected_ = 0;
  double best_ = INFINITY;  // sum of squares
};

// The scene with the parameters at these shares. Throws InputError where they are not allowed together.
Scene scene_at(const Scene& scene, const FitOptions& options, const std::vector<FitParameter>& parameters,
               const Eigen::VectorXd& point, std::span<const std::string> more = {});

}  // namespace distal
