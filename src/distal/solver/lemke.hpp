// Linear complementarity: z >= 0, w = M z + q >= 0, w'z = 0, by Lemke's method with lexicographic pivoting, which
// cannot cycle. Dense, no allocation after construction. Method, scaling and limits: docs/models/complementarity.md.
#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace distal {

enum class LemkeStatus {
  solved,
  ray,             // no way on: no solution, or M is of a class for which the method promises none, or lost in rounding
  too_many_pivots  // given up
};

struct LemkeOptions {
  int pivots_per_variable = 50;  // give up beyond this
  bool warm = false;             // begin at the basis of the last solved problem, if it had the same size
  double tolerance = 1e-11;      // of w and z below zero, as a share of the largest |q|
};

struct LemkeResult {
  LemkeStatus status = LemkeStatus::solved;
  int pivots = 0;          // of the method, over all its starts
  int restore_pivots = 0;  // to bring the tableau to a known basis, when it was not the solution as it stood
  bool warm = false;       // the solution was reached from the last basis
  // Largest |min(|M| z_i, (M z + q)_i)| over the largest |q|, |M| the largest entry: 0 for an exact solution. Also for
  // a ray, where it says how much is missing.
  double residual = 0.0;
};

class Lemke {
 public:
  explicit Lemke(int most_variables);

  LemkeResult solve(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                    const LemkeOptions& options = {});

  // Of the last problem. z is never negative; w is M z + q.
  Eigen::Ref<const Eigen::VectorXd> z() const { return z_.head(n_); }
  Eigen::Ref<const Eigen::VectorXd> w() const { return w_.head(n_); }

 private:
  // Variables: i is w_i, n + i is z_i, 2 n the artificial one. In a problem that began at another basis w and z of that
  // basis are exchanged.
  using Row = Eigen::Map<Eigen::VectorXd>;
  double* row(int i) { return tableau_.data() + static_cast<std::ptrdiff_t>(i) * stride_; }
  double& at(int i, int column) { return row(i)[column]; }

  bool try_run(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q, bool from_basis,
               int attempt, LemkeResult& result);
  LemkeStatus run(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q,
                  bool from_basis, int attempt, LemkeResult& result);
  void fill(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q);
  bool restore_basis(LemkeResult& result);
  LemkeStatus pivot_to_end(int attempt, LemkeResult& result);
  int find_first_row();
  int find_leaving_row(int column);
  void thin_ties(int column);
  void pivot(int leaving_row, int entering_column);
  void read_basis();
  bool solve_basis(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q);
  bool factorise(const Eigen::Ref<const Eigen::MatrixXd>& m);
  void substitute(Eigen::VectorXd& x) const;
  void read_tableau(const Eigen::Ref<const Eigen::MatrixXd>& m, const Eigen::Ref<const Eigen::VectorXd>& q);
  double find_residual() const;

  int n_ = 0, stride_ = 0, most_pivots_ = 0;
  double q_scale_ = 1.0, m_scale_ = 1.0, tolerance_ = 0.0;
  std::vector<double> tableau_;                     // rows: basic = sum of entries times the others + last entry
  std::vector<int> basic_, other_;                  // variable of each row, and of each column
  std::vector<int> place_;                          // of each variable: its row, or -1 - its column
  std::vector<int> ties_;                           // rows that could leave
  std::vector<std::uint8_t> in_basis_, exchanged_;  // z_i is basic; it was when the problem began
  bool has_basis_ = false;
  int basis_size_ = 0;                // of the problem that in_basis_ solved
  std::vector<double> factor_;        // M restricted to the basis, factorised
  std::vector<int> members_, order_;  // its variables, its exchanged rows
  Eigen::VectorXd z_, w_, step_, rest_;
};

}  // namespace distal
