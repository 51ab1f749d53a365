// Strands from their description: mesh, springs of paper 4, skin (docs/models/strand.md).
#pragma once
#include "distal/geometry/strand_mesh.hpp"
#include "distal/model/model.hpp"

namespace distal {

double find_strand_length(const StrandDescription& description);   // of its centre line
double find_strand_spacing(const StrandDescription& description);  // of its rings, where none is given too

// Throws InputError that names the body and the key.
StrandMesh make_strand_mesh(const std::string& body, const StrandDescription& description);

// Without placement and name; `relaxation_time_s` as in the material, or 0 until the first mode is known.
SoftBody make_strand_soft(const std::string& body, const StrandDescription& description, const ElasticModuli& moduli,
                          double density_kg_m3, double relaxation_time_s);

}  // namespace distal
