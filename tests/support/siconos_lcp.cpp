#include "support/siconos_lcp.hpp"

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include <cstdlib>

// Its solver_options_delete keeps the structure itself; freeing that here would be once too often where it does not.
extern "C" const char* __lsan_default_suppressions() { return "leak:libsiconos_numerics"; }

namespace distal {

SiconosLemke::SiconosLemke() : options_(solver_options_create(SICONOS_LCP_LEMKE)) {
  static_cast<SolverOptions*>(options_)->iparam[SICONOS_IPARAM_MAX_ITER] = 100000;
}

SiconosLemke::~SiconosLemke() { solver_options_delete(static_cast<SolverOptions*>(options_)); }

bool SiconosLemke::solve(const Eigen::MatrixXd& m, const Eigen::VectorXd& q) {
  const auto n = static_cast<int>(q.size());
  z_.setZero(n), w_.setZero(n);
  // It reads both and changes neither.
  NumericsMatrix* matrix = NM_create_from_data(NM_DENSE, n, n, const_cast<double*>(m.data()));
  LinearComplementarityProblem problem{};
  problem.size = n;
  problem.M = matrix;
  problem.q = const_cast<double*>(q.data());
  int info = -1;
  lcp_lexicolemke(&problem, z_.data(), w_.data(), &info, static_cast<SolverOptions*>(options_));
  matrix->matrix0 = nullptr;  // ours
  NM_clear(matrix);
  std::free(matrix);
  return info == 0;
}

}  // namespace distal
