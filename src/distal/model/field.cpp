#include "distal/model/field.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <map>

#include "distal/core/error.hpp"
#include "distal/model/model.hpp"

namespace distal {
namespace {

// Conduction through tetrahedra with linear shape functions: kappa V grad N_i . grad N_j between two corners.
void add_conduction(const SoftBody& body, BodyField& field) {
  const TetBody& tet = *body.tet;
  double mass = 0.0;
  for (const double m : tet.mass) mass += m;
  const double kappa = field.law.diffusivity_m2_s * mass / tet.volume_m3 * field.law.capacity_j_kg_k;
  std::vector<std::map<std::int32_t, double>> rows(tet.mesh.vertices.size());
  for (std::size_t c = 0; kappa > 0.0 && c < tet.mesh.cells.size(); ++c) {
    const auto& cell = tet.mesh.cells[c];
    const auto at = [&](std::size_t a) -> const Vec3& { return tet.mesh.vertices[static_cast<std::size_t>(cell[a])]; };
    Mat3 edges;
    edges << at(1) - at(0), at(2) - at(0), at(3) - at(0);
    const Mat3 inverse = edges.inverse();
    std::array<Vec3, 4> gradient{Vec3::Zero(), inverse.row(0), inverse.row(1), inverse.row(2)};
    gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const double flow = -kappa * cell_volume(tet.mesh, c) * gradient[a].dot(gradient[b]);
        rows[static_cast<std::size_t>(cell[a])][cell[b]] += flow;
        rows[static_cast<std::size_t>(cell[b])][cell[a]] += flow;
      }
  }
  field.begin.push_back(0);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    double sum = 0.0;
    for (const auto& [j, flow] : rows[n]) {
      field.neighbour.push_back(j);
      field.conductance_w_k.push_back(flow);
      sum += std::abs(flow);
    }
    field.begin.push_back(static_cast<std::int32_t>(field.neighbour.size()));
    field.fastest_per_s = std::max(field.fastest_per_s, 2.0 * sum / field.capacity_j_k[n]);  // Gershgorin
  }
}

int find_contact_body(const std::string& where, const FieldDescription& d, const Model& model) {
  if (d.contact_body.empty()) return -1;
  for (std::size_t b = 0; b < model.rigid.size(); ++b)
    if (model.rigid[b].name == d.contact_body && model.rigid[b].shape) return static_cast<int>(b);
  throw InputError(fmt::format("{}.contact_body: '{}' is not a rigid body", where, d.contact_body));
}

void set_values(const std::string& name, const FieldValueDescription& d, const SoftBody& body, BodyField& field) {
  bool found = false;
  for (int n = 0; n < body.active_nodes(); ++n) {
    const Vec3 p = body.rest_position(n);
    if ((p.array() < d.min_m.array() - 1e-9).any() || (p.array() > d.max_m.array() + 1e-9).any()) continue;
    found = true;
    field.initial[static_cast<std::size_t>(n)] = d.value;
    if (d.held) field.held[static_cast<std::size_t>(n)] = 1;
  }
  if (!found) throw InputError(fmt::format("field_value.{}: no node of '{}' lies in its box", name, body.name));
}

}  // namespace

std::vector<BodyField> make_fields(const ModelDescription& description, const Model& model) {
  std::vector<BodyField> fields;
  for (const auto& [name, d] : description.fields) {
    const std::string where = "field." + name;
    BodyField field;
    field.name = name, field.law = d;
    const auto body =
        std::find_if(model.soft.begin(), model.soft.end(), [&](const auto& b) { return b.name == d.body; });
    if (body == model.soft.end() || !body->tet)
      throw InputError(fmt::format("{}.body: '{}' is not a strand or a tet", where, d.body));
    field.soft = static_cast<int>(body - model.soft.begin());
    const TetModel kind = body->tet->model;
    if (field.softens() && kind != TetModel::neo_hookean && kind != TetModel::paper4)
      throw InputError(where + ".softening_per_unit: needs model = \"neo_hookean\" or \"paper4\"");
    if (field.softens() && std::any_of(fields.begin(), fields.end(), [&](const BodyField& other) {
          return other.soft == field.soft && other.softens();
        }))
      throw InputError(fmt::format("{}.softening_per_unit: another field softens '{}' already", where, d.body));
    field.contact_rigid = find_contact_body(where, d, model);
    const auto nodes = static_cast<std::size_t>(body->active_nodes());
    field.initial.assign(nodes, d.initial);
    field.held.assign(nodes, 0);
    for (std::size_t n = 0; n < nodes; ++n) field.capacity_j_k.push_back(d.capacity_j_kg_k * body->mass_kg()[n]);
    add_conduction(*body, field);
    for (const auto& [value_name, value] : description.field_values)
      if (value.field == name) set_values(value_name, value, *body, field);
    fields.push_back(std::move(field));
  }
  for (const auto& [name, value] : description.field_values)
    if (std::none_of(fields.begin(), fields.end(), [&](const BodyField& field) { return field.name == value.field; }))
      throw InputError(fmt::format("field_value.{}.field: there is no field '{}'", name, value.field));
  return fields;
}

}  // namespace distal
