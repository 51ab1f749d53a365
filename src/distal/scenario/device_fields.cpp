// The keys of [device.NAME]: where the hand comes from decides which there are.
#include <limits>

#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

// A script is its points; an arm may stay where it is.
void visit_path(FieldVisitor& visit, HandPathDescription& p, bool is_script) {
  Field points = {"points_m", "m", "places of the hand, smooth between them and at rest in each", within(-1e6, 1e6)};
  points.required = is_script;
  visit(points, p.points_m);
  visit({"times_s", "s", "when it is there, rising; none: a second apart", within(0.0, 1e9)}, p.times_s);
  visit({"tremor_amplitude_m", "m", "of a sine on the path", within(0.0, 1.0)}, p.tremor_amplitude_m);
  visit({"tremor_hz", "Hz", "its frequency", within(0.1, 100.0)}, p.tremor_hz);
  visit(ruled({"tremor_direction", "", "its direction, in the device's frame"}, VectorRule::direction),
        p.tremor_direction);
  visit({"tremor_seed", "", "its phase", within(0.0, 9007199254740991.0)}, p.tremor_seed);
}

void visit_source(FieldVisitor& visit, DeviceDescription& d) {
  switch (d.kind) {
    case DeviceKind::scripted:
      return visit_path(visit, d.path, true);
    case DeviceKind::arm:
      visit_path(visit, d.path, false);
      visit({"arm_mass_kg", "kg", "of hand and forearm, as the device feels it", above(0.0, 100.0)}, d.arm.mass_kg);
      visit({"arm_stiffness_n_m", "N/m", "pulls the hand along its path", above(0.0, 1e6)}, d.arm.stiffness_n_m);
      visit({"arm_damping_n_s_m", "N s/m", "the same for its velocity", within(0.0, 1e6)}, d.arm.damping_n_s_m);
      return;
    case DeviceKind::replay:
      visit(required({"file", "", "a recorded hand: a table like devices/NAME.csv of a run; relative to the scene"}),
            d.file);
      return;
    case DeviceKind::network:
      visit({"host", "", "where it listens"}, d.host);
      visit({"port", "", "UDP; 0: any free one", within(0.0, 65535.0)}, d.port);
      visit({"allow_remote", "", "other machines may be the device"}, d.allow_remote);
      return;
    case DeviceKind::mouse:
      return;
  }
}

}  // namespace

void visit_fields(FieldVisitor& visit, DeviceDescription& d) {
  constexpr Range kUpToNone = above(0.0, std::numeric_limits<double>::infinity());
  visit({"body", "", "a rigid body or the rod of a fingertip that the hand holds"}, d.body);
  visit({"touches", "", "instead of body: a soft body whose skin the hand touches with a point, as in paper 4"},
        d.touches);
  visit({"position_m", "m", "origin of the device's frame in the world", within(-1e6, 1e6)}, d.position_m);
  visit(ruled({"q_xyzw", "", "its orientation, a unit quaternion"}, VectorRule::unit_quaternion), d.q_xyzw);
  visit({"scale", "", "way in the world over way of the device", above(0.0, 1e3)}, d.scale);
  visit({"stiffness_n_m", "N/m", "body: of the virtual coupling", above(0.0, 1e6)}, d.stiffness_n_m);
  visit({"damping_ratio", "", "body: of the coupling with what it holds", above(0.0, 10.0)}, d.damping_ratio);
  visit({"carries_weight", "", "body: the hand does not feel the weight of what it holds"}, d.carries_weight);
  visit({"friction", "", "touches: between hand and skin; inf: never slips",
         within(0.0, std::numeric_limits<double>::infinity())},
        d.friction);
  visit({"as_printed", "", "touches: the nearest node moves, and there is no force while the hand withdraws"},
        d.as_printed);
  visit({"max_force_n", "N", "that the device can show", above(0.0, 1e5)}, d.max_force_n);
  visit({"max_force_rate_n_s", "N/s", "how fast it can change; inf: at once", kUpToNone}, d.max_force_rate_n_s);
  visit({"max_torque_n_m", "N m", "that the device can show", above(0.0, 1e5)}, d.max_torque_n_m);
  visit({"max_torque_rate_n_m_s", "N m/s", "how fast it can change; inf: at once", kUpToNone}, d.max_torque_rate_n_m_s);
  visit({"passivity", "", "observer and controller: the hand never gets more energy than it gave"}, d.passivity);
  visit({"max_damping_n_s_m", "N s/m", "of the passivity controller", within(0.0, 1e5)}, d.max_damping_n_s_m);
  visit({"max_angular_damping_n_m_s_rad", "N m s/rad", "the same for rotation", within(0.0, 1e5)},
        d.max_angular_damping_n_m_s_rad);
  visit({"delay_s", "s", "each way between device and simulation, in whole control periods", within(0.0, 0.1)},
        d.delay_s);
  visit({"fastest_m_s", "m/s", "a sample further away than that allows is a jump and is refused", above(0.0, 1e3)},
        d.fastest_m_s);
  visit({"watchdog_s", "s", "without a good sample for so long the device counts as unplugged", above(0.0, 10.0)},
        d.watchdog_s);
  visit({"rejoin_s", "s", "time constant in which a hand that comes back elsewhere is followed", above(0.0, 100.0)},
        d.rejoin_s);
  visit_source(visit, d);
}

}  // namespace distal
