#include "distal/study/tensile_test.hpp"

#include <fmt/format.h>

#include <cmath>

#include "distal/core/error.hpp"
#include "distal/study/measurement.hpp"

namespace distal {

UniaxialStress compute_uniaxial_stress(const ElasticModuli& moduli, double stretch) {
  DISTAL_ASSERT(stretch > 0.0);
  const double mu = moduli.shear_pa, lambda = moduli.lame_lambda_pa;
  // W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2. Free sides: mu (a^2 - 1) + lambda ln J = 0 with J = stretch a^2,
  // which rises with s = ln a. Newton's iteration from the small-strain answer.
  const double axial = std::log(stretch);
  double s = -moduli.poisson * axial;
  for (int i = 0; i < 100; ++i) {
    const double square = std::exp(2.0 * s);
    const double residual = mu * (square - 1.0) + lambda * (axial + 2.0 * s);
    const double change = residual / (2.0 * mu * square + 2.0 * lambda);
    s -= change;
    if (std::abs(change) < 1e-15) break;
  }
  const double nominal = (mu * (stretch * stretch - 1.0) + lambda * (axial + 2.0 * s)) / stretch;
  return {nominal, nominal * std::exp(-2.0 * s)};
}

namespace {

class TensileTest final : public Measurement {
 public:
  TensileTest(std::string material, bool is_true, const std::vector<double>& strain, const std::vector<double>& stress)
      : material_(std::move(material)), true_(is_true) {
    for (std::size_t i = 0; i < strain.size(); ++i) {
      const double stretch = true_ ? std::exp(strain[i]) : 1.0 + strain[i];
      if (!(stretch > 0.0))
        throw InputError(fmt::format("a strain of {} turns the bar inside out, allowed: above -1", strain[i]));
      stretch_.push_back(stretch);
      observations_.push_back(
          {true_ ? "true_stress_pa" : "stress_pa", true_ ? "true_strain" : "strain", strain[i], stress[i], 1.0});
    }
  }

  bool is_formula() const override { return true; }

  Prediction predict(const Scene& scene) const override {
    const ElasticModuli moduli = complete_moduli(scene.model.materials.at(material_), "material." + material_);
    Prediction prediction;
    for (const double stretch : stretch_) {
      const UniaxialStress stress = compute_uniaxial_stress(moduli, stretch);
      prediction.values.push_back(true_ ? stress.true_pa : stress.nominal_pa);
    }
    return prediction;
  }

 private:
  std::string material_;
  bool true_;
  std::vector<double> stretch_;
};

}  // namespace

std::unique_ptr<Measurement> make_tensile_test(const Scene& scene, const LabData& data,
                                               const MeasurementOptions& options) {
  const bool engineering = data.has("strain") && data.has("stress");
  if (!engineering && !(data.has("true_strain") && data.has("true_stress"))) return nullptr;
  if (!scene.model.materials.contains(options.material))
    throw InputError(
        "strain and stress are of a tensile test, which fits a material: --fit material.NAME.youngs_modulus_pa");
  const std::string prefix = engineering ? "" : "true_";
  return std::make_unique<TensileTest>(options.material, !engineering, data.values(prefix + "strain"),
                                       data.values(prefix + "stress"));
}

}  // namespace distal
