// The friction ellipsoid f_x^2 + f_y^2 + (tau/e_n)^2 <= (mu P)^2 of paper 3 as the hull of u vertices (2), in the space
// (f_x, f_y, tau/e_n) where it is a ball. How far the hull is from it: docs/models/complementarity.md.
#pragma once
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

enum class ConeFit {
  inscribed,  // vertices on the ellipsoid, as printed: friction is never too strong, and weak between vertices
  balanced    // vertices moved outwards, so that the hull is as much too strong as too weak
};

struct FrictionCone {
  std::vector<Vec3> vertices;  // for a limit mu P of one; in opposite pairs, one half after the other
  double weakest = 1.0;        // least and greatest share of the true limit that the hull allows, over all directions
  double strongest = 1.0;
};

// `vertex_count` is even, at least 6, at most 400. They are spread by repulsion, always the same way; throws InputError
// otherwise.
FrictionCone make_friction_cone(int vertex_count, ConeFit fit);

// The wrench (f_x, f_y, tau) of a vertex at a contact with the eccentricity e_n [m].
inline Vec3 cone_wrench(const Vec3& vertex, double eccentricity_m) {
  return {vertex.x(), vertex.y(), eccentricity_m * vertex.z()};
}

// The share of the hull's limit that a load (f_x, f_y, tau/e_n) of unit mu P uses: 1 on its surface. Slow, for checks.
double find_hull_use(const FrictionCone& cone, const Vec3& load);

// Contacts with unknowns (P, f_x, f_y, tau) each, in this order, and velocities v = A r + b along the same four.
struct FrictionContact {
  double friction = 0.5;        // mu
  double eccentricity_m = 0.0;  // e_n; 0 is a point contact without friction about the normal
};

// Their complementarity problem (3) to (5): for each contact P, the weights of the vertices, lambda. Rows of `a` and
// `b` behind the contacts' are further unknowns x >= 0 against velocities >= 0: limits of joints. `m` and `q` have
// contacts * (vertices + 2) rows and one for each of those.
void build_friction_problem(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b,
                            const std::vector<FrictionContact>& contacts, const FrictionCone& cone, Eigen::MatrixXd& m,
                            Eigen::VectorXd& q);
// And back: the r that belongs to a solution z.
void read_friction_forces(const Eigen::Ref<const Eigen::VectorXd>& z, const std::vector<FrictionContact>& contacts,
                          const FrictionCone& cone, Eigen::VectorXd& r);

}  // namespace distal
