// Keys of joints, and of hands, which are made of them.
#include <array>

#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

constexpr std::array<std::string_view, 4> kHandMounts = {"free", "driven", "", "fixed"};

void visit_place(FieldVisitor& visit, JointPlace& p) {
  visit({"parent", "", "a rigid body; empty: the world"}, p.parent);
  visit(required({"child", "", "a free rigid body; it stands at the start where the joint is at its initial position"}),
        p.child);
  visit({"position_m", "m", "of the joint, in the child's frame", within(-1e6, 1e6)}, p.position_m);
}

// Radians and newton metres, or metres and newtons.
struct DriveKeys {
  std::string_view unit, effort_unit;
  std::string_view initial, lower, upper, damping, damping_unit, motor_stiffness, stiffness_unit, motor_damping,
      most_effort, targets, mimic_offset;
};
constexpr DriveKeys kTurning = {"rad",
                                "N m",
                                "initial_rad",
                                "lower_rad",
                                "upper_rad",
                                "damping_n_m_s_rad",
                                "N m s/rad",
                                "motor_stiffness_n_m_rad",
                                "N m/rad",
                                "motor_damping_n_m_s_rad",
                                "most_torque_n_m",
                                "targets_rad",
                                "mimic_offset_rad"};
constexpr DriveKeys kSliding = {"m",
                                "N",
                                "initial_m",
                                "lower_m",
                                "upper_m",
                                "damping_n_s_m",
                                "N s/m",
                                "motor_stiffness_n_m",
                                "N/m",
                                "motor_damping_n_s_m",
                                "most_force_n",
                                "targets_m",
                                "mimic_offset_m"};

void visit_drive(FieldVisitor& visit, JointPlace& p, JointDrive& d, const DriveKeys& keys) {
  constexpr Range kAnywhere = within(-1e6, 1e6),
                  kEnd = within(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity());
  constexpr Range kNotNegative = within(0.0, 1e9), kMost = {0.0, std::numeric_limits<double>::infinity(), true, false};
  visit(ruled({"axis", "", "in the child's frame"}, VectorRule::direction), p.axis);
  visit({keys.initial, keys.unit, "position at the start", kAnywhere}, d.initial);
  visit({keys.lower, keys.unit, "lower limit", kEnd}, d.lower);
  visit({keys.upper, keys.unit, "upper limit", kEnd}, d.upper);
  visit({keys.damping, keys.damping_unit, "of the joint itself", kNotNegative}, d.damping);
  visit(
      {keys.motor_stiffness, keys.stiffness_unit, "of a servo that holds its target; 0 and 0: no motor", kNotNegative},
      d.motor_stiffness);
  visit({keys.motor_damping, keys.damping_unit, "of the servo, against the target's velocity", kNotNegative},
        d.motor_damping);
  visit({keys.most_effort, keys.effort_unit, "what the motor can give", kMost}, d.most_effort);
  visit({"times_s", "s", "of the targets, rising", within(0.0, 1e9)}, d.times_s);
  visit({keys.targets, keys.unit, "a path for the servo, straight between points; none: the start", kAnywhere},
        d.targets);
  visit({"mimic", "", "another joint that this one follows"}, d.mimic);
  visit({"mimic_factor", "", "position = factor * the other's + offset", kAnywhere}, d.mimic_factor);
  visit({keys.mimic_offset, keys.unit, "see mimic_factor", kAnywhere}, d.mimic_offset);
}

}  // namespace

void visit_fields(FieldVisitor& visit, RevoluteDescription& j) {
  visit_place(visit, j.place);
  visit_drive(visit, j.place, j.drive, kTurning);
}

void visit_fields(FieldVisitor& visit, PrismaticDescription& j) {
  visit_place(visit, j.place);
  visit_drive(visit, j.place, j.drive, kSliding);
}

void visit_fields(FieldVisitor& visit, WeldDescription& j) { visit_place(visit, j.place); }

void visit_fields(FieldVisitor& visit, JointPathDescription& p) {
  constexpr Range kAnywhere = within(-1e6, 1e6);
  visit({"joint", "",
         "a joint of a hand, like hand/index_1; it starts at the first target. Empty: all joints of the file"},
        p.joint);
  visit({"file", "",
         "a recorded motion instead of times and targets: a table with time_s and columns like those of "
         "joints.csv, relative to the scene"},
        p.file);
  visit({"times_s", "s", "of the targets, rising", within(0.0, 1e9)}, p.times_s);
  visit({"targets_rad", "rad", "of a joint that turns; straight between points, held before and behind", kAnywhere},
        p.targets_rad);
  visit({"targets_m", "m", "of a joint that slides", kAnywhere}, p.targets_m);
}

void visit_fields(FieldVisitor& visit, HandDescription& b) {
  constexpr Range kNotNegative = within(0.0, 1e9), kMost = {0.0, std::numeric_limits<double>::infinity(), true, false};
  visit({"file", "", "a URDF file, relative to the scene; empty: our own five fingers"}, b.file);
  visit({"length_m", "m", "our own hand: from the wrist to the tip of the middle finger", above(0.0, 1e6)}, b.length_m);
  visit({"density_kg_m3", "kg/m^3", "of links without <inertial>, which have their mass from their collision shapes",
         above(0.0, 25000.0)},
        b.density_kg_m3);
  visit({"mount", "", "of the root link: fixed, driven (its motion is imposed) or free"}, b.mount, kHandMounts);
  visit(
      {"motor_stiffness_n_m_rad", "N m/rad", "of the servos of all joints that turn; 0 and 0: no motors", kNotNegative},
      b.motor_stiffness_n_m_rad);
  visit({"motor_damping_n_m_s_rad", "N m s/rad", "of those servos, against the target's velocity", kNotNegative},
        b.motor_damping_n_m_s_rad);
  visit({"most_torque_n_m", "N m", "what those motors can give; a lower effort of the file goes before", kMost},
        b.most_torque_n_m);
  visit({"motor_stiffness_n_m", "N/m", "the same for joints that slide", kNotNegative}, b.motor_stiffness_n_m);
  visit({"motor_damping_n_s_m", "N s/m", "the same for joints that slide", kNotNegative}, b.motor_damping_n_s_m);
  visit({"most_force_n", "N", "the same for joints that slide", kMost}, b.most_force_n);
  visit({"position_m", "m", "origin of the root link's frame in the world", within(-1e6, 1e6)}, b.placement.position_m);
  visit(ruled({"q_xyzw", "", "its orientation, a unit quaternion"}, VectorRule::unit_quaternion), b.placement.q_xyzw);
}

}  // namespace distal
