#include "distal/scenario/dependent_defaults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"
#include "distal/model/expand_hands.hpp"
#include "distal/model/material_presets.hpp"
#include "distal/scenario/moved_body.hpp"

namespace distal {

void settle_friction(const Value* table, ContactDescription& contact) {
  const Value* fixed = table != nullptr ? table->find("static_friction") : nullptr;
  if (fixed == nullptr) return;
  const Value* sliding = table->find("dynamic_friction");
  if (sliding != nullptr && (sliding->from_override || !fixed->from_override)) return;
  contact.dynamic_friction = std::isinf(contact.static_friction)
                                 ? contact.static_friction
                                 : std::min(contact.dynamic_friction, contact.static_friction);
}

void settle_preset(const Value& table, const std::string& path, MaterialDescription& material, Problems& problems) {
  if (material.preset.empty()) return;
  const Value& given = *table.find("preset");
  const MaterialPreset* preset = find_material_preset(material.preset);
  if (preset == nullptr) {
    std::vector<std::string_view> names;
    for (const MaterialPreset& known : material_presets()) names.push_back(known.name);
    return problems.add(given.place, path + ".preset",
                        fmt::format("found \"{}\"{}; known: {}", material.preset, suggestion(material.preset, names),
                                    fmt::join(names, ", ")));
  }
  const auto has = [&](const char* key) {
    const Value* value = table.find(key);
    return value != nullptr && (value->from_override || !given.from_override);
  };
  const bool has_e = has("youngs_modulus_pa"), has_nu = has("poissons_ratio"), has_g = has("shear_modulus_pa");
  if (!has("density_kg_m3")) material.density_kg_m3 = preset->density_kg_m3;
  if (!has_g) material.shear_modulus_pa = kNotGiven;
  // Two of the three moduli, and the given ones first.
  if (!has_e) material.youngs_modulus_pa = has_g ? kNotGiven : preset->youngs_modulus_pa;
  if (!has_nu) material.poissons_ratio = has_e && has_g ? kNotGiven : preset->poissons_ratio;
}

void settle_damping(const Value& table, MaterialDescription& material) {
  const Value* time = table.find("relaxation_time_s");
  const Value* ratio = table.find("damping_ratio");
  if (time == nullptr || ratio == nullptr || time->from_override == ratio->from_override) return;
  (time->from_override ? material.damping_ratio : material.relaxation_time_s) = kNotGiven;
}

void settle_mount(const Value& root, Scene& scene) {
  if (!scene.motion) return;
  for (auto& [name, body] : scene.model.bodies) {
    if (name != scene.motion->body) continue;
    const Value& table = *root.find("body")->find(name);
    const bool pushed = !scene.motion->forces_n.empty();
    auto* rigid = std::get_if<RigidDescription>(&body);
    if (rigid != nullptr && pushed && table.find("guide_axis") == nullptr)
      rigid->guide_axis = scene.motion->direction.normalized();
    if (table.find("mount") != nullptr) continue;
    if (auto* fingertip = std::get_if<FingertipDescription>(&body)) fingertip->mount = Mount::driven;
    if (rigid != nullptr) rigid->mount = pushed ? Mount::guided : Mount::driven;
  }
}

void settle_gravity(const Value& table, const Vec3& scene_gravity_m_s2, Vec3& gravity_m_s2) {
  if (table.find("gravity_m_s2") == nullptr) gravity_m_s2 = scene_gravity_m_s2;
}

void settle_moved_bodies(const Value& root, Scene& scene, PlacedProblems& problems) {
  if (scene.controllers.empty() && scene.squeezes.empty()) return;
  const ModelDescription model = expand_hands(scene.model);
  const auto settle = [&](const std::string& name, WrenchControlDescription& controller) {
    const Value& table = *root.find("controller")->find(name);
    const auto given = [&](const char* key) { return table.find(key) != nullptr; };
    try {
      const std::optional<MovedBody> body = find_moved_body(model, controller.body);
      if (!body) return;
      if (!given("moving_mass_kg")) controller.moving_mass_kg = body->mass_kg;
      if (!given("centre_of_mass_m")) controller.centre_of_mass_m = body->centre_of_mass_m;
      if (!given("gyration_radii_m")) controller.gyration_radii_m = body->gyration_radii_m;
    } catch (const InputError& error) { problems.add(error); }
  };
  for (auto& [name, controller] : scene.controllers) settle(name, controller);
  for (auto& [name, squeeze] : scene.squeezes) settle(name, squeeze);
}

void settle_files(Scene& scene) {
  const auto make_absolute = [&](std::string& file) {
    file = std::filesystem::absolute(scene.file.parent_path() / file).lexically_normal().string();
  };
  for (auto& [name, body] : scene.model.bodies) {
    std::string* file = nullptr;
    if (auto* fingertip = std::get_if<FingertipDescription>(&body)) file = &fingertip->file;
    if (auto* tet = std::get_if<TetDescription>(&body)) file = &tet->file;
    if (auto* rigid = std::get_if<RigidDescription>(&body)) file = &rigid->file;
    if (auto* hand = std::get_if<HandDescription>(&body)) file = &hand->file;
    if (file == nullptr || file->empty()) continue;
    make_absolute(*file);
  }
  for (auto& [name, part] : scene.model.parts)
    if (!part.file.empty()) make_absolute(part.file);
  for (auto& [name, path] : scene.model.joint_paths)
    if (!path.file.empty()) make_absolute(path.file);
  for (auto& [name, device] : scene.devices)
    if (!device.file.empty()) make_absolute(device.file);
  for (auto& [name, sensor] : scene.sensors)
    if (auto* points = std::get_if<PointsDescription>(&sensor); points != nullptr && !points->measured_file.empty())
      make_absolute(points->measured_file);
}

}  // namespace distal
