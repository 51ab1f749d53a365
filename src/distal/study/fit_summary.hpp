// What is said about a fit once its values are known.
#pragma once
#include <Eigen/Dense>

#include "distal/study/fit.hpp"

namespace distal {

// How well each measured quantity is met.
void add_qualities(FitResult& result);
void add_point_quality(FitResult& result);
// Notes on what a user should not believe without a second look. `residuals`: weighted, of each observation.
void add_doubts(FitResult& result, const Eigen::VectorXd& residuals);

}  // namespace distal
