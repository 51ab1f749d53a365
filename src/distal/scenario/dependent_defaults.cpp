#include "distal/scenario/dependent_defaults.hpp"

#include <algorithm>
#include <cmath>

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

void settle_damping(const Value& table, MaterialDescription& material) {
  const Value* time = table.find("relaxation_time_s");
  const Value* ratio = table.find("damping_ratio");
  if (time == nullptr || ratio == nullptr || time->from_override == ratio->from_override) return;
  (time->from_override ? material.damping_ratio : material.relaxation_time_s) = kNotGiven;
}

void settle_mount(const Value& root, Scene& scene) {
  if (!scene.motion) return;
  for (auto& [name, body] : scene.model.bodies) {
    if (name != scene.motion->body || root.find("body")->find(name)->find("mount") != nullptr) continue;
    if (auto* fingertip = std::get_if<FingertipDescription>(&body)) fingertip->mount = Mount::driven;
    if (auto* rigid = std::get_if<RigidDescription>(&body)) rigid->mount = Mount::driven;
  }
}

void settle_gravity(const Value& table, const Vec3& scene_gravity_m_s2, Vec3& gravity_m_s2) {
  if (table.find("gravity_m_s2") == nullptr) gravity_m_s2 = scene_gravity_m_s2;
}

void settle_files(Scene& scene) {
  for (auto& [name, body] : scene.model.bodies) {
    std::string* file = nullptr;
    if (auto* fingertip = std::get_if<FingertipDescription>(&body)) file = &fingertip->file;
    if (auto* tet = std::get_if<TetDescription>(&body)) file = &tet->file;
    if (file == nullptr || file->empty()) continue;
    *file = std::filesystem::absolute(scene.file.parent_path() / *file).lexically_normal().string();
  }
}

}  // namespace distal
