// A tree of rigid links on joints, as a hand has it before it stands anywhere.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "distal/model/joint.hpp"

namespace distal {

struct Link {
  std::string name;
  std::vector<PartDescription> parts;           // its surface, in its own frame
  std::optional<InertialDescription> inertial;  // none: that of its parts
  std::string place;                            // for messages: file, line and name
  // How it hangs on the link before; the joint is at the origin of its frame.
  int parent = -1;  // an earlier one; -1: it is the root
  std::string joint;
  JointKind kind = JointKind::weld;
  Pose origin;  // in the parent's frame, at position zero
  Vec3 axis = Vec3::UnitX();
  JointDrive drive;  // `mimic` names a joint of the same tree, which follows none itself
};
using LinkTree = std::vector<Link>;  // the root first

}  // namespace distal
