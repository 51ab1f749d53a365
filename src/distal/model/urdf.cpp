#include "distal/model/urdf.hpp"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "distal/core/error.hpp"
#include "distal/model/urdf_text.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

// urdfdom tells its mind to a handler that the process has one of, and goes on after most mistakes. One at a time.
class MessageKeeper final : public console_bridge::OutputHandler {
 public:
  MessageKeeper() { console_bridge::useOutputHandler(this); }
  ~MessageKeeper() override { console_bridge::restorePreviousOutputHandler(); }
  MessageKeeper(const MessageKeeper&) = delete;
  MessageKeeper& operator=(const MessageKeeper&) = delete;
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) errors.push_back(text);
  }
  std::vector<std::string> errors;
};

Vec3 vector_of(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Pose pose_of_urdf(const urdf::Pose& pose) {
  const urdf::Rotation& r = pose.rotation;
  return {vector_of(pose.position), Quat(r.w, r.x, r.y, r.z).normalized()};
}

// Where a mesh lies: beside the URDF, or in a package, which is a folder above it or beside one of those.
std::string find_mesh(const UrdfText& urdf, const std::string& where, const std::string& name) {
  const fs::path folder = fs::absolute(urdf.file).parent_path();
  std::string inside = name;
  std::vector<fs::path> candidates;
  if (name.starts_with("package://")) {
    inside = name.substr(10);
    const std::string package = inside.substr(0, inside.find('/'));
    for (fs::path at = folder;; at = at.parent_path()) {
      candidates.push_back(at / inside);
      if (at.filename() == package) candidates.push_back(at.parent_path() / inside);
      if (at == at.parent_path()) break;
    }
  } else {
    if (name.starts_with("file://")) inside = name.substr(7);
    candidates.push_back(folder / inside);
  }
  std::error_code ignored;
  for (const fs::path& candidate : candidates)
    if (fs::is_regular_file(candidate, ignored)) return candidate.lexically_normal().string();
  throw InputError(fmt::format("{}: there is no mesh {}; looked for {}{}", where, name,
                               candidates.front().lexically_normal().string(),
                               candidates.size() > 1 ? " and the same in every folder above" : ""));
}

PartDescription part_of(const UrdfText& urdf, const std::string& where, const urdf::Collision& collision) {
  PartDescription part;
  const Pose pose = pose_of_urdf(collision.origin);
  part.position_m = pose.position, part.q_xyzw = pose.q;
  const urdf::Geometry& geometry = *collision.geometry;
  if (geometry.type == urdf::Geometry::BOX) {
    part.shape = RigidShapeKind::box;
    part.size_m = vector_of(static_cast<const urdf::Box&>(geometry).dim);
  } else if (geometry.type == urdf::Geometry::SPHERE) {
    part.shape = RigidShapeKind::sphere;
    part.radius_m = static_cast<const urdf::Sphere&>(geometry).radius;
  } else if (geometry.type == urdf::Geometry::CYLINDER) {
    part.shape = RigidShapeKind::cylinder;
    part.radius_m = static_cast<const urdf::Cylinder&>(geometry).radius;
    part.length_m = static_cast<const urdf::Cylinder&>(geometry).length;
  } else {
    const auto& mesh = static_cast<const urdf::Mesh&>(geometry);
    part.shape = RigidShapeKind::mesh;
    part.file = find_mesh(urdf, where, mesh.filename);
    part.mesh_scale = vector_of(mesh.scale);
  }
  return part;
}

InertialDescription inertial_of(const urdf::Inertial& inertial) {
  const Pose origin = pose_of_urdf(inertial.origin);
  const Mat3 turn = origin.q.toRotationMatrix();
  Mat3 own;
  own << inertial.ixx, inertial.ixy, inertial.ixz, inertial.ixy, inertial.iyy, inertial.iyz, inertial.ixz, inertial.iyz,
      inertial.izz;
  return {inertial.mass, origin.position, turn * own * turn.transpose()};
}

Link link_of(const UrdfText& urdf, const urdf::Link& from) {
  Link link;
  link.name = from.name;
  link.place = urdf.place_of_link(from.name);
  if (from.inertial) link.inertial = inertial_of(*from.inertial);
  for (const auto& collision : from.collision_array) link.parts.push_back(part_of(urdf, link.place, *collision));
  return link;
}

void add_joint(const urdf::Joint& joint, Link& link) {
  link.joint = joint.name;
  link.origin = pose_of_urdf(joint.parent_to_joint_origin_transform);
  link.kind = joint.type == urdf::Joint::FIXED       ? JointKind::weld
              : joint.type == urdf::Joint::PRISMATIC ? JointKind::prismatic
                                                     : JointKind::revolute;
  if (link.kind == JointKind::weld) return;
  link.axis = vector_of(joint.axis).normalized();
  if (joint.limits && joint.type != urdf::Joint::CONTINUOUS)
    link.drive.lower = joint.limits->lower, link.drive.upper = joint.limits->upper;
  // Zero is what people write who do not know: a motor without force is no motor.
  if (joint.limits && joint.limits->effort > 0.0) link.drive.most_effort = joint.limits->effort;
  if (joint.dynamics) link.drive.damping = joint.dynamics->damping;
  if (!joint.mimic) return;
  link.drive.mimic = joint.mimic->joint_name;
  link.drive.mimic_factor = joint.mimic->multiplier, link.drive.mimic_offset = joint.mimic->offset;
}

void add_links(const UrdfText& urdf, const urdf::Link& from, int parent, LinkTree& tree) {
  const auto index = static_cast<int>(tree.size());
  tree.push_back(link_of(urdf, from));
  tree.back().parent = parent;
  if (from.parent_joint) add_joint(*from.parent_joint, tree.back());
  for (const auto& child : from.child_links) add_links(urdf, *child, index, tree);
}

// A joint may follow one that follows another: here all follow one that is free.
void shorten_mimics(const UrdfText& urdf, LinkTree& tree) {
  for (Link& link : tree) {
    JointDrive& drive = link.drive;
    for (std::size_t steps = 0; !drive.mimic.empty(); ++steps) {
      const Link& master =
          *std::find_if(tree.begin(), tree.end(), [&](const Link& l) { return l.joint == drive.mimic; });
      if (master.kind == JointKind::weld)
        throw InputError(
            fmt::format("{}: mimics \"{}\", which is fixed", urdf.place_of_joint(link.joint), master.joint));
      if (steps > tree.size() || &master == &link)
        throw InputError(fmt::format("{}: mimics itself, by \"{}\"", urdf.place_of_joint(link.joint), master.joint));
      if (master.drive.mimic.empty()) break;
      drive.mimic_offset += drive.mimic_factor * master.drive.mimic_offset;
      drive.mimic_factor *= master.drive.mimic_factor;
      drive.mimic = master.drive.mimic;
    }
  }
}

}  // namespace

LinkTree load_urdf(const std::string& file) {
  const UrdfText urdf = load_urdf_text(file);
  urdf::ModelInterfaceSharedPtr robot;
  {
    static std::mutex one_reader;
    const std::lock_guard lock(one_reader);
    MessageKeeper keeper;
    robot = urdf::parseURDF(urdf.xml);
    if (!robot || !keeper.errors.empty()) throw InputError(fmt::format("{}: {}", file, fmt::join(keeper.errors, "; ")));
  }
  LinkTree tree;
  add_links(urdf, *robot->getRoot(), -1, tree);
  shorten_mimics(urdf, tree);
  return tree;
}

}  // namespace distal
