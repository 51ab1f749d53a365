// Keys of materials, bodies, contacts and the integrator.
#include "distal/scenario/fields.hpp"

#include <array>

namespace distal {
namespace {

using std::string_view;
using namespace ranges;

constexpr std::array<string_view, 2> kLattices = {"neo_hookean", "paper"};
constexpr std::array<string_view, 2> kFingertipShapes = {"finger", "mesh"};
constexpr std::array<string_view, 3> kFingertipMounts = {"free", "driven", "inertia"};
constexpr std::array<string_view, 5> kRigidMounts = {"free", "driven", "", "fixed", "guided"};
constexpr std::array<string_view, 5> kRigidShapes = {"sphere", "box", "capsule", "cylinder", "mesh"};
constexpr std::array<string_view, 6> kTetShapes = {"cuboid", "cylinder", "sphere", "capsule", "mesh", "surface"};
constexpr std::array<string_view, 2> kTetModels = {"neo_hookean", "paper2"};
constexpr std::array<string_view, 4> kStrandModels = {"neo_hookean", "", "paper4", "gaussian"};
constexpr std::array<string_view, 3> kCrossSections = {"eight_plus_centre", "grid", "concentric"};
constexpr std::array<string_view, 4> kNormalLaws = {"stiff", "hunt_crossley", "winkler", "hertz"};
constexpr std::array<string_view, 3> kTangentialLaws = {"stick_slip", "anchor", "smooth_stick_slip"};
constexpr std::array<string_view, 4> kTetVolumes = {"gradient", "barycentre", "material", "vertex"};
constexpr std::array<string_view, 2> kEdgeStiffnesses = {"lloyd", "shear_modulus"};

constexpr Range kDensity = above(0.0, 25000.0);
constexpr Range kSpeed = within(-1e4, 1e4);
constexpr Range kFriction = within(0.0, std::numeric_limits<double>::infinity());
constexpr Range kBox = within(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity());

void visit_pose(FieldVisitor& visit, Placement& p) {
  visit({"position_m", "m", "origin of the body's frame in the world", kPosition}, p.position_m);
  visit(ruled({"q_xyzw", "", "its orientation, a unit quaternion"}, VectorRule::unit_quaternion), p.q_xyzw);
}

void visit_fields(FieldVisitor& visit, Placement& p) {
  visit_pose(visit, p);
  visit({"velocity_m_s", "m/s", "initial velocity of the frame's origin", kSpeed}, p.velocity_m_s);
  visit({"angular_velocity_rad_s", "rad/s", "initial angular velocity", kSpeed}, p.angular_velocity_rad_s);
}

template <typename Description>
void visit_shape(FieldVisitor& visit, Description& d) {
  visit({"radius_m", "m", "shape = \"sphere\", \"capsule\", \"cylinder\"", kLength}, d.radius_m);
  visit({"size_m", "m", "shape = \"box\": edges", kLength}, d.size_m);
  visit({"length_m", "m", "shape = \"cylinder\", along z; \"capsule\": its straight part", kLength}, d.length_m);
  visit({"file", "", "shape = \"mesh\": a closed convex surface (.stl, .obj, .ply) in metres; relative to the scene"},
        d.file);
  visit({"mesh_scale", "", "shape = \"mesh\": of x, y, z in the file; 0.001 where it is in millimetres", kLength},
        d.mesh_scale);
}

void visit_fields(FieldVisitor& visit, LatticeDescription& l) {
  visit(required({"material", "", "name of a [material.NAME]"}), l.material);
  visit({"cell_size_m", "m", "edge of a lattice cell", kLength}, l.cell_size_m);
  visit({"lattice", "", "elastic model"}, l.lattice, kLattices);
  visit({"grid_shift_cells", "cells", "shift of the grid against the body", below(0.0, 1.0)}, l.grid_shift_cells);
  visit({"surface_spacing_cells", "cells", "spacing of contact samples", within(0.2, 1.0)}, l.surface_spacing_cells);
  visit({"smallest_cell_fraction", "", "cut cells filled less are dropped, their mass kept", within(0.0, 0.2)},
        l.smallest_cell_fraction);
}

void visit_fields(FieldVisitor& visit, Paper2Description& p) {
  constexpr Range kLimit = within(0.0, std::numeric_limits<double>::infinity());
  visit({"edge_stiffness", "", "model = \"paper2\": rule for the stiffness of springs"}, p.edge_stiffness,
        kEdgeStiffnesses);
  visit({"volume", "",
         "model = \"paper2\": direction of the force that keeps a cell's volume; vertex: of all cells around a vertex "
         "together"},
        p.volume, kTetVolumes);
  visit({"volume_stiffness_n_m3", "N/m^3", "model = \"paper2\": alpha of eq. 10", within(0.0, 1e15)},
        p.volume_stiffness_n_m3);
  visit({"stretch_limit", "", "model = \"paper2\": tau_s of eq. 14; inf: none", kLimit}, p.stretch_limit);
  visit({"compression_limit", "", "model = \"paper2\": tau_c of eq. 16; 1 and above: none", kLimit},
        p.compression_limit);
  visit({"limit_iterations", "", "model = \"paper2\": of alg. 3, after every step", within(0.0, 1000.0)},
        p.limit_iterations);
  visit({"limits_as_printed", "", "model = \"paper2\": eq. 13 without care for momentum and velocities"},
        p.limits_as_printed);
  visit({"limit_stiffness_ratio", "",
         "model = \"paper2\": above 0: springs beyond a limit are stiffer by this share of their stiffness, and "
         "nothing is moved after the step",
         within(0.0, 1e6)},
        p.limit_stiffness_ratio);
  visit({"edge_damping_ratio", "", "model = \"paper2\": of eq. 9", within(0.0, 10.0)}, p.edge_damping_ratio);
  visit({"edge_damping_as_printed", "", "model = \"paper2\": eq. 9 with the sum of the masses, over the length"},
        p.edge_damping_as_printed);
}

void visit_fields(FieldVisitor& visit, Paper4Description& p) {
  visit({"spring_damping_s", "s", "model = \"paper4\": alpha of eq. 2", within(0.0, 1.0)}, p.spring_damping_s);
  visit({"velocity_damping_n_s_m", "N s/m", "model = \"paper4\": beta, of every node", within(0.0, 1e6)},
        p.velocity_damping_n_s_m);
  visit({"yield_strain", "", "model = \"paper4\": a spring strained further keeps the rest; inf: never",
         above(0.0, std::numeric_limits<double>::infinity())},
        p.yield_strain);
}

void visit_fields(FieldVisitor& visit, GaussianDescription& g) {
  visit({"spread_m", "m", "model = \"gaussian\": sigma of the touch", kLength}, g.spread_m);
  visit({"ring_stiffness_n_m", "N/m", "model = \"gaussian\": of the spring between two rings", within(0.0, 1e12)},
        g.stiffness_n_m);
  visit({"ring_damping_n_s_m", "N s/m", "model = \"gaussian\": of the damper beside it", within(0.0, 1e9)},
        g.damping_n_s_m);
  visit({"ring_drag_n_s_m", "N s/m", "model = \"gaussian\": of every ring, against its velocity", within(0.0, 1e9)},
        g.drag_n_s_m);
}

void visit_fields(FieldVisitor& visit, FacetContactDescription& f) {
  constexpr Range kStickSpring = within(0.0, 1e9);
  visit({"per_facet", "", "hunt_crossley: every facet bears the whole force, as printed; else its share by area"},
        f.per_facet);
  visit({"exponent", "", "hunt_crossley: n of eq. 26", within(1.0, 3.0)}, f.exponent);
  visit({"restitution", "", "hunt_crossley: epsilon of eq. 26", within(0.0, 1.0)}, f.restitution);
  visit(
      {"least_approach_m_s", "m/s", "hunt_crossley: the first approach speed counts as at least this", above(0.0, 1.0)},
      f.least_approach_m_s);
  visit({"finger_youngs_modulus_pa", "Pa", "hunt_crossley: of the rigid partner, for eq. 28", above(0.0, 1e12)},
        f.finger_youngs_modulus_pa);
  visit({"finger_poissons_ratio", "", "hunt_crossley: the same", within(0.0, 0.5)}, f.finger_poissons_ratio);
  visit({"stick_speed_m_s", "m/s", "smooth_stick_slip: v_stick of eq. 31", above(0.0, 1.0)}, f.stick_speed_m_s);
  visit({"stick_stiffness_n_m", "N/m", "hunt_crossley: k_stick of eq. 36", kStickSpring}, f.stick_stiffness_n_m);
  visit({"stick_damping_n_s_m", "N s/m", "hunt_crossley: c_stick of eq. 36", kStickSpring}, f.stick_damping_n_s_m);
}

}  // namespace

void visit_fields(FieldVisitor& visit, MaterialDescription& m) {
  visit({"preset", "", "a known material (distal list --materials): what the other keys do not give"}, m.preset);
  visit({"density_kg_m3", "kg/m^3", "mass per volume", kDensity}, m.density_kg_m3);
  visit(optional(
            {"youngs_modulus_pa", "Pa", "any two of Young's modulus, Poisson's ratio, shear modulus", above(0.0, 1e12)},
            "from the other two"),
        m.youngs_modulus_pa);
  visit(optional({"poissons_ratio", "", "see youngs_modulus_pa", within(0.0, 0.499)}, "from the other two"),
        m.poissons_ratio);
  visit(optional({"shear_modulus_pa", "Pa", "see youngs_modulus_pa", above(0.0, 1e12)}, "from the other two"),
        m.shear_modulus_pa);
  visit(optional({"relaxation_time_s", "s", "viscosity over shear modulus", within(0.0, 1.0)}, "from damping_ratio"),
        m.relaxation_time_s);
  visit(optional(with_word(
                     {"damping_ratio", "", "of the body's first mode; instead of relaxation_time_s", within(0.0, 10.0)},
                     "critical", 1.0),
                 "0.1 without relaxation_time_s"),
        m.damping_ratio);
}

void visit_fields(FieldVisitor& visit, FingertipDescription& b) {
  visit_fields(visit, b.lattice);
  visit({"shape", "", "finger: cylinder and hemisphere around the rod; mesh: the pad is a closed mesh"}, b.shape,
        kFingertipShapes);
  visit({"file", "", "shape = \"mesh\": an STL file in the tip frame, in metres; relative to the scene"}, b.file);
  visit({"tip_radius_m", "m", "radius of the soft tip", kLength}, b.tip_radius_m);
  visit({"rod_radius_m", "m", "radius of the rigid rod; below tip_radius_m", kLength}, b.rod_radius_m);
  visit({"tip_length_m", "m", "cylinder part of the soft tip; at most rod_length_m", kLength}, b.tip_length_m);
  visit({"rod_length_m", "m", "from the hemisphere's centre back to the rod's end", kLength}, b.rod_length_m);
  visit({"rod_mass_kg", "kg", "mass of the rod", kMass}, b.rod_mass_kg);
  visit({"mount", "",
         "free: moved by wrenches; driven: its motion is imposed; inertia: free, with a flange; driven is the default "
         "under a [motion]"},
        b.mount, kFingertipMounts);
  visit({"flange_mass_kg", "kg", "mount = \"inertia\": mass behind the rod", within(0.0, 1e6)}, b.flange_mass_kg);
  visit({"flange_damping_n_s_m", "N s/m", "mount = \"inertia\": force per velocity of the rod's end", within(0.0, 1e9)},
        b.flange_damping_n_s_m);
  visit({"flange_angular_damping_n_m_s_rad", "N m s/rad", "mount = \"inertia\": torque per angular velocity",
         within(0.0, 1e9)},
        b.flange_angular_damping_n_m_s_rad);
  visit({"ligament_stiffness_factor", "", "rod to tip, per area, in E / cell size", within(1.0, 1000.0)},
        b.ligament_stiffness_factor);
  visit({"ligament_damping_ratio", "", "of each ligament against the mass it carries", within(0.0, 10.0)},
        b.ligament_damping_ratio);
  visit_fields(visit, b.placement);
}

void visit_fields(FieldVisitor& visit, BlockDescription& b) {
  visit_fields(visit, b.lattice);
  visit({"size_m", "m", "edges; the frame is at the centre", kLength}, b.size_m);
  visit_fields(visit, b.placement);
}

void visit_fields(FieldVisitor& visit, TetDescription& b) {
  visit(required({"material", "", "name of a [material.NAME]"}), b.material);
  visit({"shape", "",
         "cuboid, cylinder, sphere or capsule about the frame's origin, axis along z; mesh or surface: a file"},
        b.shape, kTetShapes);
  visit({"file", "",
         "shape = \"mesh\": tetrahedra (.msh, .node/.ele, .vtu); \"surface\": a closed surface (.stl, .obj, .ply) that "
         "tetgen or gmsh fills; metres; relative to the scene"},
        b.file);
  visit({"size_m", "m", "shape = \"cuboid\": edges", kLength}, b.size_m);
  visit({"radius_m", "m", "shape = \"cylinder\", \"sphere\", \"capsule\"", kLength}, b.radius_m);
  visit({"height_m", "m", "shape = \"cylinder\"; \"capsule\": its straight part", kLength}, b.height_m);
  visit({"edge_m", "m", "length of edges that the mesher aims at", kLength}, b.edge_m);
  visit({"model", "", "elastic model"}, b.model, kTetModels);
  visit_fields(visit, b.paper2);
  visit_fields(visit, b.placement);
}

void visit_fields(FieldVisitor& visit, StrandDescription& b) {
  visit(required({"material", "", "name of a [material.NAME]"}), b.material);
  visit({"points_m", "m", "centre line, a smooth curve through them; none: straight along x from the frame's origin",
         kPosition},
        b.points_m);
  visit({"length_m", "m", "without points_m; at least radius_m", kLength}, b.length_m);
  visit({"radius_m", "m", "of the round cross-section", kLength}, b.radius_m);
  visit(optional({"spacing_m", "m", "between rings of nodes, about", kLength}, "half of radius_m"), b.spacing_m);
  visit({"cross_section", "", "where a ring has its nodes: paper 4, Figs 7, 5 and 3"}, b.cross_section, kCrossSections);
  visit({"grid_nodes", "", "cross_section = \"grid\": 5, 13 or 29 in a ring", within(5.0, 29.0)}, b.grid_nodes);
  visit({"section_rings", "", "cross_section = \"concentric\": circles of eight nodes", within(2.0, 20.0)},
        b.section_rings);
  visit({"equal_area", "", "nodes so far out that the polygon has the circle's area; false: on the radius, as printed"},
        b.equal_area);
  visit({"model", "", "elastic model"}, b.model, kStrandModels);
  visit_fields(visit, b.paper4);
  visit_fields(visit, b.gaussian);
  visit_fields(visit, b.placement);
}

void visit_fields(FieldVisitor& visit, PlaneDescription& b) { visit_pose(visit, b.placement); }

void visit_fields(FieldVisitor& visit, RigidDescription& b) {
  visit({"shape", "", "shape; the frame is at the centre, or that of the mesh file"}, b.shape, kRigidShapes);
  visit_shape(visit, b);
  visit(optional({"mass_kg", "kg", "mass, spread evenly over the shape", kMass}, "0.05 without density_kg_m3"),
        b.mass_kg);
  visit(optional({"density_kg_m3", "kg/m^3", "instead of mass_kg", kDensity}, "from mass_kg"), b.density_kg_m3);
  visit({"mount", "",
         "free, driven (its motion is imposed), fixed or guided (free along guide_axis alone); driven is the "
         "default under a [motion], guided under one with forces_n"},
        b.mount, kRigidMounts);
  visit(ruled({"guide_axis", "",
               "mount = \"guided\": the only direction of motion, in the world; that of a [motion] with "
               "forces_n when not given"},
              VectorRule::direction),
        b.guide_axis);
  visit_fields(visit, b.placement);
}

void visit_fields(FieldVisitor& visit, ContactDescription& c) {
  visit({"normal", "", "law along the normal"}, c.normal, kNormalLaws);
  visit({"tangential", "", "law along the surface"}, c.tangential, kTangentialLaws);
  visit({"static_friction", "", "0: frictionless; inf: never slips", kFriction}, c.static_friction);
  visit({"dynamic_friction", "", "at most static_friction, which it follows when not given", kFriction},
        c.dynamic_friction);
  visit({"slip_distance_m", "m", "stick_slip: over which a sample that slides goes from static to dynamic friction",
         within(0.0, 1.0)},
        c.slip_distance_m);
  visit({"stiffness_factor", "", "per area, in E / cell size of the soft body", within(1.0, 1000.0)},
        c.stiffness_factor);
  visit_fields(visit, c.facet);
  visit({"foundation_pa_m", "Pa/m", "normal = \"winkler\": modulus over depth of the soft layer", above(0.0, 1e15)},
        c.patch.foundation_pa_m);
  visit({"contact_modulus_pa", "Pa", "normal = \"hertz\": E*, 1/E* = sum of (1 - nu^2)/E", above(0.0, 1e13)},
        c.patch.contact_modulus_pa);
  visit({"moment_as_printed", "", "friction about the normal by (9) and (10) of paper 3, not by the exact mean"},
        c.patch.moment_as_printed);
}

void visit_fields(FieldVisitor& visit, PairDescription& p) {
  visit.two_names(required({"bodies", "", "the two bodies; the other keys default to [contact]"}), p.body_a, p.body_b);
  visit_fields(visit, p.contact);
}

void visit_fields(FieldVisitor& visit, PartDescription& p) {
  visit(required({"body", "", "a rigid body"}), p.body);
  visit({"shape", "", "shape; its frame is at its centre, or that of the mesh file"}, p.shape, kRigidShapes);
  visit_shape(visit, p);
  visit(optional({"mass_kg", "kg", "added to that of the body", kMass}, "none"), p.mass_kg);
  visit(optional({"density_kg_m3", "kg/m^3", "instead of mass_kg", kDensity}, "none"), p.density_kg_m3);
  visit({"position_m", "m", "its centre in the body's frame", kPosition}, p.position_m);
  visit(ruled({"q_xyzw", "", "its orientation there, a unit quaternion"}, VectorRule::unit_quaternion), p.q_xyzw);
}

void visit_fields(FieldVisitor& visit, FixDescription& f) {
  visit(required({"body", "", "a soft body"}), f.body);
  visit({"min_m", "m", "nodes inside this box of the body's frame are held", kBox}, f.min_m);
  visit({"max_m", "m", "upper corner of the box", kBox}, f.max_m);
}

void visit_fields(FieldVisitor& visit, LoadDescription& l) {
  visit(required({"body", "", "a soft body"}), l.body);
  visit({"min_m", "m", "surface inside this box of the body's frame is pulled", kBox}, l.min_m);
  visit({"max_m", "m", "upper corner of the box", kBox}, l.max_m);
  visit({"force_n", "N", "total, along the world's axes", within(-1e9, 1e9)}, l.force_n);
}

void visit_fields(FieldVisitor& visit, FieldDescription& f) {
  constexpr Range kValue = within(-1e9, 1e9);
  visit(required({"body", "", "a strand or a tet"}), f.body);
  visit({"initial", "", "value at the start; kelvin for a temperature", kValue}, f.initial);
  visit({"diffusivity_m2_s", "m^2/s", "how fast it spreads within the body", within(0.0, 1.0)}, f.diffusivity_m2_s);
  visit({"capacity_j_kg_k", "J/(kg K)", "of the body, for what comes through its surface", above(0.0, 1e6)},
        f.capacity_j_kg_k);
  visit({"softening_per_unit", "1/K", "share of the stiffness lost per kelvin (or unit)", within(0.0, 1e3)},
        f.softening_per_unit);
  visit({"reference", "", "value at which the stiffness is the material's", kValue}, f.reference);
  visit({"softest_share", "", "share of the stiffness that always stays", above(0.0, 1.0)}, f.softest_share);
  visit({"contact_body", "", "a rigid body that heats (or wets) where it touches; empty: none"}, f.contact_body);
  visit({"contact_value", "", "its value", kValue}, f.contact_value);
  visit({"contact_exchange_w_m2_k", "W/(m^2 K)", "how well it does so", within(0.0, 1e9)}, f.contact_exchange_w_m2_k);
}

void visit_fields(FieldVisitor& visit, FieldValueDescription& v) {
  visit(required({"field", "", "name of a [field.NAME]"}), v.field);
  visit({"min_m", "m", "nodes inside this box of the body's frame start with the value", kBox}, v.min_m);
  visit({"max_m", "m", "upper corner of the box", kBox}, v.max_m);
  visit({"value", "", "of the field there", within(-1e9, 1e9)}, v.value);
  visit({"held", "", "for good, like a bath; else at the start alone"}, v.held);
}

void visit_fields(FieldVisitor& visit, IntegratorDescription& i) {
  visit({"kind", "", "time integration"}, i.kind, kIntegratorNames);
  visit(optional({"time_step_s", "s", "must divide run.control_period_s", above(0.0, 1.0)}, "from the stable step"),
        i.time_step_s);
  visit({"tolerance", "", "runge_kutta: error per step, relative", within(1e-14, 0.1)}, i.tolerance);
  visit({"added_damping", "", "auto: damping ratio that an implicit step may add to a mode in the control loop's reach",
         within(1e-3, 2.0)},
        i.added_damping);
  visit({"residual_tolerance", "", "implicit kinds: residual of every step, relative to its right side",
         within(1e-12, 0.1)},
        i.residual_tolerance);
  visit({"balance_tolerance", "",
         "implicit kinds: or residual of every step, relative to the weight and contact forces of the particles; 0 "
         "leaves it to residual_tolerance alone",
         within(0.0, 0.1)},
        i.balance_tolerance);
  visit({"energy_tolerance", "", "energy_guided: spurious energy as a share of the energy turned over",
         within(1e-12, 0.5)},
        i.energy_tolerance);
  visit(
      {"friction_vertices", "", "complementarity: vertices of the friction ellipsoid, an even number", within(6, 400)},
      i.friction_vertices);
  visit(
      {"friction_inscribed", "", "complementarity: vertices on the ellipsoid as printed, instead of balanced about it"},
      i.friction_inscribed);
}

void visit_fields(FieldVisitor& visit, ModelDescription& m) {
  visit({"title", "", "one line for lists and reports"}, m.title);
  visit({"gravity_m_s2", "m/s^2", "in the world, z up", kGravity}, m.gravity_m_s2);
}

}  // namespace distal
