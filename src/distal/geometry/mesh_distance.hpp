// Signed distance to a closed triangle mesh: a box tree finds the closest triangle, and the angle-weighted pseudonormal
// of the closest feature (face, edge or vertex) gives the sign (Baerentzen and Aanaes 2005), which holds also where the
// closest point lies on a sharp edge or corner and the face normals disagree.
#pragma once
#include <vector>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

class MeshDistance {
 public:
  // The mesh must be closed and oriented outwards.
  explicit MeshDistance(TriangleMesh mesh);

  // [m], negative inside.
  double signed_distance(const Vec3& p) const;

 private:
  struct Node {
    Aabb box;
    std::int32_t first = 0;  // leaf: its first triangle in order_; otherwise its second child (the first follows it)
    std::int32_t count = 0;  // triangles of a leaf, 0 otherwise
  };
  // The closest point of one triangle, with the pseudonormal there.
  struct Closest {
    double squared_distance = 1e300;  // [m^2]
    Vec3 offset = Vec3::Zero();       // from it to the query [m]
    Vec3 normal = Vec3::Zero();       // any length
  };

  void compute_normals();
  std::int32_t build(std::int32_t begin, std::int32_t end);
  void update_closest(std::int32_t triangle, const Vec3& p, Closest& best) const;

  TriangleMesh mesh_;
  std::vector<std::int32_t> order_;
  std::vector<Node> nodes_;
  std::vector<Vec3> face_normals_;                 // unit, zero for a triangle without area
  std::vector<std::array<Vec3, 3>> edge_normals_;  // edge k joins corners k and k + 1
  std::vector<Vec3> vertex_normals_;
};

}  // namespace distal
