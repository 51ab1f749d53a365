// The shape of a simulated scene for viewers. What costs time is done here, in the thread of the server, from a copy
// of the few arrays that the simulation hands over.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "distal/simulation/simulation.hpp"
#include "distal/state/embedding.hpp"
#include "distal/view/view_data.hpp"

namespace distal {

// A sample that touches something.
struct TouchingSample {
  int soft = -1;  // index into Model::soft; -1: of a rigid body
  std::int32_t sample = 0;
  double normal_force_n = 0.0;
  Vec3 place_m = Vec3::Zero(), force_n = Vec3::Zero();  // world
};

// Copies of what changes, as it stands in the simulation.
struct RawMoment {
  double time_s = 0.0;
  ViewStanding standing;
  std::vector<BodyReading> readings;  // of commanded bodies
  std::vector<Wrench> commands;       // of commanded bodies
  std::vector<char> in_hand;          // of commanded bodies; empty: none
  bool pointer_parked = false;
  Vec3Array x;
  std::vector<RigidState> rigid;
  std::vector<std::vector<double>> fields;  // of the state
  std::vector<TouchingSample> touching;
  std::vector<ViewPatch> patches;
};

// Allocates only while the arrays grow.
void copy_moment(const Simulation& simulation, RawMoment& moment);

class LiveGeometry {
 public:
  // Keeps nothing of the simulation. `pointer` is the body that viewers push with.
  LiveGeometry(const Simulation& simulation, const std::optional<std::string>& pointer);

  // Bodies, parts and pointer are filled in; the rest is the caller's.
  const ViewScene& scene() const { return scene_; }
  void develop(const RawMoment& raw, RoleSet roles, ViewMoment& moment);
  // Index among the commanded bodies of a body of the scene of viewers, which must be one of them.
  std::size_t commanded_of(std::size_t body) const;

 private:
  struct SoftPart {
    explicit SoftPart(const SoftBody& body) : corners(body) {}
    CellCorners corners;
    EmbeddedPoints skin;
    TriangleMesh now;                   // the skin as developed last
    std::vector<Vec3> rest_m;           // body frame
    std::vector<double> rest_area_m2;   // where there are no triangles
    std::vector<std::size_t> boundary;  // particles that are drawn
    int rod = -1;                       // index into Model::rigid
    int field = -1;                     // its first one, index into Model::fields
    Pose initial_pose;
    std::size_t surface_part = 0, lattice_part = 0;
  };
  struct RigidPart {
    std::optional<std::size_t> part;  // none where it is fixed or has no shape
    Vec3 centre_of_mass_m = Vec3::Zero();
    bool is_pointer = false;
  };

  void add_soft(const SoftBody& soft, int body);
  void add_lattice(const SoftBody& soft, SoftPart& part, int body);
  void add_rigid(const Model& model, std::size_t rigid, int body);
  void add_mesh(int body, ViewRole role, ViewMotion motion, const TriangleMesh& mesh);
  void develop_skin(const RawMoment& raw, std::size_t soft, ViewMoment& moment);
  Pose pose_of_rigid(const RawMoment& raw, std::size_t rigid) const;

  ViewScene scene_;
  Aabb bounds_;  // of everything but planes, at the start
  std::vector<SoftPart> soft_;
  std::vector<RigidPart> rigid_;
  std::vector<int> commanded_of_body_;  // -1: not commanded
  std::vector<Pose> fixed_pose_;        // of bodies that are not commanded
};

}  // namespace distal
