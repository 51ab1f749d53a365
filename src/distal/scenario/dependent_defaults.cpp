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

void settle_gravity(const Value& table, const Vec3& scene_gravity_m_s2, AdaptivePidDescription& controller) {
  if (table.find("gravity_m_s2") == nullptr) controller.gravity_m_s2 = scene_gravity_m_s2;
}

void settle_files(Scene& scene) {
  const auto make_absolute = [&](std::string& file) {
    file = std::filesystem::absolute(scene.file.parent_path() / file).lexically_normal().string();
  };
  for (auto& [name, body] : scene.model.bodies) {
    std::string* file = nullptr;
    if (auto* fingertip = std::get_if<FingertipDescription>(&body)) file = &fingertip->file;
    if (auto* tet = std::get_if<TetDescription>(&body)) file = &tet->file;
    if (file == nullptr || file->empty()) continue;
    make_absolute(*file);
  }
  for (auto& [name, sensor] : scene.sensors)
    if (auto* points = std::get_if<PointsDescription>(&sensor); points != nullptr && !points->measured_file.empty())
      make_absolute(points->measured_file);
}

}  // namespace distal
