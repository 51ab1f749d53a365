// Joints between rigid bodies. Bodies on joints have no freedom but the joint's: their pose follows from its position.
#pragma once
#include <string>
#include <vector>

#include "distal/model/description.hpp"

namespace distal {

struct RigidBody;

enum class JointKind { revolute, prismatic, weld };

struct Joint {
  std::string name;
  JointKind kind = JointKind::revolute;
  int parent = -1;  // index into Model::rigid; -1: the world
  int child = 0;
  Pose child_in_parent;                               // at position zero, of the body frames
  Vec3 point_m = Vec3::Zero(), axis = Vec3::UnitZ();  // in the child's frame
  JointDrive drive;
  int mimic = -1;  // index into Model::joints

  bool has_freedom() const { return kind != JointKind::weld && mimic < 0; }
  bool has_motor() const { return drive.motor_stiffness > 0.0 || drive.motor_damping > 0.0; }
  // Where the child's frame stands in the frame that it has at position zero.
  Pose motion(double position) const;
  struct Target {
    double position, velocity;
  };
  Target target_at(double time_s) const;
};

// Children become Mount::jointed. Throws InputError: a name that points nowhere, two joints of one child, a ring, a
// child that is not free, limits that leave the initial position out, a path without order.
std::vector<Joint> make_joints(const ModelDescription& description, std::vector<RigidBody>& bodies,
                               const std::vector<Pose>& initial_poses);

}  // namespace distal
