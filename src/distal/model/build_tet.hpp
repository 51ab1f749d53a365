// Soft bodies of tetrahedra from their description: mesh, cells, skin.
#pragma once
#include "distal/model/model.hpp"

namespace distal {

// Meshes the shape or reads its file. Throws InputError that names the body and the key.
TetMesh make_mesh(const std::string& body, const TetDescription& description);

// Without placement and name; `relaxation_time_s` as in the material, or 0 until the first mode is known.
SoftBody make_tet_soft(const std::string& body, const TetDescription& description, const ElasticModuli& moduli,
                       double density_kg_m3, double relaxation_time_s);

// Contact samples of a body whose tetrahedra are there: the surface's vertices and the middles of its edges, each with
// its share of the area.
void add_tet_skin(SoftBody& body);

}  // namespace distal
