// [joint_path.NAME]: sets the servo's path of one joint of a hand, or of all that a recorded motion has columns for.
#pragma once
#include <map>
#include <set>
#include <string>

#include "distal/model/link_tree.hpp"
#include "distal/model/motion_file.hpp"

namespace distal {

class PathSetter {
 public:
  // Reads the files. Throws InputError for one that cannot be used, and a path with neither or both of file and times.
  explicit PathSetter(const ModelDescription& description);

  // Gives the link's joint its path, where there is one. Throws InputError for a path that the joint cannot follow.
  void set(const std::string& hand, Link& link);
  // Throws InputError when a path names no joint of a hand.
  void finish() const;

 private:
  using Path = std::pair<std::string, JointPathDescription>;  // with the name
  const std::vector<double>* recorded(const Path& path, const std::string& joint, const Link& link) const;
  void set_given(const Path& path, Link& link) const;
  void set_recorded(const Path& path, const std::string& joint, const std::vector<double>& values, Link& link) const;
  void refuse_unknown_columns(const Path& path) const;

  const ModelDescription& description_;
  std::map<std::string, MotionTable> motions_;  // by the path's name
  std::set<std::string> joints_;                // of hands, that can have a path
  std::set<std::string> columns_;               // that can be one of them
  std::set<std::string> spared_;                // columns that joints.csv has too: nothing to follow
};

}  // namespace distal
