#include <fmt/format.h>

#include "distal/scenario/field_printer.hpp"
#include "distal/scenario/fields.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {
namespace {

class Explainer final : public FieldPrinter {
 public:
  void start_table(const Section& section, const SectionKind& kind) {
    text_ += fmt::format("\n[{}{}]", section.name, section.named ? ".NAME" : "");
    if (!kind.type.empty()) text_ += fmt::format("  type = \"{}\"", kind.type);
    text_ += fmt::format("  # {}\n", section.doc);
  }
  std::string take() { return std::move(text_); }

 private:
  void print(const Field& field, const std::string& value, const std::string& allowed) override {
    const std::string absent = fmt::format("({})", field.when_absent);
    const std::string standard = field.required ? "(required)" : value.empty() ? absent : value;
    text_ += fmt::format("  {:<33} {:<31} {:<10} {:<28} {}\n", field.key, standard, field.unit, allowed, field.doc);
  }

  std::string text_ = fmt::format("  {:<33} {:<31} {:<10} {:<28} {}\n", "key", "default", "unit", "allowed", "meaning");
};

}  // namespace

std::string explain_scene_keys() {
  Explainer explainer;
  for (const Section& section : scene_sections()) {
    for (const SectionKind& kind : section.kinds) {
      explainer.start_table(section, kind);
      kind.visit_defaults(explainer);
    }
  }
  return explainer.take();
}

std::string starter_scene() {
  return R"([scene]
title = "Press a soft fingertip on a table"

[material.rubber]
density_kg_m3 = 500.0
youngs_modulus_pa = 3922.66
poissons_ratio = 0.4286

[body.finger]
type = "fingertip"
material = "rubber"
cell_size_m = 0.002
position_m = [0.0, 0.0, 0.0105]  # half a millimetre above the table
q_xyzw = [1.0, 0.0, 0.0, 0.0]    # pointing down

[body.table]
type = "plane"

[controller.press]
type = "adaptive_pid"
body = "finger"
)";
}

}  // namespace distal
