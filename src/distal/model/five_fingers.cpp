#include "distal/model/five_fingers.hpp"

#include <fmt/format.h>

namespace distal {
namespace {

// Lengths in lengths of the hand, after the mean of grown men.
struct Finger {
  const char* name;
  double across, along;  // of its first joint: from the middle of the palm to the thumb's side, from the wrist
  double lengths[3];
};
constexpr Finger kFingers[] = {{"index", 0.135, 0.500, {0.217, 0.133, 0.096}},
                               {"middle", 0.045, 0.515, {0.236, 0.145, 0.104}},
                               {"ring", -0.045, 0.485, {0.219, 0.135, 0.097}},
                               {"little", -0.130, 0.445, {0.175, 0.107, 0.077}}};
constexpr double kThumbLengths[] = {0.25, 0.17, 0.14};
constexpr double kRadii[] = {0.046, 0.043, 0.040}, kThumbRadii[] = {0.055, 0.050, 0.047};
constexpr const char* kLinkNames[] = {"base", "middle", "tip"};
constexpr double kThumbSpread_rad = 0.7;    // in the plane of the palm, between thumb and fingers
constexpr double kLastFollows = 2.0 / 3.0;  // of a finger's last joint: its part of the one before
const Vec3 kThumbRoot(0.02, 0.17, 0.12);    // in lengths of the hand
const Vec3 kPalm(0.15, 0.42, 0.50);

Link make_link(const std::string& name, int parent, const std::string& joint, const Vec3& at_m, const Vec3& axis,
               double lower_rad, double upper_rad) {
  Link link;
  link.name = name, link.parent = parent, link.joint = joint;
  link.place = fmt::format("link \"{}\"", name);
  link.kind = JointKind::revolute;
  link.origin.position = at_m;
  link.axis = axis;
  link.drive.lower = lower_rad, link.drive.upper = upper_rad;
  return link;
}

// A capsule along z whose first end is centred on the joint; a tip ends at its length, others at the next joint.
void add_bone(Link& link, double length_m, double radius_m, bool is_tip) {
  PartDescription bone;
  bone.shape = RigidShapeKind::capsule;
  bone.radius_m = radius_m;
  bone.length_m = is_tip ? length_m - radius_m : length_m;
  bone.position_m = Vec3(0.0, 0.0, 0.5 * bone.length_m);
  link.parts.push_back(bone);
}

void follow(Link& link, const std::string& joint, double factor) {
  link.drive.mimic = joint;
  link.drive.mimic_factor = factor;
}

void add_finger(const Finger& finger, double scale_m, LinkTree& hand) {
  Vec3 at = scale_m * Vec3(0.0, finger.across, finger.along);
  int parent = 0;
  constexpr double kLower_rad[] = {-0.3, 0.0, 0.0}, kUpper_rad[] = {1.6, 1.8, 1.2};
  for (std::size_t i = 0; i < 3; ++i) {
    Link link = make_link(fmt::format("{}_{}", finger.name, kLinkNames[i]), parent,
                          fmt::format("{}_{}", finger.name, i + 1), at, Vec3::UnitY(), kLower_rad[i], kUpper_rad[i]);
    const double length = scale_m * finger.lengths[i];
    add_bone(link, length, scale_m * kRadii[i], i == 2);
    if (i == 2) follow(link, fmt::format("{}_2", finger.name), kLastFollows);
    parent = static_cast<int>(hand.size());
    hand.push_back(link);
    at = Vec3(0.0, 0.0, length);
  }
}

void add_thumb(double scale_m, LinkTree& hand) {
  // Swings before the palm.
  Link root = make_link("thumb_root", 0, "thumb_1", scale_m * kThumbRoot, -Vec3::UnitZ(), 0.0, 1.6);
  PartDescription ball;
  ball.radius_m = scale_m * kThumbRadii[0];
  root.parts.push_back(ball);
  hand.push_back(root);
  constexpr double kLower_rad[] = {-0.6, 0.0, 0.0}, kUpper_rad[] = {0.9, 1.2, 1.2};
  Vec3 at = Vec3::Zero();
  for (std::size_t i = 0; i < 3; ++i) {
    Link link = make_link(fmt::format("thumb_{}", kLinkNames[i]), static_cast<int>(hand.size()) - 1,
                          fmt::format("thumb_{}", i + 2), at, Vec3::UnitX(), kLower_rad[i], kUpper_rad[i]);
    if (i == 0) link.origin.q = rotation_from_vector(-kThumbSpread_rad * Vec3::UnitX());
    const double length = scale_m * kThumbLengths[i];
    add_bone(link, length, scale_m * kThumbRadii[i], i == 2);
    if (i == 2) follow(link, "thumb_3", 1.0);
    hand.push_back(link);
    at = Vec3(0.0, 0.0, length);
  }
}

}  // namespace

LinkTree make_five_fingers(double length_m) {
  Link palm;
  palm.name = "palm";
  palm.place = "link \"palm\"";
  PartDescription box;
  box.shape = RigidShapeKind::box;
  box.size_m = length_m * kPalm;
  box.position_m = Vec3(0.0, 0.0, 0.5 * box.size_m.z());
  palm.parts.push_back(box);
  LinkTree hand = {palm};
  add_thumb(length_m, hand);
  for (const Finger& finger : kFingers) add_finger(finger, length_m, hand);
  return hand;
}

}  // namespace distal
