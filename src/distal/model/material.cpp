#include <fmt/core.h>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/model/description.hpp"

namespace distal {

ElasticModuli complete_moduli(const MaterialDescription& m, const std::string& where) {
  const bool has_e = !std::isnan(m.youngs_modulus_pa), has_nu = !std::isnan(m.poissons_ratio),
             has_g = !std::isnan(m.shear_modulus_pa);
  if (has_e + has_nu + has_g < 2)
    throw InputError(fmt::format("{}: two of youngs_modulus_pa, poissons_ratio, shear_modulus_pa are needed, {} given",
                                 where, has_e + has_nu + has_g));
  ElasticModuli moduli{};
  if (has_e)
    moduli.youngs_pa = m.youngs_modulus_pa;
  else
    moduli.youngs_pa = 2.0 * m.shear_modulus_pa * (1.0 + m.poissons_ratio);
  moduli.poisson = has_nu ? m.poissons_ratio : moduli.youngs_pa / (2.0 * m.shear_modulus_pa) - 1.0;
  moduli.shear_pa = moduli.youngs_pa / (2.0 * (1.0 + moduli.poisson));
  if (!(moduli.poisson >= 0.0 && moduli.poisson <= 0.499))
    throw InputError(fmt::format("{}: Poisson's ratio {} is outside [0, 0.499]{}", where, moduli.poisson,
                                 has_nu ? "" : " (from E and G: nu = E/(2 G) - 1)"));
  // All three given: one per mille of play for rounded values.
  if (has_e && has_nu && has_g && std::abs(m.shear_modulus_pa / moduli.shear_pa - 1.0) > 1e-3)
    throw InputError(
        fmt::format("{}: shear_modulus_pa = {} disagrees with E = {} and nu = {}, which give {:.6g}; leave one out",
                    where, m.shear_modulus_pa, m.youngs_modulus_pa, m.poissons_ratio, moduli.shear_pa));
  moduli.lame_lambda_pa = moduli.youngs_pa * moduli.poisson / ((1.0 + moduli.poisson) * (1.0 - 2.0 * moduli.poisson));
  return moduli;
}

}  // namespace distal
