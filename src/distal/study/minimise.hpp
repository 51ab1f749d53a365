// The lowest value of a function of a few numbers from 0 to 1, without derivatives (NLopt).
#pragma once
#include <Eigen/Dense>
#include <functional>

namespace distal {

struct MinimumSearch {
  double first_step = 0.1;
  double tolerance = 1e-4;  // of the numbers
  int most_evaluations = 200;
};

// BOBYQA (Powell 2009), which fits a quadratic to what it has seen; COBYLA for a single number. An exception of
// `function` ends the search and is passed on. Returns false where most_evaluations ended it.
bool minimise(const std::function<double(const Eigen::VectorXd&)>& function, Eigen::VectorXd& point,
              const MinimumSearch& search);

}  // namespace distal
