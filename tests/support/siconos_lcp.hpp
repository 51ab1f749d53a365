// Siconos' Lemke (Debian's libsiconos-numerics), an independent solver to compare with.
#pragma once
#include <Eigen/Core>

namespace distal {

class SiconosLemke {
 public:
  SiconosLemke();
  ~SiconosLemke();
  SiconosLemke(const SiconosLemke&) = delete;
  SiconosLemke& operator=(const SiconosLemke&) = delete;

  // True if it found a solution.
  bool solve(const Eigen::MatrixXd& m, const Eigen::VectorXd& q);
  const Eigen::VectorXd& z() const { return z_; }
  const Eigen::VectorXd& w() const { return w_; }

 private:
  void* options_;
  Eigen::VectorXd z_, w_;
};

}  // namespace distal
