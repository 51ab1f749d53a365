#include "distal/model/strand_body.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "distal/core/error.hpp"
#include "distal/model/build_tet.hpp"
#include "distal/model/strand_bending.hpp"

namespace distal {
namespace {

StrandSection section_of(const StrandDescription& d) {
  StrandSection section = d.cross_section == CrossSection::grid         ? make_grid_section(d.grid_nodes)
                          : d.cross_section == CrossSection::concentric ? make_concentric_section(d.section_rings)
                                                                        : make_eight_plus_centre();
  section.scale(d.radius_m * (d.equal_area ? std::sqrt(std::numbers::pi / section.area()) : 1.0));
  return section;
}

// Volumes of the cells between two rings, by segment, then by polygon.
class PrismVolumes {
 public:
  explicit PrismVolumes(const StrandMesh& strand) : polygons_(strand.section.polygons.size()) {
    std::size_t cell = 0;
    for (int r = 0; r + 1 < strand.rings; ++r)
      for (const auto& polygon : strand.section.polygons) {
        double sum = 0.0;
        for (std::size_t k = 0; k < tets_in(polygon); ++k) sum += cell_volume(strand.mesh, cell++);
        volume_.push_back(sum);
      }
    DISTAL_ASSERT(cell == strand.mesh.cells.size());
  }
  // A wedge is three tetrahedra.
  static std::size_t tets_in(const std::vector<std::int32_t>& polygon) { return 3 * (polygon.size() - 2); }
  double at(int segment, std::size_t polygon) const {
    return volume_[static_cast<std::size_t>(segment) * polygons_ + polygon];
  }

 private:
  std::size_t polygons_;
  std::vector<double> volume_;
};

// Every cell gives its corners equal shares, so that the nodes of a ring do not depend on how it was cut.
void share_masses(const StrandMesh& strand, const PrismVolumes& volumes, double density, TetBody& body) {
  std::fill(body.mass.begin(), body.mass.end(), 0.0);
  for (int r = 0; r + 1 < strand.rings; ++r)
    for (std::size_t c = 0; c < strand.section.polygons.size(); ++c) {
      const auto& polygon = strand.section.polygons[c];
      const double share = density * volumes.at(r, c) / (2.0 * static_cast<double>(polygon.size()));
      for (const std::int32_t place : polygon)
        for (const int ring : {r, r + 1}) body.mass[static_cast<std::size_t>(strand.vertex(place, ring))] += share;
    }
}

std::vector<SpringFamily> find_families(const StrandSection& section) {
  std::vector<SpringFamily> families;
  for (const auto& [a, b] : section.links) {
    families.push_back({a, b, 0});
    families.push_back({a, b, 1});
    families.push_back({b, a, 1});
  }
  for (std::int32_t place = 0; place < static_cast<std::int32_t>(section.points.size()); ++place)
    families.push_back({place, place, 1});
  std::sort(families.begin(), families.end(), [](const SpringFamily& a, const SpringFamily& b) {
    return std::array{a.from, a.to, a.step} < std::array{b.from, b.to, b.step};
  });
  return families;
}

// Eq. 1, with one tetrahedron of every cell that holds both ends.
class GelderStiffness {
 public:
  GelderStiffness(const StrandMesh& strand, const PrismVolumes& volumes, double youngs)
      : strand_(strand), volumes_(volumes), youngs_(youngs) {}

  double operator()(const SpringFamily& family, int ring, double length) const {
    double sum = 0.0;
    const auto& polygons = strand_.section.polygons;
    for (std::size_t c = 0; c < polygons.size(); ++c) {
      const auto has = [&](std::int32_t place) {
        return std::find(polygons[c].begin(), polygons[c].end(), place) != polygons[c].end();
      };
      if (!has(family.from) || !has(family.to)) continue;
      for (int segment = family.step == 1 ? ring : ring - 1; segment <= ring; ++segment)
        if (segment >= 0 && segment + 1 < strand_.rings)
          sum += volumes_.at(segment, c) / static_cast<double>(PrismVolumes::tets_in(polygons[c]));
    }
    return youngs_ * sum / (length * length);
  }

 private:
  const StrandMesh& strand_;
  const PrismVolumes& volumes_;
  double youngs_;
};

// Springs of a straight strand are the same in every ring but for rounding, of which they are freed here: what is the
// same need not be read for every ring.
double freed_of_rounding(double value, double like, double share) {
  return std::abs(value - like) <= share * like ? like : value;
}

bool are_alike(const StrandSprings& springs) {
  for (std::size_t f = 0; f < springs.families.size(); ++f)
    for (int r = 2; r + 1 < springs.rings; ++r)
      for (const auto* values : {&springs.rest_m, &springs.stiffness_n_m})
        if ((*values)[springs.slot(f, r)] != (*values)[springs.slot(f, 1)]) return false;
  return true;
}

void add_strand_springs(const StrandMesh& strand, const PrismVolumes& volumes, TetBody& body) {
  StrandSprings& springs = body.strand;
  springs.families = find_families(strand.section);
  springs.stiffness_n_m.assign(springs.families.size() * springs.stride(), 0.0);
  springs.rest_m.assign(springs.stiffness_n_m.size(), 1.0);
  const GelderStiffness stiffness(strand, volumes, body.moduli.youngs_pa);
  std::vector<std::map<std::int32_t, std::size_t>> rows(strand.mesh.vertices.size());  // neighbour -> slot
  for (std::size_t f = 0; f < springs.families.size(); ++f) {
    const SpringFamily& family = springs.families[f];
    for (int r = 0; r + family.step < strand.rings; ++r) {
      const std::int32_t i = strand.vertex(family.from, r), j = strand.vertex(family.to, r + family.step);
      const double length =
          (strand.mesh.vertices[static_cast<std::size_t>(j)] - strand.mesh.vertices[static_cast<std::size_t>(i)])
              .norm();
      const std::size_t slot = springs.slot(f, r), second = springs.slot(f, 1);
      const double k = stiffness(family, r, length);
      springs.rest_m[slot] = r > 1 ? freed_of_rounding(length, springs.rest_m[second], 1e-11) : length;
      springs.stiffness_n_m[slot] = r > 1 ? freed_of_rounding(k, springs.stiffness_n_m[second], 1e-9) : k;
      rows[static_cast<std::size_t>(i)][j] = slot;
      rows[static_cast<std::size_t>(j)][i] = slot;
    }
  }
  springs.alike = are_alike(springs);
  body.edges.begin.push_back(0);
  for (const auto& row : rows) {
    for (const auto& [j, slot] : row) {
      body.edges.neighbour.push_back(j);
      body.edges.stiffness.push_back(springs.stiffness_n_m[slot]);
      body.edges.damping.push_back(body.paper4.spring_damping_s * springs.stiffness_n_m[slot]);
      body.edges.rest_length.push_back(springs.rest_m[slot]);
      springs.slot_of_entry.push_back(static_cast<std::int32_t>(slot));
    }
    body.edges.begin.push_back(static_cast<std::int32_t>(body.edges.neighbour.size()));
  }
}

void check_strand(const std::string& where, const StrandDescription& d) {
  if (d.cross_section == CrossSection::grid && d.grid_nodes != 5 && d.grid_nodes != 13 && d.grid_nodes != 29)
    throw InputError(fmt::format("{}.grid_nodes: found {}, allowed: 5, 13 or 29", where, d.grid_nodes));
  if (d.points_m.size() == 1) throw InputError(where + ".points_m: found one point, allowed: none, or two and more");
  if (std::isfinite(d.paper4.yield_strain) && d.model != TetModel::paper4)
    throw InputError(where + ".yield_strain: only springs set; it needs model = \"paper4\"");
}

// The share that gives the strand the bending stiffness of a round beam, or of the polygon where that is the shape.
double vertex_share_of(const StrandMesh& strand, const StrandDescription& d, const ElasticModuli& moduli) {
  double volume = 0.0;
  for (std::size_t c = 0; c < strand.mesh.cells.size(); ++c) volume += cell_volume(strand.mesh, c);
  const double spacing = volume / (strand.section.area() * (strand.rings - 1));  // also of a bent line (Pappus)
  const double second_moment =
      d.equal_area ? 0.25 * std::numbers::pi * std::pow(d.radius_m, 4) : strand.section.second_moment();
  return StrandBending(strand.section, spacing, moduli).find_vertex_share(moduli.youngs_pa * second_moment);
}

}  // namespace

double find_strand_length(const StrandDescription& d) {
  double length = d.points_m.empty() ? d.length_m : 0.0;
  for (std::size_t p = 1; p < d.points_m.size(); ++p) length += (d.points_m[p] - d.points_m[p - 1]).norm();
  return length;
}

double find_strand_spacing(const StrandDescription& d) {
  return std::isnan(d.spacing_m) ? 0.5 * d.radius_m : d.spacing_m;
}

StrandMesh make_strand_mesh(const std::string& body, const StrandDescription& d) {
  const std::string where = "body." + body;
  check_strand(where, d);
  const double spacing = find_strand_spacing(d);
  const std::vector<Vec3> ends = {Vec3::Zero(), d.length_m * Vec3::UnitX()};
  StrandMesh strand = make_strand_mesh(section_of(d), d.radius_m,
                                       make_centre_line(d.points_m.empty() ? ends : d.points_m, spacing), where);
  check_tet_mesh(strand.mesh, where);
  return strand;
}

SoftBody make_strand_soft(const std::string& name, const StrandDescription& d, const ElasticModuli& moduli,
                          double density_kg_m3, double relaxation_time_s) {
  const StrandMesh strand = make_strand_mesh(name, d);
  SoftBody body;
  body.kind = "strand";
  TetDescription tet;
  tet.model = d.model;
  body.tet = make_tet_body(strand.mesh, moduli, density_kg_m3, relaxation_time_s, tet,
                           d.model == TetModel::neo_hookean ? vertex_share_of(strand, d, moduli) : kVertexShare);
  body.tet->paper4 = d.paper4;
  body.tet->gaussian = d.gaussian;
  body.tet->strand.rings = strand.rings;
  body.tet->strand.places = static_cast<int>(strand.section.points.size());
  if (d.model != TetModel::neo_hookean) {
    const PrismVolumes volumes(strand);
    share_masses(strand, volumes, density_kg_m3, *body.tet);
    if (d.model == TetModel::paper4) add_strand_springs(strand, volumes, *body.tet);
  }
  add_tet_skin(body);
  return body;
}

}  // namespace distal
