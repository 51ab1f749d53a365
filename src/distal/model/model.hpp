// Everything constant after building: bodies, cells, surfaces, materials, pairs, options.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "distal/model/field.hpp"
#include "distal/model/joint.hpp"
#include "distal/model/lattice.hpp"
#include "distal/model/ligament_matrix.hpp"
#include "distal/model/rigid_body.hpp"
#include "distal/model/tet_body.hpp"

namespace distal {

// A soft lattice, or a body of tetrahedra, with its skin and, for a finger, the ligaments that tie it to a rod.
struct SoftBody {
  std::string name;
  std::string kind;  // fingertip, block, tet, strand
  Lattice lattice;
  std::optional<TetBody> tet;       // instead of the lattice, which is then empty
  std::int32_t first_particle = 0;  // of its grid in the global particle arrays
  int rod = -1;                     // index into Model::rigid
  double rod_radius_m = 0.0;
  Pose initial_pose;
  Twist initial_twist;
  double damping_ratio = kNotGiven;  // to be turned into a relaxation time once the first mode is known

  // Skin: contact samples, in embedding order.
  EmbeddedPoints skin;
  std::vector<std::int32_t> vertex_sample;                  // tet: the sample at each vertex, or -1
  std::vector<double> skin_area_m2;                         // 0 for vertices that only serve drawing
  std::vector<Vec3> skin_rest_m;                            // body frame
  std::vector<double> skin_stiffness_share;                 // (0, 1]: under 1 where a sample hangs on light nodes
  std::vector<std::array<std::int32_t, 3>> skin_triangles;  // indices into skin; sorted by the largest
  std::vector<double> skin_curvature_per_m;                 // mean curvature, convex positive; 0 without triangles

  // Ligaments: embedded points, which the rod holds where the lattice has them at rest.
  EmbeddedPoints ligaments;
  std::vector<double> ligament_stiffness_n_m, ligament_damping_n_s_m;
  LigamentMatrix ligament_matrix;  // all of them together
  double ligament_factor = 0.0;    // per area, in E/A
  double ligament_damping_ratio = 0.0;
  double balanced_mass_kg = 0.0;  // moved between nodes so that light ones do not limit the step

  std::vector<std::int32_t> fixed_nodes;                    // held at rest (local index)
  std::vector<std::pair<std::int32_t, Vec3>> node_loads_n;  // dead forces (local index)

  // What both kinds have. Nodes are grid points or vertices, with a few slots that are neither (mass 0).
  int node_count() const { return tet ? tet->slots() : lattice.grid.node_count(); }
  int active_nodes() const { return tet ? static_cast<int>(tet->mesh.vertices.size()) : lattice.active_nodes(); }
  Vec3 rest_position(int node) const;
  const std::vector<double>& mass_kg() const { return tet ? tet->mass : lattice.mass; }
  const ElasticModuli& moduli() const { return tet ? tet->moduli : lattice.moduli; }
  double volume_m3() const { return tet ? tet->volume_m3 : lattice.volume_m3; }
  double spacing_m() const { return tet ? tet->edge_m : lattice.grid.cell_size_m; }  // cell size or mean edge
  double& relaxation_time_s() { return tet ? tet->relaxation_time_s : lattice.relaxation_time_s; }
  std::size_t spring_count() const { return tet ? tet->spring_count() : lattice.spring_count(); }
  std::size_t cell_count() const {
    return tet ? tet->mesh.cells.size() : static_cast<std::size_t>(lattice.full_cells + lattice.cut.count);
  }
  // Threads share nodes by planes of the grid, or by chunks of vertices.
  int planes() const { return tet ? tet->slots() / kTetChunk : lattice.grid.nz; }
  int plane_size() const { return tet ? kTetChunk : lattice.grid.plane_size(); }

  // Contact spring of one sample [N/m]; `factor` is per area, in E/A.
  double sample_stiffness_n_m(double factor, std::size_t sample) const {
    return factor * moduli().youngs_pa / spacing_m() * skin_area_m2[sample] * skin_stiffness_share[sample];
  }
};

// Samples of one body against the shape of another.
struct ContactPair {
  bool sampled_is_soft = true;
  int sampled = 0;  // index into Model::soft or Model::rigid
  int partner = 0;  // index into Model::rigid, which has a shape
  ContactDescription law;
  bool hard = false;  // rigid bodies whose contacts the complementarity step finds and solves
  bool by_facets() const { return law.normal == NormalLaw::hunt_crossley; }  // instead of samples of the skin
};

// Samples of one soft body against the skin of another.
struct SoftPair {
  int sampled = 0, partner = 0;  // indices into Model::soft
  ContactDescription law;
};

struct Model {
  std::string title;
  Vec3 gravity_m_s2 = Vec3::Zero();
  std::vector<SoftBody> soft;
  std::vector<RigidBody> rigid;
  std::vector<Pose> rigid_initial_pose;    // of the body frame
  std::vector<Twist> rigid_initial_twist;  // of the body frame's origin
  std::vector<Joint> joints;               // parents before children
  std::vector<ContactPair> pairs;
  std::vector<SoftPair> soft_pairs;
  std::vector<BodyField> fields;
  AlignedVector<double> mass_kg, inverse_mass_per_kg;  // per particle; inverse 0 = does not move
  std::size_t particle_slots = 0;                      // with inactive nodes
  IntegratorDescription integrator;
  double control_period_s = 0.001;
  Precision precision = Precision::double_;
  int threads = 1;
  double quasi_static_drag_per_s = 0.0;  // extra drag against the rod's own motion, for measuring settled states

  double stable_step_s = 0.0;  // at rest; found by prepare()
  int implicit_steps = 1;      // implicit kinds: steps a period, unless one has to be done again with more
  int rigid_steps = 1;         // complementarity: steps a period, each a whole number of steps of what is soft

  int active_particles() const;
};

// Builds and checks; throws InputError that names the body and the key.
Model build_model(const ModelDescription& description);

}  // namespace distal
