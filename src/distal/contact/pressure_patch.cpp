#include "distal/contact/pressure_patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/core/error.hpp"
#include "distal/math/elliptic.hpp"

namespace distal {
namespace {

using std::numbers::pi;
using Pair = std::array<double, 2>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double axis_ratio(double a, double b) { return std::min(a, b) / std::max(a, b); }

// ---- Winkler: every column of the foundation stands alone ----

// The ellipse at a compression: free semi-axes sqrt(2 delta R), ended by the bound.
void set_winkler_ellipse(double foundation, const Pair& curvature, const Pair& bound, double delta,
                         PressurePatch& patch) {
  double rim_share = 0.0, growth = 0.0;  // mean of x^2/2R + y^2/2R'' over the patch; dlog(ab)/ddelta
  double mean_slope = 1.0;               // of the mean pressure with delta
  for (std::size_t i : {0, 1}) {
    const double free = curvature[i] > 0.0 ? std::sqrt(2.0 * delta / curvature[i]) : kInfinity;
    patch.bounded[i] = free >= bound[i];
    patch.semi_axes_m[i] = std::min(free, bound[i]);
    rim_share += patch.semi_axes_m[i] * patch.semi_axes_m[i] * curvature[i] / 8.0;
    if (!patch.bounded[i] && delta > 0.0) growth += 0.5 / delta, mean_slope -= 0.25;
  }
  const double area = pi * patch.semi_axes_m[0] * patch.semi_axes_m[1];
  patch.compression_m = delta;
  patch.load_n = foundation * area * (delta - rim_share);
  patch.stiffness_n_m = patch.load_n * growth + foundation * area * mean_slope;
}

// Integral of r p over the ellipse, over its load.
double winkler_arm(const PressurePatch& patch) {
  const std::size_t l = patch.semi_axes_m[0] >= patch.semi_axes_m[1] ? 0 : 1;  // the long axis
  const double a = patch.semi_axes_m[l], b = patch.semi_axes_m[1 - l];
  const EllipticIntegrals integrals = find_elliptic_integrals(b / a);
  const double e2 = (1.0 - b / a) * (1.0 + b / a);
  const double across = (integrals.k + integrals.d * (1.0 - 2.0 * e2)) / 3.0, along = integrals.e - across;
  const double fall = patch.drop_pa_m2[l] * a * a * along + patch.drop_pa_m2[1 - l] * b * b * across;
  return 4.0 * a * a * b * (patch.centre_pressure_pa * integrals.e / 3.0 - fall / 5.0) / patch.load_n;
}

PressurePatch find_winkler_patch(double foundation, const Pair& curvature, const Pair& bound, double load) {
  PressurePatch patch;
  const auto load_at = [&](double delta) {
    set_winkler_ellipse(foundation, curvature, bound, delta, patch);
    return patch.load_n;
  };
  // Piece by piece the load is a convex function of the compression: from above, Newton's steps do not overshoot.
  double delta = 1e-6;
  while (load_at(delta) < load) delta *= 2.0;
  for (int i = 0; i < 100; ++i) {
    const double step = (load_at(delta) - load) / patch.stiffness_n_m;
    delta -= step;
    if (!(std::abs(step) > 1e-15 * delta)) break;
  }
  load_at(delta);
  patch.load_n = load;
  patch.centre_pressure_pa = foundation * delta;
  for (std::size_t i : {0, 1}) patch.drop_pa_m2[i] = 0.5 * foundation * curvature[i];
  patch.friction_arm_m = winkler_arm(patch);
  return patch;
}

// ---- Hertz: a half-space under p0 sqrt(1 - x^2/a^2 - y^2/b^2) (Johnson 1985, 3.3 and 4.2) ----

// Curvature that the dome leaves along the semi-axis s, t across, times E*/p0.
double dome_curvature(double s, double t) {
  const EllipticIntegrals integrals = find_elliptic_integrals(axis_ratio(s, t));
  return 2.0 * (s >= t ? t / (s * s) * integrals.d : (integrals.k - integrals.d) / s);
}
// Compression at the centre times E*/p0.
double dome_depth(double a, double b) { return std::min(a, b) * find_elliptic_integrals(axis_ratio(a, b)).k; }

// Axis ratio t/s <= 1 of the free ellipse whose curvatures are in the given ratio, (along t) / (along s) >= 1.
double free_axis_ratio(double curvature_ratio) {
  double low = std::log(1e-12), high = 0.0;
  for (int i = 0; i < 200 && high - low > 1e-16; ++i) {
    const double middle = 0.5 * (low + high), ratio = std::exp(middle);
    const EllipticIntegrals integrals = find_elliptic_integrals(ratio);
    ((integrals.k - integrals.d) / (ratio * ratio * integrals.d) > curvature_ratio ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

// Load and compression of a dome on the ellipse (a, b) that meets the curvature along one axis.
struct Dome {
  double pressure, load, depth;
};
Dome make_dome(double modulus, double curvature, double along, double across) {
  const double pressure = modulus * curvature / dome_curvature(along, across);
  return {pressure, 2.0 / 3.0 * pi * pressure * along * across, pressure / modulus * dome_depth(along, across)};
}

void set_dome(const Dome& dome, const Pair& semi_axes, PressurePatch& patch) {
  patch.semi_axes_m = semi_axes;
  patch.dome_pa = dome.pressure;
  patch.compression_m = dome.depth;
}

// Free in both directions. False if the ellipse would reach beyond the bound.
bool set_free_hertz(double modulus, const Pair& curvature, const Pair& bound, PressurePatch& patch) {
  const std::size_t s = curvature[0] <= curvature[1] ? 0 : 1;  // the long axis lies where the curvature is small
  if (!(curvature[s] > 0.0)) return false;
  const double ratio = free_axis_ratio(curvature[1 - s] / curvature[s]);
  const double d = find_elliptic_integrals(ratio).d;
  Pair axes;
  axes[s] = std::cbrt(3.0 * patch.load_n * d / (pi * modulus * curvature[s]));
  axes[1 - s] = ratio * axes[s];
  if (axes[0] > bound[0] || axes[1] > bound[1]) return false;
  Dome dome = make_dome(modulus, curvature[s], axes[s], axes[1 - s]);
  set_dome(dome, axes, patch);
  patch.stiffness_n_m = 1.5 * patch.load_n / dome.depth;  // the load grows like depth to 3/2
  return true;
}

// Ended along one axis: the other grows until the dome's curvature across is the pair's. False if it too is ended.
bool set_half_bounded_hertz(double modulus, const Pair& curvature, const Pair& bound, std::size_t ended,
                            PressurePatch& patch) {
  const std::size_t f = 1 - ended;
  const auto dome_at = [&](double semi_axis) { return make_dome(modulus, curvature[f], semi_axis, bound[ended]); };
  if (!(curvature[f] > 0.0)) return false;
  if (std::isfinite(bound[f]) && dome_at(bound[f]).load < patch.load_n) return false;
  double low = std::log(1e-9 * bound[ended]), high = low;
  while (dome_at(std::exp(high)).load < patch.load_n) low = high, high += 1.0;
  for (int i = 0; i < 100 && high - low > 1e-16 * std::abs(high); ++i) {
    const double middle = 0.5 * (low + high);
    (dome_at(std::exp(middle)).load < patch.load_n ? low : high) = middle;
  }
  Pair axes;
  axes[ended] = bound[ended], axes[f] = std::exp(high);
  set_dome(dome_at(axes[f]), axes, patch);
  patch.bounded[ended] = true;
  const Dome less = dome_at(axes[f] * (1.0 - 1e-5)), more = dome_at(axes[f] * (1.0 + 1e-5));
  patch.stiffness_n_m = (more.load - less.load) / (more.depth - less.depth);
  return true;
}

// Ended along both: what the dome does not bear, a flat punch does.
void set_bounded_hertz(double modulus, const Pair& curvature, const Pair& bound, std::size_t last,
                       PressurePatch& patch) {
  Dome dome{0.0, 0.0, 0.0};
  if (curvature[last] > 0.0) dome = make_dome(modulus, curvature[last], bound[last], bound[1 - last]);
  set_dome(dome, bound, patch);
  const double k = find_elliptic_integrals(axis_ratio(bound[0], bound[1])).k;
  patch.stiffness_n_m = pi * std::max(bound[0], bound[1]) * modulus / k;
  patch.punch_pa = (patch.load_n - dome.load) / (2.0 * pi * bound[0] * bound[1]);
  patch.compression_m += (patch.load_n - dome.load) / patch.stiffness_n_m;
  patch.bounded = {true, true};
}

// Which axis a growing load ends first.
std::size_t first_ended(const Pair& curvature, const Pair& bound) {
  if (!(curvature[0] > 0.0 && curvature[1] > 0.0)) return curvature[0] <= curvature[1] ? 0 : 1;
  const std::size_t s = curvature[0] <= curvature[1] ? 0 : 1;
  const double ratio = free_axis_ratio(curvature[1 - s] / curvature[s]);
  return ratio * bound[s] <= bound[1 - s] ? s : 1 - s;
}

PressurePatch find_hertz_patch(double modulus, const Pair& curvature, const Pair& bound, double load) {
  PressurePatch patch;
  patch.model = PressureModel::hertz;
  patch.load_n = load;
  if (!set_free_hertz(modulus, curvature, bound, patch)) {
    const std::size_t ended = first_ended(curvature, bound);
    if (!set_half_bounded_hertz(modulus, curvature, bound, ended, patch))
      set_bounded_hertz(modulus, curvature, bound, 1 - ended, patch);
  }
  const auto [a, b] = patch.semi_axes_m;
  patch.centre_pressure_pa = patch.dome_pa + patch.punch_pa;
  // Integrals of r s and r / s over the ellipse.
  const double perimeter = 4.0 * std::max(a, b) * find_elliptic_integrals(axis_ratio(a, b)).e;
  patch.friction_arm_m = a * b * perimeter * pi * (patch.dome_pa / 16.0 + patch.punch_pa / 4.0) / load;
  return patch;
}

void check(const PressureLaw& law, const PatchGeometry& geometry, double load_n) {
  const bool winkler = law.model == PressureModel::winkler;
  const double modulus = winkler ? law.foundation_pa_m : law.contact_modulus_pa;
  if (!(modulus > 0.0 && std::isfinite(modulus)))
    throw InputError(
        fmt::format("{} = {} must be above 0", winkler ? "foundation_pa_m" : "contact_modulus_pa", modulus));
  if (!(load_n >= 0.0 && std::isfinite(load_n))) throw InputError(fmt::format("load_n = {} must be 0 or more", load_n));
  for (std::size_t i : {0, 1}) {
    if (!(geometry.bound_m[i] > 0.0))
      throw InputError(fmt::format("bound_m = {} must be above 0", geometry.bound_m[i]));
    if (!(geometry.curvature_per_m[i] > 0.0) && !std::isfinite(geometry.bound_m[i]))
      throw InputError(fmt::format("curvature_per_m = {}: a flat or conforming pair needs the bound of its overlap",
                                   geometry.curvature_per_m[i]));
  }
}

}  // namespace

double PressurePatch::pressure_pa(double x_m, double y_m) const {
  const auto [a, b] = semi_axes_m;
  const double inside = 1.0 - (x_m / a) * (x_m / a) - (y_m / b) * (y_m / b);
  if (!(inside > 0.0)) return 0.0;
  if (model == PressureModel::hertz) return dome_pa * std::sqrt(inside) + punch_pa / std::sqrt(inside);
  return centre_pressure_pa - drop_pa_m2[0] * x_m * x_m - drop_pa_m2[1] * y_m * y_m;
}

PressurePatch find_pressure_patch(const PressureLaw& law, const PatchGeometry& geometry, double load_n) {
  check(law, geometry, load_n);
  PressurePatch unloaded;
  unloaded.model = law.model;
  if (load_n == 0.0) return unloaded;
  // A conforming pair lies flat within its bound.
  Pair curvature = geometry.curvature_per_m;
  for (double& c : curvature) c = std::max(c, 0.0);
  return law.model == PressureModel::winkler
             ? find_winkler_patch(law.foundation_pa_m, curvature, geometry.bound_m, load_n)
             : find_hertz_patch(law.contact_modulus_pa, curvature, geometry.bound_m, load_n);
}

double eccentricity_m(const PressurePatch& patch, MomentForm form) {
  if (form == MomentForm::exact) return patch.friction_arm_m;
  const double mean_axis = std::sqrt(patch.semi_axes_m[0] * patch.semi_axes_m[1]);
  return (patch.model == PressureModel::winkler ? 8.0 / 15.0 : 3.0 * pi / 16.0) * mean_axis;
}

double max_friction_moment(const PressurePatch& patch, double friction, MomentForm form) {
  return friction * patch.load_n * eccentricity_m(patch, form);
}

std::array<double, 2> bound_of_rectangle(double half_x_m, double half_y_m) {
  const double scale = 2.0 / std::sqrt(pi);
  return {scale * half_x_m, scale * half_y_m};
}

}  // namespace distal
