#include "distal/scenario/scene_text.hpp"

#include <fmt/format.h>

#include <variant>

#include "distal/scenario/field_printer.hpp"
#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

class TomlWriter final : public FieldPrinter {
 public:
  // Takes a copy: field tables visit by reference.
  template <class Description>
  void table(const std::string& header, Description description, std::string_view type = "") {
    text_ += fmt::format("{}[{}]\n", text_.empty() ? "" : "\n", header);
    if (!type.empty()) text_ += fmt::format("type = {}\n", toml_text(type));
    visit_fields(*this, description);
  }
  template <class Entries>
  void tables(const std::string& section, const Entries& entries, std::string_view type = "") {
    for (const auto& [name, description] : entries) table(fmt::format("{}.{}", section, name), description, type);
  }
  std::string take() { return std::move(text_); }

 private:
  void print(const Field& field, const std::string& value, const std::string&) override {
    text_ += value.empty() ? fmt::format("# {}: not given, {}\n", field.key, field.when_absent)
                           : fmt::format("{} = {}\n", field.key, value);
  }

  std::string text_;
};

}  // namespace

std::string write_scene(const Scene& scene) {
  const ModelDescription& model = scene.model;
  TomlWriter writer;
  writer.table("scene", model);
  writer.tables("material", model.materials);
  for (const auto& [name, body] : model.bodies) {
    const std::string header = "body." + name;
    std::visit([&](const auto& b) { writer.table(header, b, body_types()[body.index()]); }, body);
  }
  writer.table("contact", model.contact);
  writer.tables("pair", model.pairs);
  writer.tables("part", model.parts);
  for (const auto& [name, joint] : model.joints) {
    const std::string header = "joint." + name;
    std::visit([&](const auto& j) { writer.table(header, j, joint_types()[joint.index()]); }, joint);
  }
  writer.tables("joint_path", model.joint_paths);
  writer.tables("fix", model.fixes);
  writer.tables("load", model.loads);
  writer.tables("field", model.fields);
  writer.tables("field_value", model.field_values);
  writer.tables("controller", scene.controllers, controller_types()[0]);
  writer.tables("controller", scene.squeezes, controller_types()[1]);
  if (scene.motion) writer.table("motion", *scene.motion);
  for (const auto& [name, channel] : scene.channels)
    writer.table("channel." + name, channel, channel_types()[static_cast<std::size_t>(channel.signal)]);
  for (const auto& [name, device] : scene.devices)
    writer.table("device." + name, device, device_types()[static_cast<std::size_t>(device.kind)]);
  writer.table("integrator", model.integrator);
  writer.table("run", scene.run);
  writer.table("record", scene.record);
  writer.table("serve", scene.serve);
  for (const auto& [name, sensor] : scene.sensors) {
    const std::string header = "sensor." + name;
    std::visit([&](const auto& s) { writer.table(header, s, sensor_types()[sensor.index()]); }, sensor);
  }
  return writer.take();
}

}  // namespace distal
