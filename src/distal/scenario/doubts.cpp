#include "distal/scenario/doubts.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

// Distal's things fit in a hand: nobody means a soft block of 50 metres, and nobody a rubber of 57.6 pascals.
constexpr double kLargestLength_m = 1.0;
constexpr double kLeastModulus_pa = 500.0;
constexpr double kLeastDensity_kg_m3 = 10.0;

class DoubtFinder final : public FieldVisitor {
 public:
  DoubtFinder(std::string_view section, std::string_view name, std::vector<std::string>& doubts)
      : section_(section), name_(name), doubts_(doubts) {}

  void number(const Field& field, double& value) override {
    const bool length = field.unit == "m" && field.range.low >= 0.0;
    if (length && value > kLargestLength_m && std::isfinite(value))
      doubt(field, value, fmt::format("lengths are in metres, {0:g} mm are {1:g}", value, 1e-3 * value));
    if (field.unit == "Pa" && value < kLeastModulus_pa)
      doubt(field, value, fmt::format("moduli are in pascals, {0:g} kPa are {1:g}", value, 1e3 * value));
    if (field.unit == "kg/m^3" && value < kLeastDensity_kg_m3)
      doubt(field, value, fmt::format("water has 1000 kg/m^3, {0:g} g/cm^3 are {1:g}", value, 1e3 * value));
  }
  void numbers(const Field& field, std::span<double> values) override {
    if (!values.empty()) number(field, *std::max_element(values.begin(), values.end()));
  }
  void integer(const Field&, std::int64_t&) override {}
  void boolean(const Field&, bool&) override {}
  void text(const Field&, std::string&) override {}
  void choice(const Field&, Names, int&) override {}
  void list(const Field&, std::vector<double>&) override {}
  void points(const Field&, std::vector<Vec3>&) override {}
  void two_names(const Field&, std::string&, std::string&) override {}

 private:
  void doubt(const Field& field, double value, const std::string& meant) {
    doubts_.push_back(fmt::format("{}.{}.{} = {:g}: is that meant? {}", section_, name_, field.key, value, meant));
  }
  std::string_view section_, name_;
  std::vector<std::string>& doubts_;
};

}  // namespace

std::vector<std::string> find_doubts(const Scene& scene) {
  std::vector<std::string> doubts;
  ModelDescription model = scene.model;
  for (auto& [name, material] : model.materials) {
    DoubtFinder finder("material", name, doubts);
    visit_fields(finder, material);
  }
  for (auto& [name, description] : model.bodies) {
    DoubtFinder finder("body", name, doubts);
    std::visit([&](auto& body) { visit_fields(finder, body); }, description);
  }
  return doubts;
}

}  // namespace distal
