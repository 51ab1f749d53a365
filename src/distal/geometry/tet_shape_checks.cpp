#include "distal/geometry/tet_shape_checks.hpp"

#include <fmt/format.h>

#include "distal/core/error.hpp"

namespace distal {

void check_size(const char* name, double value) {
  if (std::isfinite(value) && value > 0.0) return;
  throw InputError(fmt::format("{} = {} of a tetrahedral mesh: must be a finite number above 0", name, value));
}

void check_cell_count(double cells, double edge_m) {
  if (cells <= most_shape_cells) return;
  throw InputError(fmt::format(
      "edge_m = {:g} of a tetrahedral mesh: makes {:.3g} tetrahedra of this shape, at most {:.3g} are allowed; take a "
      "longer edge",
      edge_m, cells, most_shape_cells));
}

}  // namespace distal
