#include "distal/model/expand_hands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/model/five_fingers.hpp"
#include "distal/model/joint_paths.hpp"
#include "distal/model/link_mass.hpp"
#include "distal/model/urdf.hpp"

namespace distal {
namespace {

// Frames without mass and surface that are welded to something else: what hangs on them hangs there.
LinkTree without_frames(const LinkTree& tree) {
  LinkTree kept;
  std::vector<std::pair<int, Pose>> place;  // of every link: which one is kept, and where in its frame
  for (const Link& link : tree) {
    const bool weightless = !link.inertial || link.inertial->mass_kg == 0.0;
    auto [parent, origin] = link.parent < 0 ? std::pair(-1, Pose{}) : place[static_cast<std::size_t>(link.parent)];
    origin = origin * link.origin;
    if (link.parent >= 0 && link.kind == JointKind::weld && link.parts.empty() && weightless) {
      place.emplace_back(parent, origin);
      continue;
    }
    place.emplace_back(static_cast<int>(kept.size()), Pose{});
    kept.push_back(link);
    kept.back().parent = parent, kept.back().origin = origin;
  }
  return kept;
}

LinkTree make_tree(const std::string& name, const HandDescription& hand) {
  if (hand.file.empty()) {
    LinkTree tree = make_five_fingers(hand.length_m);
    settle_masses(hand.density_kg_m3, hand.mount, tree);
    return tree;
  }
  try {
    LinkTree tree = without_frames(load_urdf(hand.file));
    settle_masses(hand.density_kg_m3, hand.mount, tree);
    return tree;
  } catch (const InputError& error) { throw InputError(fmt::format("body.{}.file: {}", name, error.what())); }
}

void set_motor(const HandDescription& hand, Link& link) {
  if (link.kind == JointKind::weld || !link.drive.mimic.empty()) return;
  const bool turns = link.kind == JointKind::revolute;
  link.drive.motor_stiffness = turns ? hand.motor_stiffness_n_m_rad : hand.motor_stiffness_n_m;
  link.drive.motor_damping = turns ? hand.motor_damping_n_m_s_rad : hand.motor_damping_n_s_m;
  link.drive.most_effort = std::min(link.drive.most_effort, turns ? hand.most_torque_n_m : hand.most_force_n);
}

// Free joints start on their paths, or as near to zero as their limits let them; the others follow.
void set_starts(LinkTree& tree) {
  for (Link& link : tree)
    link.drive.initial =
        link.drive.targets.empty() ? std::clamp(0.0, link.drive.lower, link.drive.upper) : link.drive.targets.front();
  for (Link& link : tree) {
    if (link.drive.mimic.empty()) continue;
    const auto same = [&](const Link& other) { return other.joint == link.drive.mimic; };
    const Link& master = *std::find_if(tree.begin(), tree.end(), same);
    link.drive.initial = link.drive.mimic_factor * master.drive.initial + link.drive.mimic_offset;
  }
}

JointDescription joint_of(const std::string& hand, const LinkTree& tree, const Link& link) {
  JointPlace place;
  place.parent = hand + "/" + tree[static_cast<std::size_t>(link.parent)].name;
  place.child = hand + "/" + link.name;
  place.axis = link.axis;
  JointDrive drive = link.drive;
  if (!drive.mimic.empty()) drive.mimic = hand + "/" + drive.mimic;
  if (link.kind == JointKind::weld) return WeldDescription{place};
  if (link.kind == JointKind::prismatic) return PrismaticDescription{place, drive};
  return RevoluteDescription{place, drive};
}

// Where the link's frame stands in that of the link before, at the start.
Pose start_of(const Link& link) {
  Joint joint;
  joint.kind = link.kind, joint.axis = link.axis;
  return link.origin * joint.motion(link.drive.initial);
}

void add_hand(const std::string& name, const HandDescription& hand, const LinkTree& tree, ModelDescription& to) {
  std::vector<Pose> poses;
  for (const Link& link : tree) {
    const auto parent = static_cast<std::size_t>(std::max(link.parent, 0));
    const bool is_root = link.parent < 0;
    poses.push_back(is_root ? Pose{hand.placement.position_m, hand.placement.q_xyzw} : poses[parent] * start_of(link));
    RigidDescription body;
    body.placement.position_m = poses.back().position;
    body.placement.q_xyzw = poses.back().q.normalized();
    body.mount = is_root ? hand.mount : Mount::free;
    body.inertial = link.inertial;
    const std::string body_name = name + "/" + link.name;
    to.bodies.emplace_back(body_name, body);
    for (PartDescription part : link.parts) {
      part.body = body_name;
      to.parts.emplace_back(body_name, part);
    }
    if (!is_root) to.joints.emplace_back(name + "/" + link.joint, joint_of(name, tree, link));
  }
}

}  // namespace

ModelDescription expand_hands(const ModelDescription& d) {
  ModelDescription expanded = d;
  expanded.bodies.clear(), expanded.parts.clear(), expanded.joints.clear(), expanded.joint_paths.clear();
  PathSetter paths(d);
  for (const auto& [name, body] : d.bodies) {
    const auto* hand = std::get_if<HandDescription>(&body);
    if (hand == nullptr) {
      expanded.bodies.emplace_back(name, body);
      continue;
    }
    LinkTree tree = make_tree(name, *hand);
    for (Link& link : tree) {
      set_motor(*hand, link);
      paths.set(name, link);
    }
    set_starts(tree);
    add_hand(name, *hand, tree, expanded);
  }
  paths.finish();
  expanded.parts.insert(expanded.parts.end(), d.parts.begin(), d.parts.end());
  expanded.joints.insert(expanded.joints.end(), d.joints.begin(), d.joints.end());
  return expanded;
}

}  // namespace distal
