#include "distal/scenario/scene_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"
#include "distal/scenario/fields.hpp"
#include "distal/scenario/value.hpp"

namespace distal {
namespace {

// The fields of a table that are single real numbers.
class NumberFields final : public FieldVisitor {
 public:
  void number(const Field& field, double&) override { fields.push_back(field); }
  void integer(const Field&, std::int64_t&) override {}
  void boolean(const Field&, bool&) override {}
  void text(const Field&, std::string&) override {}
  void choice(const Field&, Names, int&) override {}
  void numbers(const Field&, std::span<double>) override {}
  void list(const Field&, std::vector<double>&) override {}
  void points(const Field&, std::vector<Vec3>&) override {}
  void two_names(const Field&, std::string&, std::string&) override {}

  std::vector<Field> fields;
};

void add_numbers_of(const Section& section, const std::string& path, const Value& table,
                    std::vector<SceneNumber>& numbers) {
  const Value* type = table.find("type");
  for (const SectionKind& kind : section.kinds) {
    if (!kind.type.empty() && (type == nullptr || type->text != kind.type)) continue;
    NumberFields visitor;
    kind.visit_defaults(visitor);
    for (const Field& field : visitor.fields) {
      const Value* value = table.find(field.key);
      numbers.push_back({fmt::format("{}.{}", path, field.key), path, std::string(field.key), std::string(field.unit),
                         value == nullptr ? NAN : value->number, field.range});
    }
  }
}

// The resolved scene has every table and every value that there is.
std::vector<SceneNumber> all_numbers(const Scene& scene) {
  const Value root = parse_toml(scene.resolved_toml, scene.file.string());
  std::vector<SceneNumber> numbers;
  for (const Section& section : scene_sections()) {
    const std::string name(section.name);
    const Value* table = root.find(name);
    if (table == nullptr) continue;
    if (!section.named) add_numbers_of(section, name, *table, numbers);
    if (section.named)
      for (const auto& [member, value] : table->members) add_numbers_of(section, name + "." + member, value, numbers);
  }
  return numbers;
}

}  // namespace

SceneNumber find_scene_number(const Scene& scene, const std::string& key) {
  const std::vector<SceneNumber> numbers = all_numbers(scene);
  std::vector<std::string_view> names, neighbours;
  const std::string_view table = std::string_view(key).substr(0, key.rfind('.'));
  for (const SceneNumber& number : numbers) {
    if (number.key == key) return number;
    names.push_back(number.key);
    if (number.section == table) neighbours.push_back(number.name);
  }
  throw InputError(
      fmt::format("{}: the scene has no single real number there{}{}", key, suggestion(key, names),
                  neighbours.empty() ? "" : fmt::format("; numbers of {}: {}", table, joined(neighbours))));
}

}  // namespace distal
