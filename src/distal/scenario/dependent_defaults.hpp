// Defaults that depend on other keys, set after a table has been read.
#pragma once
#include "distal/scenario/problems.hpp"
#include "distal/scenario/scene.hpp"
#include "distal/scenario/scene_checks.hpp"
#include "distal/scenario/value.hpp"

namespace distal {

// dynamic_friction follows a static_friction given without it. An override of static_friction alone counts as given
// without it, so that one --set makes a scene frictionless or slip-free. `table` may be null.
void settle_friction(const Value* table, ContactDescription& contact);

// A preset fills in what the table does not give. A preset from an override also replaces what the file gives. An
// unknown one is a problem.
void settle_preset(const Value& table, const std::string& path, MaterialDescription& material, Problems& problems);

// An override of one way to give the damping replaces the other way in the file.
void settle_damping(const Value& table, MaterialDescription& material);

// A body under a [motion] is driven unless the scene gives its mount.
void settle_mount(const Value& root, Scene& scene);

// A controller expects the scene's gravity unless its table gives another.
void settle_gravity(const Value& table, const Vec3& scene_gravity_m_s2, Vec3& gravity_m_s2);

// A controller expects the rod or rigid body that it moves, as built, unless its table gives another. Call it with a
// checked scene: hands and meshes are read.
void settle_moved_bodies(const Value& root, Scene& scene, PlacedProblems& problems);

// A mesh is named relative to the scene; the resolved scene may lie elsewhere.
void settle_files(Scene& scene);

}  // namespace distal
