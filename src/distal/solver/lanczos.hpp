// Both ends of the spectrum of a symmetric operator, from products with it alone (Lanczos, without reorthogonalisation:
// copies of converged values may appear inside the spectrum, its ends stay right).
#pragma once
#include <functional>
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
                                const std::vector<double>& start, int most_products, double tolerance, bool need_smallest,
                                bool need_vector);

}  // namespace distal
