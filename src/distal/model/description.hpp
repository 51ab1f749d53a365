// What a user describes: plain parameters with their defaults, units and ranges. The scenario layer reads them from
// TOML; a C++ program fills them in directly. build_model() turns a ModelDescription into a Model.
// Defaults stand here and nowhere else. NaN marks "not given" where a value is optional.
#pragma once
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

inline constexpr double kNotGiven = std::numeric_limits<double>::quiet_NaN();

struct MaterialDescription {
  std::string preset;                    // a name of model/material_presets.hpp: where a scene took values below from
  double density_kg_m3 = 1000.0;         // (0, 25000]
  double youngs_modulus_pa = kNotGiven;  // (0, 1e12]; any two of E, nu, G; a third that disagrees is an error
  double poissons_ratio = kNotGiven;     // [0, 0.499]
  double shear_modulus_pa = kNotGiven;   // (0, 1e12]
  double relaxation_time_s = kNotGiven;  // [0, 1]: viscous stress 2 eta sym(L) with eta = G * relaxation_time
  double damping_ratio = kNotGiven;  // [0, 10]: of the body's first mode; instead of relaxation_time_s. "critical" = 1
};
inline constexpr double kDefaultDampingRatio = 0.1;  // when neither is given

enum class LatticeKind { neo_hookean, paper };
enum class FingertipShape { finger, mesh };
enum class Mount {
  free,     // wrench-driven, as in paper 1
  driven,   // its pose or twist is imposed
  inertia,  // free, with a flange mass and damping behind the rod
  fixed,    // rigid objects only: does not move
  guided,   // rigid objects only: free along one axis, without turning, like a weight in a frame
  jointed,  // rigid objects only: the child of a joint, set by the builder
};

struct Placement {
  Vec3 position_m = Vec3::Zero();
  Quat q_xyzw = Quat::Identity();
  Vec3 velocity_m_s = Vec3::Zero();            // initial, of the body frame's origin
  Vec3 angular_velocity_rad_s = Vec3::Zero();  // initial
};

// Keys that every soft lattice body has.
struct LatticeDescription {
  std::string material;
  double cell_size_m = 0.001;  // A
  LatticeKind lattice = LatticeKind::neo_hookean;
  Vec3 grid_shift_cells = Vec3::Zero();  // [0, 1): shifts the grid against the body, to test that nothing depends on it
  double surface_spacing_cells = 0.5;    // [0.2, 1]: spacing of contact samples
  double smallest_cell_fraction = 0.02;  // [0, 0.2]: cut cells under it are dropped, their mass kept
};

struct FingertipDescription {
  LatticeDescription lattice;
  Placement placement;  // of the tip frame
  FingertipShape shape = FingertipShape::finger;
  std::string file;             // shape = "mesh": a closed STL in the tip frame [m]
  double tip_radius_m = 0.010;  // R
  double rod_radius_m = 0.005;  // r
  double tip_length_m = 0.010;  // L
  double rod_length_m = 0.030;  // l
  double rod_mass_kg = 0.020;
  Mount mount = Mount::free;
  double flange_mass_kg = 0.0;                    // mount = "inertia"
  double flange_damping_n_s_m = 0.0;              // mount = "inertia": force = -c v of E
  double flange_angular_damping_n_m_s_rad = 0.0;  // mount = "inertia"
  double ligament_stiffness_factor = 60.0;        // per area, in E/A
  double ligament_damping_ratio = 0.02;           // of each ligament against the mass it carries
};

struct BlockDescription {
  LatticeDescription lattice;
  Placement placement;  // of the block's centre
  Vec3 size_m = Vec3::Constant(0.01);
};

enum class TetShape { cuboid, cylinder, sphere, capsule, mesh, surface };
enum class TetModel {
  neo_hookean,
  paper2,    // masses, springs and dampers of paper 2, for reproducing it
  paper4,    // the same of paper 4: strands only
  gaussian,  // section 3 of paper 4: rings that move as one, touch spread by a Gaussian; strands only
};
// How paper 2's cells resist a change of volume.
enum class TetVolume {
  gradient,    // along the volume's gradient: the cell pushes nothing but itself
  barycentre,  // eq. 11 with its sign mended: along the lines to the barycentre, which pushes the body as a whole
  material,    // along the gradient, with the stiffness that Poisson's ratio asks for beyond springs (after Baudet)
  vertex,  // along the gradient, but of the volume around a vertex: cells may change where neighbours make up for it
};
enum class EdgeStiffness {
  lloyd,          // eqs 7 and 8: from Young's modulus, right for regular cells with Poisson's ratio 1/4
  shear_modulus,  // so that every cell's springs have the material's shear modulus, averaged over directions
};
struct Paper2Description {
  EdgeStiffness edge_stiffness = EdgeStiffness::lloyd;
  TetVolume volume = TetVolume::gradient;
  double volume_stiffness_n_m3 = 6e6;    // [0, 1e15]: alpha of eq. 10
  double stretch_limit = 0.16;           // [0, inf]: tau_s of eq. 14
  double compression_limit = 0.155;      // [0, inf]: tau_c of eq. 16; 1 and above: none
  int limit_iterations = 10;             // [0, 1000]
  bool limits_as_printed = false;        // eq. 13 without care for momentum, velocities left alone
  double limit_stiffness_ratio = 0.0;    // [0, 1e6]: above 0: springs beyond a limit are stiffer by it, not moved
  double edge_damping_ratio = 1.0;       // [0, 10]: of eq. 9
  bool edge_damping_as_printed = false;  // eq. 9 with the sum of the masses, over the length
};
// A soft body of tetrahedra.
struct TetDescription {
  std::string material;
  Placement placement;  // of the frame that the shape is described in: its centre, or the file's
  TetShape shape = TetShape::cuboid;
  std::string file;                    // mesh: tetrahedra; surface: a closed triangle mesh [m]
  Vec3 size_m = Vec3::Constant(0.02);  // cuboid
  double radius_m = 0.01;              // cylinder, sphere, capsule
  double height_m = 0.02;              // cylinder; capsule: its straight part
  double edge_m = 0.0025;              // length of edges that the mesher aims at
  TetModel model = TetModel::neo_hookean;
  Paper2Description paper2;
};

enum class CrossSection { eight_plus_centre, grid, concentric };
struct Paper4Description {
  double spring_damping_s = 1e-6;                                 // [0, 1]: alpha of eq. 2
  double velocity_damping_n_s_m = 0.007;                          // [0, 1e6]: beta, of every node
  double yield_strain = std::numeric_limits<double>::infinity();  // (0, inf]: a spring strained further sets
};
struct GaussianDescription {
  double spread_m = 0.01;        // (0, 1e6]: sigma
  double stiffness_n_m = 100.0;  // [0, 1e12]: of the spring between two rings
  double damping_n_s_m = 0.01;   // [0, 1e9]: of the damper beside it
  double drag_n_s_m = 0.0;       // [0, 1e9]: of every ring, against its velocity
};
// A thin soft body: a cross-section along a centre line.
struct StrandDescription {
  std::string material;
  Placement placement;         // of the frame that the centre line is given in
  std::vector<Vec3> points_m;  // of the centre line; none: straight along x, from the frame's origin
  double length_m = 0.1;       // without points
  double radius_m = 0.004;
  double spacing_m = kNotGiven;  // between rings; half the radius
  CrossSection cross_section = CrossSection::eight_plus_centre;
  int grid_nodes = 29;     // grid: 5, 13 or 29
  int section_rings = 3;   // concentric: [2, 20]
  bool equal_area = true;  // nodes so far out that the polygon has the circle's area; else on the radius, as printed
  TetModel model = TetModel::neo_hookean;
  Paper4Description paper4;
  GaussianDescription gaussian;
};

struct PlaneDescription {
  Placement placement;  // solid below its local z = 0
};

enum class RigidShapeKind { sphere, box, capsule, cylinder, mesh };
// Mass that is not that of a uniform shape.
struct InertialDescription {
  double mass_kg = 0.0;
  Vec3 centre_m = Vec3::Zero();       // in the body's frame
  Mat3 inertia_kg_m2 = Mat3::Zero();  // about that centre, along the body's axes
};
struct RigidDescription {
  Placement placement;  // of the centre, or of the file's frame
  RigidShapeKind shape = RigidShapeKind::box;
  double radius_m = 0.01;              // sphere, capsule, cylinder
  Vec3 size_m = Vec3::Constant(0.02);  // box
  double length_m = 0.02;              // along z: cylinder; capsule: between the centres of its ends
  std::string file;                    // mesh: a closed convex surface
  Vec3 mesh_scale = Vec3::Ones();      // mesh: what makes metres of the file's numbers
  double mass_kg = kNotGiven;          // 0.05 without a density
  double density_kg_m3 = kNotGiven;
  Mount mount = Mount::free;        // free, fixed, driven or guided
  Vec3 guide_axis = Vec3::UnitZ();  // mount = "guided": the only direction of motion, in the world
  // Links of hands have their mass from here, and all their surface from parts.
  std::optional<InertialDescription> inertial;
};

// A further shape of a rigid body: it adds surface, and mass if it has any.
struct PartDescription {
  std::string body;
  RigidShapeKind shape = RigidShapeKind::sphere;
  double radius_m = 0.01;              // sphere, capsule, cylinder
  Vec3 size_m = Vec3::Constant(0.02);  // box
  double length_m = 0.02;              // capsule, cylinder
  std::string file;                    // mesh
  Vec3 mesh_scale = Vec3::Ones();      // mesh
  double mass_kg = kNotGiven;          // none without a density
  double density_kg_m3 = kNotGiven;
  Vec3 position_m = Vec3::Zero();  // of its centre (or the file's frame), in the body's frame
  Quat q_xyzw = Quat::Identity();
};

// How a joint moves: by limits, friction and a motor. Radians and newton metres, or metres and newtons.
struct JointDrive {
  double initial = 0.0;                                     // position at the start, where the bodies are placed
  double lower = -std::numeric_limits<double>::infinity();  // [-inf, initial]
  double upper = std::numeric_limits<double>::infinity();   // [initial, inf]
  double damping = 0.0;                                     // [0, inf)
  double motor_stiffness = 0.0, motor_damping = 0.0;        // [0, inf): of a servo that holds its target; 0: no motor
  double most_effort = std::numeric_limits<double>::infinity();  // (0, inf]: of the motor
  // The target: `initial`, or this path; straight from one point to the next, held before and behind.
  std::vector<double> times_s, targets;
  std::string mimic;  // follows another joint: position = factor * its position + offset
  double mimic_factor = 1.0, mimic_offset = 0.0;
};
// A joint between two rigid bodies, which stand at the start where it has its initial position.
struct JointPlace {
  std::string parent;              // "": the world
  std::string child;               // has one joint alone
  Vec3 position_m = Vec3::Zero();  // of the joint, in the child's frame
  Vec3 axis = Vec3::UnitZ();       // in the child's frame
};
struct RevoluteDescription {
  JointPlace place;
  JointDrive drive;
};
struct PrismaticDescription {
  JointPlace place;
  JointDrive drive;
};
struct WeldDescription {
  JointPlace place;
};
using JointDescription = std::variant<RevoluteDescription, PrismaticDescription, WeldDescription>;

// A hand: rigid links on joints, from a URDF file or our own five fingers. expand_hands() makes ordinary bodies and
// joints of it, "NAME/link" and "NAME/joint".
struct HandDescription {
  Placement placement;            // of its root link
  std::string file;               // URDF; empty: our own
  double length_m = 0.19;         // our own: from the wrist to the tip of the middle finger
  double density_kg_m3 = 1000.0;  // of links that a file gives no inertia
  Mount mount = Mount::fixed;     // of its root link: fixed, driven or free
  // Of every joint that follows no other: servos that hold zero, or their path.
  double motor_stiffness_n_m_rad = 2.0, motor_damping_n_m_s_rad = 0.05;
  double most_torque_n_m = std::numeric_limits<double>::infinity();  // a lower limit of the file goes before
  // The same for joints that slide.
  double motor_stiffness_n_m = 2000.0, motor_damping_n_s_m = 20.0;
  double most_force_n = std::numeric_limits<double>::infinity();
};
// A path for the servo of one joint of a hand, which starts at its first target; or for all joints that a file names.
struct JointPathDescription {
  std::string joint;                           // "hand/joint"
  std::vector<double> times_s;                 // rising
  std::vector<double> targets_rad, targets_m;  // one of the two, as the joint turns or slides
  std::string file;                            // instead of times and targets: a table, like a run's joints.csv
};

using BodyDescription = std::variant<FingertipDescription, BlockDescription, PlaneDescription, RigidDescription,
                                     TetDescription, HandDescription, StrandDescription>;

enum class NormalLaw {
  stiff,
  hunt_crossley,
  winkler,  // rigid bodies: a soft layer whose patch bears friction about the normal, paper 3
  hertz,    // the same for a soft half-space
};
enum class TangentialLaw { stick_slip, anchor, smooth_stick_slip };
// normal = "hunt_crossley" and tangential = "smooth_stick_slip": paper 2, eqs 26 to 36, on the facets of a tet body.
struct FacetContactDescription {
  bool per_facet = false;            // every facet in reach bears the whole force, as printed; else its share by area
  double exponent = 1.5;             // [1, 3]
  double restitution = 0.5;          // [0, 1]
  double least_approach_m_s = 1e-3;  // (0, 1]: the first approach speed counts as at least this
  double finger_youngs_modulus_pa = 2e9;  // (0, 1e12]
  double finger_poissons_ratio = 0.35;    // [0, 0.5]
  double stick_speed_m_s = 1e-3;          // (0, 1]: v_stick
  double stick_stiffness_n_m = 1000.0;    // [0, 1e9]
  double stick_damping_n_s_m = 1.0;       // [0, 1e9]
};
// normal = "winkler" and "hertz": paper 3, section 4 and appendix A.
struct PatchDescription {
  double foundation_pa_m = 1e8;     // (0, 1e15]: winkler, modulus over depth of the layer
  double contact_modulus_pa = 1e6;  // (0, 1e13]: hertz, 1/E* = sum of (1 - nu^2)/E
  bool moment_as_printed = false;   // (9) and (10) instead of the exact mean over the ellipse
};
struct ContactDescription {
  NormalLaw normal = NormalLaw::stiff;
  TangentialLaw tangential = TangentialLaw::stick_slip;
  double static_friction = 0.9;    // [0, inf]; 0 is frictionless, inf never slips
  double dynamic_friction = 0.7;   // [0, static_friction]
  double slip_distance_m = 1e-3;   // [0, 1]: over which friction falls from static to dynamic
  double stiffness_factor = 60.0;  // [1, 1000]: per area, in E/A of the soft body
  FacetContactDescription facet;
  PatchDescription patch;
  bool is_patch() const { return normal == NormalLaw::winkler || normal == NormalLaw::hertz; }
};

// One pair of bodies that differs from the default; unset values (NaN / flags) come from [contact].
struct PairDescription {
  std::string body_a, body_b;
  ContactDescription contact;  // already merged with the default by whoever fills this in
};

// Nodes of a soft body inside an axis-aligned box of its own frame are held.
struct FixDescription {
  std::string body;
  Vec3 min_m = Vec3::Constant(-1e300), max_m = Vec3::Constant(1e300);
};
// A dead force spread over the surface of a soft body inside such a box, by area.
struct LoadDescription {
  std::string body;
  Vec3 min_m = Vec3::Constant(-1e300), max_m = Vec3::Constant(1e300);
  Vec3 force_n = Vec3::Zero();  // total, world axes
};

// A quantity that every node of a soft body has, like its temperature.
struct FieldDescription {
  std::string body;
  double initial = 293.15;               // kelvin for a temperature
  double diffusivity_m2_s = 0.0;         // [0, 1]: conduction within the body
  double capacity_j_kg_k = 4000.0;       // (0, 1e6]: of the body, for what comes through its surface
  double softening_per_unit = 0.0;       // [0, 1e3]: nu of paper 4, 4.5, as a share of the stiffness
  double reference = 293.15;             // where the stiffness is the material's
  double softest_share = 0.05;           // (0, 1]: the floor of the stiffness, as a share
  std::string contact_body;              // a rigid body that exchanges where it touches
  double contact_value = 293.15;         // its value
  double contact_exchange_w_m2_k = 0.0;  // [0, 1e9]
};
// Values of a field inside an axis-aligned box of its body's frame, at the start or for good.
struct FieldValueDescription {
  std::string field;
  Vec3 min_m = Vec3::Constant(-1e300), max_m = Vec3::Constant(1e300);
  double value = 293.15;
  bool held = false;
};

enum class Precision { double_, float_ };
enum class IntegratorKind {
  forward_euler,
  semi_implicit_euler,
  runge_kutta,
  energy_guided,
  implicit_euler,
  implicit_midpoint,
  automatic,        // the fastest that is accurate enough: see integrator/choice.hpp
  complementarity,  // rigid bodies with hard contacts and joints; what is soft takes semi-implicit steps within
};
// Their names in scenes, in that order.
inline constexpr std::array<std::string_view, 8> kIntegratorNames = {
    "forward_euler",  "semi_implicit_euler", "runge_kutta", "energy_guided",
    "implicit_euler", "implicit_midpoint",   "auto",        "complementarity"};
constexpr std::string_view name_of(IntegratorKind kind) { return kIntegratorNames[static_cast<std::size_t>(kind)]; }
constexpr bool is_implicit(IntegratorKind kind) {
  return kind == IntegratorKind::implicit_euler || kind == IntegratorKind::implicit_midpoint;
}

struct IntegratorDescription {
  IntegratorKind kind = IntegratorKind::automatic;
  double time_step_s = kNotGiven;    // fixed-step kinds; must divide the control period and not exceed the stable step
  double tolerance = 1e-6;           // runge_kutta: error per step relative to cell size and speed scale
  double added_damping = 0.35;       // automatic: largest damping ratio that an implicit step may add to a mode in the
                                     // loop's reach
  double residual_tolerance = 1e-3;  // implicit kinds: residual over right side, of every step
  double balance_tolerance = 1e-4;   // implicit kinds: or residual over the weight and contact forces of the particles
  double energy_tolerance = 1e-3;    // energy_guided: spurious energy allowed, as a share of the energy turned over
  int friction_vertices = 12;        // [6, 400], even: complementarity, of the linearised friction ellipsoid
  bool friction_inscribed = false;   // complementarity: vertices on the ellipsoid as printed, not balanced about it
};

struct ModelDescription {
  std::string title;
  Vec3 gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  std::map<std::string, MaterialDescription> materials;
  // In file order, so that results do not depend on names.
  std::vector<std::pair<std::string, BodyDescription>> bodies;
  ContactDescription contact;
  std::vector<std::pair<std::string, PairDescription>> pairs;
  std::vector<std::pair<std::string, PartDescription>> parts;
  std::vector<std::pair<std::string, JointDescription>> joints;
  std::vector<std::pair<std::string, JointPathDescription>> joint_paths;
  std::vector<std::pair<std::string, FixDescription>> fixes;
  std::vector<std::pair<std::string, LoadDescription>> loads;
  std::vector<std::pair<std::string, FieldDescription>> fields;
  std::vector<std::pair<std::string, FieldValueDescription>> field_values;
  IntegratorDescription integrator;
  double control_period_s = 0.001;
  int threads = 0;  // 0: one per core, at most two; results do not depend on it
  Precision precision = Precision::double_;
};

// E, nu, G completed from any two; mu = G, lambda as usual. Throws InputError (values and range named) when they are
// missing, disagree, or leave the allowed range.
struct ElasticModuli {
  double youngs_pa, poisson, shear_pa, lame_lambda_pa;
};
ElasticModuli complete_moduli(const MaterialDescription& material, const std::string& where);

}  // namespace distal
