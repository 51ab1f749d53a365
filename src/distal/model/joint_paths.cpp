#include "distal/model/joint_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"

namespace distal {
namespace {

constexpr double kOvershoot = 0.01;  // of a joint's range: a recorded motion may press into its end

bool is_turning(const Link& link) { return link.kind == JointKind::revolute; }

void check_motor(const std::string& key, const Link& link) {
  if (link.drive.motor_stiffness == 0.0 && link.drive.motor_damping == 0.0)
    throw InputError(fmt::format("{}: the hand's motors are off: its motor_stiffness_{} is 0", key,
                                 is_turning(link) ? "n_m_rad" : "n_m"));
}

void check_path(const std::string& key, const JointPathDescription& path, const Link& link) {
  const bool turns = is_turning(link);
  const char *own = turns ? "targets_rad" : "targets_m", *other = turns ? "targets_m" : "targets_rad";
  const std::vector<double>& targets = turns ? path.targets_rad : path.targets_m;
  if (!(turns ? path.targets_m : path.targets_rad).empty() || targets.empty())
    throw InputError(fmt::format("{}.{}: \"{}\" {}, allowed: {}", key,
                                 targets.empty() && path.targets_m.empty() && path.targets_rad.empty() ? own : other,
                                 path.joint, turns ? "turns" : "slides", own));
  if (targets.size() != path.times_s.size())
    throw InputError(fmt::format("{}.times_s: {} times for {} targets", key, path.times_s.size(), targets.size()));
  if (!std::is_sorted(path.times_s.begin(), path.times_s.end(), std::less_equal<>{}))
    throw InputError(fmt::format("{}.times_s: must rise from one to the next", key));
  for (const double target : targets)
    if (target < link.drive.lower || target > link.drive.upper)
      throw InputError(fmt::format("{}.{}: {:.6g} is beyond the joint, allowed: [{:.6g}, {:.6g}]", key, own, target,
                                   link.drive.lower, link.drive.upper));
  check_motor(key + ".joint", link);
}

// Of a joint in joints.csv: position, velocity and effort.
std::vector<std::string> columns_of(const std::string& joint, bool turns) {
  if (turns) return {joint + "_rad", joint + "_rad_s", joint + "_n_m"};
  return {joint + "_m", joint + "_m_s", joint + "_n"};
}

}  // namespace

PathSetter::PathSetter(const ModelDescription& description) : description_(description) {
  for (const auto& [name, path] : description.joint_paths) {
    const std::string key = "joint_path." + name;
    const bool is_given = !path.times_s.empty() || !path.targets_rad.empty() || !path.targets_m.empty();
    if (path.file.empty()) {
      if (path.joint.empty()) throw InputError(key + ".joint: is missing; without a file a path is of one joint");
      if (path.times_s.empty()) throw InputError(key + ".times_s: is missing; a path has times and targets, or a file");
      continue;
    }
    if (is_given) throw InputError(key + ".file: times and targets are given too, allowed: one of the two");
    try {
      motions_.emplace(name, load_motion(path.file));
    } catch (const InputError& error) { throw InputError(fmt::format("{}.file: {}", key, error.what())); }
  }
  for (const auto& [name, joint] : description.joints)
    for (const bool turns : {true, false})
      for (const std::string& column : columns_of(name, turns)) spared_.insert(column);
}

void PathSetter::set(const std::string& hand, Link& link) {
  const std::string joint = hand + "/" + link.joint;
  std::string taken;
  const bool is_free = link.kind != JointKind::weld && link.drive.mimic.empty();
  if (is_free) joints_.insert(joint);
  const std::vector<std::string> columns = columns_of(joint, is_turning(link));
  if (is_free) columns_.insert(columns.front());
  spared_.insert(columns.begin(), columns.end());
  for (const Path& named : description_.joint_paths) {
    const auto& [name, path] = named;
    const std::vector<double>* values = recorded(named, joint, link);
    if (values == nullptr && path.joint != joint) continue;
    const std::string key = fmt::format("joint_path.{}.{}", name, path.joint.empty() ? "file" : "joint");
    if (!link.drive.mimic.empty()) {
      if (path.joint.empty()) continue;  // in a table of all joints
      throw InputError(
          fmt::format("{}: \"{}\" follows \"{}/{}\", which can have a path", key, joint, hand, link.drive.mimic));
    }
    if (!taken.empty()) throw InputError(fmt::format("{}: {} sets the path of \"{}\"", key, taken, joint));
    taken = "joint_path." + name;
    if (link.kind == JointKind::weld) throw InputError(fmt::format("{}: \"{}\" is fixed", key, joint));
    if (path.file.empty())
      set_given(named, link);
    else if (values != nullptr)
      set_recorded(named, joint, *values, link);
    else
      throw InputError(fmt::format("joint_path.{}.file: {} has no column {}", name, path.file, columns.front()));
  }
}

// The column of a joint, if the path is a file and about it.
const std::vector<double>* PathSetter::recorded(const Path& path, const std::string& joint, const Link& link) const {
  const auto motion = motions_.find(path.first);
  if (motion == motions_.end() || link.kind == JointKind::weld) return nullptr;
  if (!path.second.joint.empty() && path.second.joint != joint) return nullptr;
  return motion->second.find(columns_of(joint, is_turning(link)).front());
}

void PathSetter::set_given(const Path& path, Link& link) const {
  check_path("joint_path." + path.first, path.second, link);
  link.drive.times_s = path.second.times_s;
  link.drive.targets = is_turning(link) ? path.second.targets_rad : path.second.targets_m;
}

void PathSetter::set_recorded(const Path& path, const std::string& joint, const std::vector<double>& values,
                              Link& link) const {
  const std::string key = fmt::format("joint_path.{}.file", path.first);
  const double lower = link.drive.lower, upper = link.drive.upper;
  const double slack = std::isfinite(upper - lower) ? kOvershoot * (upper - lower) : 0.0;
  link.drive.times_s = motions_.at(path.first).times_s;
  link.drive.targets.clear();
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (values[row] < lower - slack || values[row] > upper + slack)
      throw InputError(fmt::format("{}: at {:.6g} s \"{}\" is {:.6g}, beyond the joint, allowed: [{:.6g}, {:.6g}]", key,
                                   link.drive.times_s[row], joint, values[row], lower, upper));
    link.drive.targets.push_back(std::clamp(values[row], lower, upper));
  }
  check_motor(key, link);
}

void PathSetter::refuse_unknown_columns(const Path& path) const {
  const std::vector<std::string_view> known(columns_.begin(), columns_.end());
  bool any = false;
  for (const std::string& column : motions_.at(path.first).columns) {
    any = any || columns_.contains(column);
    if (!spared_.contains(column))
      throw InputError(fmt::format("joint_path.{}.file: {} has a column \"{}\", which is no joint of a hand{}",
                                   path.first, path.second.file, column, suggestion(column, known)));
  }
  if (!any)
    throw InputError(fmt::format("joint_path.{}.file: {} has no column of a joint that can have a path; allowed: {}",
                                 path.first, path.second.file, fmt::join(columns_, ", ")));
}

void PathSetter::finish() const {
  for (const Path& named : description_.joint_paths) {
    const auto& [name, path] = named;
    if (path.joint.empty()) {
      refuse_unknown_columns(named);
      continue;
    }
    if (joints_.contains(path.joint)) continue;
    const auto same = [&, &wanted = path.joint](const auto& joint) { return joint.first == wanted; };
    const bool own = std::any_of(description_.joints.begin(), description_.joints.end(), same);
    const std::vector<std::string_view> known(joints_.begin(), joints_.end());
    throw InputError(
        fmt::format("joint_path.{}.joint: {}", name,
                    own ? fmt::format("joint.{} has a path of its own: times_s and targets there", path.joint)
                        : fmt::format("there is no joint \"{}\" of a hand; {}{}", path.joint,
                                      joints_.empty() ? "the scene has no hand"
                                                      : fmt::format("there are: {}", fmt::join(joints_, ", ")),
                                      suggestion(path.joint, known))));
  }
}

}  // namespace distal
