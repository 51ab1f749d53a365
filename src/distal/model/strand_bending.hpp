// Bending stiffness of a strand of neo-Hookean tetrahedra, and the share of mu/2 I1 at its vertices that makes it the
// beam's (docs/models/strand.md).
#pragma once
#include <memory>

#include "distal/geometry/strand_section.hpp"
#include "distal/model/lattice.hpp"

namespace distal {

// Of an endless, straight strand, for small curvatures; exact for its mesh, the mean of both planes [N m^2].
class StrandBending {
 public:
  StrandBending(const StrandSection& section, double spacing_m, const ElasticModuli& moduli);
  ~StrandBending();
  StrandBending(const StrandBending&) = delete;
  StrandBending& operator=(const StrandBending&) = delete;

  double stiffness_n_m2(double vertex_share) const;
  double torsion_n_m2(double vertex_share) const;  // torque over twist per length
  // The share with the wanted stiffness, or the nearest that is allowed.
  double find_vertex_share(double stiffness_n_m2) const;

 private:
  struct Matrices;
  std::unique_ptr<Matrices> matrices_;
};

// What is left at the edges keeps motions that change sign from cell to cell from being free.
inline constexpr double kMostVertexShare = 0.6, kLeastVertexShare = -3.0;

}  // namespace distal
