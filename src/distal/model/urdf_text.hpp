// The text of a URDF file, checked: whatever a user can get wrong is named here with its line, before urdfdom reads it.
#pragma once
#include <map>
#include <string>

namespace distal {

struct UrdfText {
  std::string file;
  std::string xml;  // links and joints without what only pictures and controllers use
  std::map<std::string, int> link_line, joint_line;
  std::string place_of_link(const std::string& name) const;
  std::string place_of_joint(const std::string& name) const;
};

// Throws InputError: file, line, element, what was found and what is allowed.
UrdfText load_urdf_text(const std::string& file);

}  // namespace distal
