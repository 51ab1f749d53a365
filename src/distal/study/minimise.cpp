#include "distal/study/minimise.hpp"

#include <nlopt.h>

#include <algorithm>
#include <exception>
#include <memory>

#include "distal/core/error.hpp"

namespace distal {
namespace {

struct SearchContext {
  const std::function<double(const Eigen::VectorXd&)>& function;
  nlopt_opt search;
  std::exception_ptr thrown;
};

// C code in between: an exception must not pass through it.
double call_function(unsigned count, const double* x, double*, void* data) {
  auto& context = *static_cast<SearchContext*>(data);
  try {
    return context.function(Eigen::Map<const Eigen::VectorXd>(x, count));
  } catch (...) {
    context.thrown = std::current_exception();
    nlopt_force_stop(context.search);
    return HUGE_VAL;
  }
}

}  // namespace

bool minimise(const std::function<double(const Eigen::VectorXd&)>& function, Eigen::VectorXd& point,
              const MinimumSearch& search) {
  const auto count = static_cast<unsigned>(point.size());
  DISTAL_ASSERT(count > 0 && point.minCoeff() >= 0.0 && point.maxCoeff() <= 1.0);
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> owner(
      nlopt_create(count > 1 ? NLOPT_LN_BOBYQA : NLOPT_LN_COBYLA, count), &nlopt_destroy);
  SearchContext context{function, owner.get(), nullptr};
  nlopt_set_min_objective(owner.get(), call_function, &context);
  nlopt_set_lower_bounds1(owner.get(), 0.0);
  nlopt_set_upper_bounds1(owner.get(), 1.0);
  nlopt_set_initial_step1(owner.get(), search.first_step);
  nlopt_set_xtol_abs1(owner.get(), search.tolerance);
  nlopt_set_maxeval(owner.get(), search.most_evaluations);
  double value = 0.0;
  const nlopt_result result = nlopt_optimize(owner.get(), point.data(), &value);
  if (context.thrown) std::rethrow_exception(context.thrown);
  point = point.cwiseMax(0.0).cwiseMin(1.0);
  // Rounding stops a search that has nothing left to gain.
  return (result > 0 && result != NLOPT_MAXEVAL_REACHED) || result == NLOPT_ROUNDOFF_LIMITED;
}

}  // namespace distal
