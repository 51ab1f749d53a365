// How sure a least-squares fit is of its parameters, from the residuals and their derivatives at the optimum.
#pragma once
#include <Eigen/Dense>
#include <vector>

#include "distal/study/measurement.hpp"

namespace distal {

struct FitUncertainty {
  Eigen::VectorXd half_width;   // of the 95 % interval of each parameter; infinite where it is not determined
  Eigen::MatrixXd correlation;  // of the estimates
  int degrees_of_freedom = 0;   // residuals, without those that are 0 whatever the parameters, less parameters
};

// `residuals`: each the root of its weight times one whose noise is as large for all; `jacobian`: theirs by the
// parameters, which share one scale. `jacobian` has more rows than columns.
FitUncertainty compute_uncertainty(const Eigen::VectorXd& residuals, const Eigen::MatrixXd& jacobian,
                                   const Eigen::VectorXd& weights);

// Quantile 0.975 of Student's t distribution.
double student_quantile_975(int degrees_of_freedom);

// Von Neumann's ratio: mean square of the steps between neighbouring residuals over their mean square, about 2 where
// they are random and small where they follow each other. `suspicious` below what one in a hundred random sets has.
struct ResidualPattern {
  double ratio = 2.0;
  bool suspicious = false;
};
// Of one quantity, with its residuals in the order of its abscissa. Points of a sensor have no order.
ResidualPattern find_pattern(const std::vector<Observation>& observations, const Eigen::VectorXd& residuals,
                             const std::string& name);

}  // namespace distal
