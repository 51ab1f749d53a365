// Both ends of the spectrum of a symmetric operator, from products with it alone (Lanczos, without reorthogonalisation:
// copies of converged values may appear inside the spectrum, its ends stay right).
#pragma once
#include <functional>
#include <span>
#include <vector>

namespace distal {

struct SpectrumEnds {
  double smallest = 0.0, largest = 0.0;
  std::vector<double> largest_vector;  // filled on request
  int products = 0;
};

// apply(in, out): out = A in. `start` must not be zero. Stops when both wanted ends change by less than `tolerance`
// relative between checks, or after `most_products`.
SpectrumEnds find_spectrum_ends(const std::function<void(const std::vector<double>&, std::vector<double>&)>& apply,
                                const std::vector<double>& start, int most_products, double tolerance,
                                bool need_smallest, bool need_vector);

// Largest eigenvalue of a symmetric tridiagonal matrix (diagonal alpha, off-diagonal beta) by bisection; allocates
// nothing.
double largest_tridiagonal_eigenvalue(std::span<const double> alpha, std::span<const double> beta);

// The largest eigenvalue alone, from a fixed number of products, with memory that is kept between calls; the vectors
// are in single precision, which few products need no more than.
class LargestEigenvalue {
 public:
  LargestEigenvalue(std::size_t size, int products);
  std::vector<float>& start() { return current_; }  // to be filled before every find
  double find(const std::function<void(const std::vector<float>&, std::vector<float>&)>& apply);

 private:
  int products_;
  std::vector<float> previous_, current_, next_;
  std::vector<double> alpha_, beta_;
};

}  // namespace distal
