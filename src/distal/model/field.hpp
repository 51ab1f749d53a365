// A quantity of every node of a soft body, and how it spreads (docs/models/field.md).
#pragma once
#include <string>
#include <vector>

#include "distal/model/description.hpp"

namespace distal {

struct SoftBody;
struct Model;

struct BodyField {
  std::string name;
  int soft = 0;  // index into Model::soft
  FieldDescription law;
  int contact_rigid = -1;            // index into Model::rigid, or -1
  std::vector<double> initial;       // per node
  std::vector<char> held;            // per node: keeps its value
  std::vector<double> capacity_j_k;  // per node
  std::vector<std::int32_t> begin, neighbour;
  std::vector<double> conductance_w_k;  // per neighbour; mutual
  double fastest_per_s = 0.0;           // no mode decays faster

  bool softens() const { return law.softening_per_unit > 0.0; }
  // Share of the stiffness at a value: Duhamel-Neumann, paper 4, 4.5, with its floor.
  double stiffness_share(double value) const {
    const double share = 1.0 - law.softening_per_unit * (value - law.reference);
    return share > law.softest_share ? share : law.softest_share;
  }
};

// Throws InputError that names the field and the key.
std::vector<BodyField> make_fields(const ModelDescription& description, const Model& model);

}  // namespace distal
