// The patch of a soft finger under load, after paper 3 (4.2 and appendix A): an ellipse with the pressure of a Winkler
// foundation or of Hertz, its compression, and the moment that friction can bear about the normal. Equations and
// limits: docs/models/soft_finger.md.
#pragma once
#include <array>
#include <limits>

namespace distal {

enum class PressureModel { winkler, hertz };

struct PressureLaw {
  PressureModel model = PressureModel::winkler;
  double foundation_pa_m = 1e8;     // Winkler: modulus over depth of the layer, K/h [Pa/m]
  double contact_modulus_pa = 1e6;  // Hertz: E*, 1/E* = (1 - nu1^2)/E1 + (1 - nu2^2)/E2 [Pa]
};

// The pair's shape at the contact, along the two axes for which the gap has no cross term (8).
struct PatchGeometry {
  std::array<double, 2> curvature_per_m = {0.0, 0.0};  // 1/R', 1/R''; flat and conforming pairs: zero or negative
  // Semi-axes of the ellipse to which the overlap of the two surfaces ends the patch [m].
  std::array<double, 2> bound_m = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
};

struct PressurePatch {
  PressureModel model = PressureModel::winkler;
  double load_n = 0.0;                             // P
  std::array<double, 2> semi_axes_m = {0.0, 0.0};  // a along the first axis, b along the second
  double compression_m = 0.0;                      // delta, at the centre
  double stiffness_n_m = 0.0;                      // dP/ddelta
  // In the middle: the peak, except for a Hertz patch that fills its bound, whose rim is singular like every punch's.
  double centre_pressure_pa = 0.0;
  double friction_arm_m = 0.0;                   // max(tau) / (mu P), exact
  std::array<bool, 2> bounded = {false, false};  // which semi-axes the overlap has ended

  // [Pa], along the two axes from the centre; zero outside.
  double pressure_pa(double x_m, double y_m) const;

  // What pressure_pa needs beside: Winkler's p = p0 - drop0 x^2 - drop1 y^2, Hertz' dome s and punch 1/s,
  // s^2 = 1 - x^2/a^2 - y^2/b^2.
  std::array<double, 2> drop_pa_m2 = {0.0, 0.0};
  double dome_pa = 0.0, punch_pa = 0.0;
};

// Throws InputError for a modulus that is not positive, a negative load, and a flat or conforming pair without bound.
PressurePatch find_pressure_patch(const PressureLaw& law, const PatchGeometry& geometry, double load_n);

enum class MomentForm {
  exact,   // by the complete elliptic integral
  printed  // (9) and (10): sqrt(ab) in place of the mean over the ellipse; right for a circle, too small otherwise
};

// Eccentricity e_n = max(tau) / max(f) of the friction ellipsoid (6) [m]; it does not depend on the friction
// coefficient.
double eccentricity_m(const PressurePatch& patch, MomentForm form = MomentForm::exact);
// max(tau) [N m].
double max_friction_moment(const PressurePatch& patch, double friction, MomentForm form = MomentForm::exact);

// The bound for a rectangular overlap: the ellipse of the same area and proportions.
std::array<double, 2> bound_of_rectangle(double half_x_m, double half_y_m);

}  // namespace distal
