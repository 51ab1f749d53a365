#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "distal/scenario/fields.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {
namespace {

using nlohmann::json;

// The JSON Schema of one table, from its field table.
class SchemaBuilder final : public FieldVisitor {
 public:
  void number(const Field& field, double& value) override {
    json schema = number_schema(field);
    if (!field.word.empty()) schema = {{"anyOf", json::array({schema, {{"const", field.word}}})}};
    if (std::isfinite(value)) schema["default"] = value;
    add(field, std::move(schema));
  }
  void integer(const Field& field, std::int64_t& value) override {
    json schema = {{"type", "integer"}, {"default", value}};
    schema["minimum"] = static_cast<std::int64_t>(field.range.low);
    schema["maximum"] = static_cast<std::int64_t>(field.range.high);
    add(field, std::move(schema));
  }
  void boolean(const Field& field, bool& value) override { add(field, {{"type", "boolean"}, {"default", value}}); }
  void text(const Field& field, std::string& value) override {
    json schema = {{"type", "string"}};
    if (!field.required) schema["default"] = value;
    add(field, std::move(schema));
  }
  void choice(const Field& field, Names names, int& value) override {
    json allowed = json::array();
    for (const std::string_view name : names) {
      if (!name.empty()) allowed.push_back(name);
    }
    add(field, {{"enum", allowed}, {"default", names[static_cast<std::size_t>(value)]}});
  }
  void numbers(const Field& field, std::span<double> values) override {
    add(field, {{"type", "array"},
                {"items", number_schema(field)},
                {"minItems", values.size()},
                {"maxItems", values.size()},
                {"default", values}});
  }
  void list(const Field& field, std::vector<double>& values) override {
    json schema = {{"type", "array"}, {"items", number_schema(field)}};
    if (field.required) {
      schema["minItems"] = 1;
    } else {
      schema["default"] = values;
    }
    add(field, std::move(schema));
  }
  void points(const Field& field, std::vector<Vec3>&) override {
    const json point = {{"type", "array"}, {"items", number_schema(field)}, {"minItems", 3}, {"maxItems", 3}};
    add(field, {{"type", "array"}, {"items", point}, {"minItems", 1}});
  }
  void two_names(const Field& field, std::string&, std::string&) override {
    add(field, {{"type", "array"}, {"items", {{"type", "string"}}}, {"minItems", 2}, {"maxItems", 2}});
  }

  json table(const SectionKind& kind) {
    if (!kind.type.empty()) {
      properties_["type"] = {{"const", kind.type}};
      required_.push_back("type");
    }
    kind.visit_defaults(*this);
    return {{"type", "object"}, {"properties", properties_}, {"required", required_}, {"additionalProperties", false}};
  }

 private:
  // JSON has no infinity: such a bound is left out.
  static json number_schema(const Field& field) {
    json schema = {{"type", "number"}};
    if (std::isfinite(field.range.low)) schema[field.range.low_open ? "exclusiveMinimum" : "minimum"] = field.range.low;
    if (std::isfinite(field.range.high)) {
      schema[field.range.high_open ? "exclusiveMaximum" : "maximum"] = field.range.high;
    }
    return schema;
  }
  void add(const Field& field, json schema) {
    schema["description"] = field.unit.empty() ? std::string(field.doc) : fmt::format("{} [{}]", field.doc, field.unit);
    if (field.required) required_.push_back(field.key);
    properties_[std::string(field.key)] = std::move(schema);
  }

  json properties_ = json::object();
  json required_ = json::array();
};

}  // namespace

json scene_schema() {
  json properties = json::object();
  for (const Section& section : scene_sections()) {
    json kinds = json::array();
    for (const SectionKind& kind : section.kinds) kinds.push_back(SchemaBuilder().table(kind));
    json table = kinds.size() == 1 ? kinds[0] : json{{"type", "object"}, {"oneOf", kinds}};
    if (section.named) {
      table = {{"type", "object"},
               {"propertyNames", {{"pattern", "^[A-Za-z0-9_-]{1,64}$"}}},
               {"additionalProperties", table}};
    }
    table["description"] = section.doc;
    properties[std::string(section.name)] = std::move(table);
  }
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "Distal scene"},
          {"type", "object"},
          {"properties", properties},
          {"required", json::array({"body"})},
          {"additionalProperties", false}};
}

}  // namespace distal
