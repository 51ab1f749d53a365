// Vector loops of an implicit step over particles in double precision, compiled once per instruction set (Highway).
// Ranges begin on whole cache lines; what does not move has an inverse mass of 0 and stays as it is.
#pragma once
#include <cstddef>

#include "distal/math/vec3_array.hpp"

namespace distal::implicit {

using Array = Vec3Array;

// trial_v = v + theta u, trial_x = x + way trial_v. Returns the largest square of what a particle moved by it.
double set_trial(const double* inverse_mass, const Array& x, const Array& v, const Array& u, double theta, double way,
                 Array& trial_x, Array& trial_v, std::size_t begin, std::size_t end);
// r = h (f + m g) - m u. Returns |r|^2.
double find_residual(const double* inverse_mass, const double* mass, const Array& f, const Vec3& g, const Array& u,
                     double h, Array& r, std::size_t begin, std::size_t end);
// x += h (v + theta u), v += u. Returns the largest square of v + theta u.
double take(const double* inverse_mass, const Array& u, double theta, double h, Array& x, Array& v, std::size_t begin,
            std::size_t end);
// The sum of -r.w - share m u.u over what moves.
double sum_made(const double* inverse_mass, const double* mass, const Array& r, const Array& w, const Array& u,
                double share, std::size_t begin, std::size_t end);
double dot(const BasicVec3Array<float>& a, const Array& b, std::size_t begin, std::size_t end);
// sum += share in
void add_share(double share, const BasicVec3Array<float>& in, Array& sum, std::size_t begin, std::size_t end);

}  // namespace distal::implicit
