// A rigid body: the rod of a finger, or an object that a finger touches. Constant part.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "distal/geometry/shape.hpp"
#include "distal/model/description.hpp"

namespace distal {

struct RigidBody {
  std::string name;
  Mount mount = Mount::free;
  double mass_kg = 0.0;  // everything that moves with it, flange included
  // About the centre of mass, along the body's axes; set_inertia keeps the three together.
  Mat3 inertia_kg_m2 = Mat3::Zero();
  Mat3 inverse_inertia = Mat3::Zero();       // [1/(kg m^2)]
  Mat3 inverse_root_inertia = Mat3::Zero();  // its square root
  Vec3 centre_of_mass_m = Vec3::Zero();      // in the body frame (tip frame, or the object's centre)
  Vec3 end_m = Vec3::Zero();                 // E, or the object's centre, in the body frame
  double damping_n_s_m = 0.0;                // of E (mount = inertia)
  double angular_damping_n_m_s_rad = 0.0;
  double beyond_flange_mass_kg = 0.0;  // what the force sensor carries: without the flange
  Vec3 beyond_flange_centre_m = Vec3::Zero();
  Mat3 beyond_flange_inertia_kg_m2 = Mat3::Zero();  // about that centre
  std::optional<Shape> shape;                       // what others touch; none for a rod
  // Points with which it touches other rigid shapes (box corners, sphere centre with its radius), stiffness each.
  std::vector<Vec3> samples_m;
  std::vector<double> sample_radii_m;
  double sample_stiffness_n_m = 0.0, sample_damping_n_s_m = 0.0;

  Vec3 guide_axis = Vec3::UnitZ();  // mount = guided, world

  void set_inertia(const Mat3& about_centre_kg_m2);
  // Its motion follows from the forces on it alone.
  bool moves_freely() const { return mount == Mount::free || mount == Mount::inertia || mount == Mount::guided; }
  // What is left of a wrench when the guide has taken its share.
  Wrench allowed(const Wrench& w) const {
    return mount == Mount::guided ? Wrench{guide_axis.dot(w.force) * guide_axis, Vec3::Zero()} : w;
  }
};

// Rod of paper 1: cylinder of length l behind the tip frame's origin, hemisphere of radius r in front of it.
RigidBody make_rod(const std::string& name, const FingertipDescription& description);
RigidBody make_object(const std::string& name, const RigidDescription& description);
// Makes its shape a union with one more part, whose mass is added.
void add_part(const std::string& name, const PartDescription& description, RigidBody& body);
// `path` is for refusals of a mesh.
Shape make_part_shape(const std::string& path, const PartDescription& description);
RigidBody make_plane(const std::string& name);
// The rod or object of that name, with its parts; none for other bodies. Hands are expanded.
std::optional<RigidBody> make_moved_body(const ModelDescription& description, const std::string& name);

}  // namespace distal
