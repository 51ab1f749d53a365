// The law of friction that every solver of contacts has to keep.
#pragma once
#include <gtest/gtest.h>

#include "support/lcp_problems.hpp"

namespace distal::test {

// The law itself: no pull, no sinking in, no friction beyond the ellipsoid, and slip against the wrench.
inline void expect_law(const RandomContacts& p, const Eigen::VectorXd& r, double tolerance) {
  const Eigen::VectorXd v = p.a * r + p.b;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(4 * i);
    const double e = p.contacts[i].eccentricity_m, limit = p.contacts[i].friction * r[first];
    EXPECT_GE(r[first], 0.0);
    EXPECT_GE(v[first], -tolerance);
    EXPECT_NEAR(r[first] * v[first], 0.0, tolerance);
    const Vec3 wrench(r[first + 1], r[first + 2], e > 0.0 ? r[first + 3] / e : 0.0);
    const Vec3 slip(v[first + 1], v[first + 2], e * v[first + 3]);
    EXPECT_LE(wrench.norm(), limit + tolerance);
    // The most work that friction can take from this slip.
    EXPECT_NEAR(wrench.dot(slip), -limit * slip.norm(), tolerance);
  }
}

}  // namespace distal::test
