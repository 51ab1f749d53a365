// Soft cuboids of tetrahedra that tests and benchmarks share.
#pragma once
#include "support/scenes.hpp"

namespace distal::test {

// Mean edge of a cuboid's mesh whose bricks have sides of 1: half of all edges are sides, the others diagonals.
inline constexpr double kEdgeOfBrick = 1.2071;

// A cuboid without gravity, free.
inline ModelDescription tet_cuboid(const Vec3& size_m, double edge_m, const MaterialDescription& material) {
  ModelDescription scene;
  scene.gravity_m_s2.setZero();
  scene.materials["rubber"] = material;
  TetDescription block;
  block.material = "rubber", block.size_m = size_m, block.edge_m = edge_m;
  scene.bodies = {{"block", block}};
  scene.threads = 1;
  return scene;
}

// With its bottom face (lowest z) held.
inline ModelDescription held_tet_cuboid(const Vec3& size_m, double edge_m, const MaterialDescription& material) {
  ModelDescription scene = tet_cuboid(size_m, edge_m, material);
  FixDescription fix;
  fix.body = "block";
  fix.max_m.z() = -0.5 * size_m.z();
  scene.fixes = {{"bottom", fix}};
  return scene;
}

// A driven sphere that touches the top of a cuboid, in its middle.
inline void add_sphere_on_top(ModelDescription& scene, double radius_m, double top_m) {
  RigidDescription sphere;
  sphere.shape = RigidShapeKind::sphere;
  sphere.radius_m = radius_m;
  sphere.placement.position_m = Vec3(0.0, 0.0, top_m + radius_m);
  sphere.mount = Mount::driven;
  scene.bodies.push_back({"sphere", sphere});
}

}  // namespace distal::test
