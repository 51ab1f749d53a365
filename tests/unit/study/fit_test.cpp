#include "distal/study/fit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "distal/core/error.hpp"
#include "distal/math/counter_random.hpp"
#include "distal/study/minimise.hpp"
#include "distal/study/monotone_curve.hpp"
#include "distal/study/tensile_test.hpp"

namespace distal {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr const char* kText = R"([material.rubber]
youngs_modulus_pa = 30000.0
poissons_ratio = 0.49
[body.block]
type = "block"
material = "rubber"
)";

Scene test_scene() { return parse_scene(kText, "scene.toml"); }

FitOptions text_options() {
  FitOptions options;
  options.scene_text = kText;
  options.surface = 5;
  return options;
}

ElasticModuli moduli(double youngs_pa, double poisson) {
  MaterialDescription material;
  material.youngs_modulus_pa = youngs_pa;
  material.poissons_ratio = poisson;
  return complete_moduli(material, "test");
}

// A pull to 60 %, with noise of 1 % of the largest stress.
std::string pulled(double youngs_pa, double noise, int points = 25) {
  const std::uint64_t key = random_key(5, "pull");
  const double largest = compute_uniaxial_stress(moduli(youngs_pa, 0.49), 1.6).nominal_pa;
  std::string text = "Strain,Stress (kPa)\n";
  for (int i = 1; i <= points; ++i) {
    const double strain = 0.6 * i / points;
    const double stress = compute_uniaxial_stress(moduli(youngs_pa, 0.49), 1.0 + strain).nominal_pa +
                          noise * largest * random_normal(key, static_cast<std::uint64_t>(i), 0);
    text += fmt::format("{},{}\n", strain, 1e-3 * stress);
  }
  return text;
}

FitResult fit_pull(const std::string& text, const std::vector<std::string>& keys, MeasurementOptions wanted = {}) {
  const Scene scene = test_scene();
  std::vector<FitParameter> parameters;
  for (const std::string& key : keys) parameters.push_back(parse_fit_parameter(scene, key));
  wanted.material = "rubber";
  const LabTable table(text, "pull.csv");
  const auto measurement = make_measurement(scene, LabData(table, {}), wanted);
  return fit(scene, *measurement, parameters, text_options());
}

TEST(Fit, finds_the_modulus_of_a_pulled_bar) {
  const FitResult result = fit_pull(pulled(57600.0, 0.01), {"material.rubber.youngs_modulus_pa"});
  const FittedParameter& modulus = result.parameters.at(0);
  EXPECT_LE(modulus.low, 57600.0);
  EXPECT_GE(modulus.high, 57600.0);
  EXPECT_LT(modulus.high / modulus.low, 1.02);
  EXPECT_NEAR(result.rmse, 0.01, 0.004);
  EXPECT_EQ(modulus.start, 30000.0);
  EXPECT_THAT(result.notes, IsEmpty());
  ASSERT_EQ(result.surfaces.size(), 1u);
  EXPECT_EQ(result.surfaces[0].first_values.front(), 3000.0);
  EXPECT_EQ(result.surfaces[0].first_values.back(), 300000.0);
}

TEST(Fit, without_noise_the_truth_is_found_exactly) {
  const FitResult result = fit_pull(pulled(57600.0, 0.0), {"material.rubber.youngs_modulus_pa"});
  EXPECT_NEAR(result.parameters[0].value, 57600.0, 0.6);
}

TEST(Fit, a_wrong_model_is_noticed) {
  std::string line = "Strain,Stress (kPa)\n";  // Hooke's, which no neo-Hookean bar follows
  for (int i = 1; i <= 25; ++i) line += fmt::format("{},{}\n", 0.04 * i, 2.0 * i);
  EXPECT_THAT(fit_pull(line, {"material.rubber.youngs_modulus_pa"}).notes, Contains(HasSubstr("are not random")));
}

TEST(Fit, what_the_data_do_not_tell_is_said) {
  const std::vector<std::string> both = {"material.rubber.youngs_modulus_pa",
                                         "material.rubber.poissons_ratio=0.45:0.499"};
  EXPECT_THAT(fit_pull(pulled(57600.0, 0.01), both).notes,
              Contains(HasSubstr("material.rubber.poissons_ratio is not determined")));
  const FitResult none =
      fit_pull(pulled(57600.0, 0.01), {"material.rubber.youngs_modulus_pa", "material.rubber.damping_ratio=0.1:1"});
  EXPECT_FALSE(none.parameters[1].determined);
  EXPECT_TRUE(none.parameters[0].determined);
  EXPECT_THAT(fit_pull(pulled(57600.0, 0.01), {"material.rubber.youngs_modulus_pa=1e3:4e4"}).notes,
              Contains(HasSubstr("ends at its bound")));
}

TEST(Fit, a_range_leaves_points_out) {
  MeasurementOptions half;
  half.high = 0.3;
  const FitResult result = fit_pull(pulled(57600.0, 0.01), {"material.rubber.youngs_modulus_pa"}, half);
  EXPECT_EQ(result.observations.size(), 12u);
}

TEST(Fit, bad_input_is_refused) {
  const Scene scene = test_scene();
  const auto refuses = [&](const std::string& key, const std::string& words) {
    EXPECT_THAT([&] { parse_fit_parameter(scene, key); }, ThrowsMessage<InputError>(HasSubstr(words))) << key;
  };
  refuses("material.rubber.youngs_modulus", "did you mean \"material.rubber.youngs_modulus_pa\"");
  refuses("material.rubbr.youngs_modulus_pa", "did you mean \"material.rubber.youngs_modulus_pa\"");
  refuses("run.seed", "no single real number");
  refuses("body.block.size_m", "no single real number");
  refuses("material.rubber.shear_modulus_pa", "give bounds");
  refuses("material.rubber.youngs_modulus_pa=2:1", "is not below");
  refuses("material.rubber.youngs_modulus_pa=1", "expected key=low:high");
  refuses("material.rubber.youngs_modulus_pa=a:1", "is no finite number");
  refuses("material.rubber.poissons_ratio=0.1:0.7", "the bound 0.7 is not allowed there: [0, 0.499]");
  EXPECT_THAT([] { fit_pull(pulled(5e4, 0.0, 1), {"material.rubber.youngs_modulus_pa"}); },
              ThrowsMessage<InputError>(HasSubstr("1 measured points for 1 parameters: at least 2")));
  EXPECT_THAT([] { fit_pull("Strain,Load (N)\n1,2\n", {"material.rubber.youngs_modulus_pa"}); },
              ThrowsMessage<InputError>(HasSubstr("this one has none")));
  EXPECT_THAT([] { fit_pull("Strain,Stress (Pa)\n-1.5,2\n1,2\n", {"material.rubber.youngs_modulus_pa"}); },
              ThrowsMessage<InputError>(HasSubstr("inside out")));
}

TEST(Fit, bounds_are_the_scenes_value_a_tenth_and_tenfold_as_far_as_allowed) {
  const FitParameter modulus = parse_fit_parameter(test_scene(), "material.rubber.youngs_modulus_pa");
  EXPECT_DOUBLE_EQ(modulus.low, 3000.0);
  EXPECT_DOUBLE_EQ(modulus.high, 300000.0);
  EXPECT_NEAR(modulus.value_at(0.5), 30000.0, 1e-9);
  EXPECT_NEAR(modulus.share_of(30000.0), 0.5, 1e-12);
  EXPECT_EQ(parse_fit_parameter(test_scene(), "material.rubber.poissons_ratio").high, 0.499);
}

TEST(Fit, json_and_table_hold_the_result) {
  const FitResult result = fit_pull(pulled(57600.0, 0.01), {"material.rubber.youngs_modulus_pa"});
  const auto json = nlohmann::json::parse(fit_json(result));
  EXPECT_EQ(json["parameters"][0]["value"].get<double>(), result.parameters[0].value);
  EXPECT_EQ(json["points"], 25);
  EXPECT_THAT(fit_table_csv(result), HasSubstr("stress_pa,,strain,0.6,"));
  EXPECT_THAT(fit_page_html("A & B", result), HasSubstr("<h1>Fit: A &amp; B</h1>"));
}

TEST(TensileTest, has_the_youngs_modulus_and_the_limits_of_the_closed_forms) {
  const ElasticModuli soft = moduli(1e5, 0.3);
  EXPECT_NEAR(compute_uniaxial_stress(soft, 1.0 + 1e-6).nominal_pa / 1e-6, 1e5, 1.0);
  EXPECT_EQ(compute_uniaxial_stress(soft, 1.0).nominal_pa, 0.0);
  EXPECT_LT(compute_uniaxial_stress(soft, 0.5).nominal_pa, 0.0);
  // Nearly incompressible: mu (L - 1/L^2), to the share that 1 - 2 nu makes.
  const ElasticModuli hard = moduli(1e5, 0.499);
  for (const double stretch : {0.4, 1.5, 3.0}) {
    const UniaxialStress stress = compute_uniaxial_stress(hard, stretch);
    const double expected = hard.shear_pa * (stretch - 1.0 / (stretch * stretch));
    EXPECT_NEAR(stress.nominal_pa / expected, 1.0, 0.01) << stretch;
    EXPECT_NEAR(stress.true_pa / stress.nominal_pa / stretch, 1.0, 0.01) << stretch;
  }
}

TEST(Minimise, finds_the_lowest_place_of_one_and_of_three_numbers) {
  Eigen::VectorXd one = Eigen::VectorXd::Constant(1, 0.9);
  EXPECT_TRUE(minimise([](const Eigen::VectorXd& x) { return std::pow(x[0] - 0.31, 2); }, one, {}));
  EXPECT_NEAR(one[0], 0.31, 1e-3);
  Eigen::VectorXd three = Eigen::VectorXd::Constant(3, 0.5);
  const Eigen::Vector3d place(0.2, 0.8, 0.0);
  EXPECT_TRUE(minimise(
      [&](const Eigen::VectorXd& x) { return (x - place).squaredNorm() + (x[0] - 0.2) * (x[1] - 0.8); }, three, {}));
  EXPECT_LT((three - place).norm(), 1e-3);
}

TEST(Minimise, passes_an_exception_on) {
  Eigen::VectorXd point = Eigen::VectorXd::Constant(2, 0.5);
  EXPECT_THROW(minimise([](const Eigen::VectorXd&) -> double { throw RunFailure("stop"); }, point, {}), RunFailure);
}

TEST(MonotoneCurve, meets_its_points_and_stays_between_them) {
  const MonotoneCurve curve({0.0, 1.0, 2.0, 4.0}, {0.0, 0.0, 3.0, 3.5});
  for (const auto& [x, y] : {std::pair{0.0, 0.0}, {1.0, 0.0}, {2.0, 3.0}, {4.0, 3.5}, {9.0, 3.5}, {-1.0, 0.0}})
    EXPECT_DOUBLE_EQ(curve.at(x), y);
  for (double x = 0.0; x < 4.0; x += 0.01) {
    EXPECT_LE(curve.at(x), curve.at(x + 0.01) + 1e-12) << x;
    if (x < 1.0) { EXPECT_EQ(curve.at(x), 0.0); }
  }
}

// A force that grows like depth to the 1.5, from as many points as a fit drives to: within a thousandth of
// the largest.
TEST(MonotoneCurve, follows_a_press_curve) {
  std::vector<double> x, y;
  for (int i = 0; i <= 24; ++i) x.push_back(i / 24.0), y.push_back(std::pow(i / 24.0, 1.5));
  const MonotoneCurve curve(x, y);
  for (double at = 0.0; at <= 1.0; at += 0.013) EXPECT_NEAR(curve.at(at), std::pow(at, 1.5), 1e-3) << at;
}

}  // namespace
}  // namespace distal
