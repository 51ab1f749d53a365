// Fewer triangles for a picture: vertices that share a cube become one.
#pragma once
#include <cstddef>
#include <vector>

#include "distal/geometry/triangle_mesh.hpp"

namespace distal {

struct ColoredMesh {
  TriangleMesh mesh;
  std::vector<double> values;  // one per vertex
};

// About `most_triangles` or fewer; a mesh that is small enough comes back as it is.
ColoredMesh coarse_mesh(ColoredMesh fine, std::size_t most_triangles);

}  // namespace distal
