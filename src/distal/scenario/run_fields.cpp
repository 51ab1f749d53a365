// Keys of what is done with bodies and what is measured of them: controllers, motions, the run, sensors.
#include <array>

#include "distal/scenario/fields.hpp"

namespace distal {
namespace {

using namespace ranges;

constexpr std::array<std::string_view, 2> kPrecisions = {"double", "float"};
constexpr std::array<std::string_view, 3> kSafeActions = {"zero", "hold", "brake"};
constexpr Range kBandwidth = within(0.1, 500.0);

void visit_wrench_control(FieldVisitor& visit, WrenchControlDescription& c) {
  visit(required({"body", "", "a fingertip or rigid body, not driven"}), c.body);
  visit(ruled({"direction", "", "of approach and push, in the world"}, VectorRule::direction), c.direction);
  visit({"contact_threshold_n", "N", "force that counts as first contact", within(0.0, 1e3)}, c.contact_threshold_n);
  visit({"bandwidth_hz", "Hz", "gains are placed for critical damping at it", kBandwidth}, c.bandwidth_hz);
  visit({"angular_bandwidth_hz", "Hz", "the same for orientation", kBandwidth}, c.angular_bandwidth_hz);
  visit({"integral_time_s", "s", "of the integral part", above(0.0, 10.0)}, c.integral_time_s);
  visit({"moving_mass_kg", "kg", "of the rod or rigid body, the body's when not given; adaptive_pid: a first guess",
         kMass},
        c.moving_mass_kg);
  visit(
      {"centre_of_mass_m", "m", "of that mass, from the body's end E; the body's when not given", within(-10.0, 10.0)},
      c.centre_of_mass_m);
  visit({"gyration_radii_m", "m", "of that mass about its centre; the body's when not given", above(0.0, 10.0)},
        c.gyration_radii_m);
  visit({"gravity_m_s2", "m/s^2", "scene.gravity_m_s2 when not given", kGravity}, c.gravity_m_s2);
  visit({"force_limit_n", "N", "saturation of the commanded force", above(0.0, 1e5)}, c.force_limit_n);
  visit({"torque_limit_n_m", "N m", "saturation of the commanded torque", above(0.0, 1e5)}, c.torque_limit_n_m);
}

}  // namespace

void visit_fields(FieldVisitor& visit, AdaptivePidDescription& c) {
  visit_wrench_control(visit, c);
  visit({"speed_m_s", "m/s", "of approach", above(0.0, 10.0)}, c.speed_m_s);
  visit({"depth_m", "m", "stop and hold this far past first contact", within(0.0, 1.0)}, c.depth_m);
  visit({"adaptation_rate", "", "0 keeps the gains", within(0.0, 100.0)}, c.adaptation_rate);
  visit({"feed_forward", "", "of the measured wrench"}, c.feed_forward);
}

void visit_fields(FieldVisitor& visit, MotionDescription& m) {
  visit(required({"body", "", "a driven fingertip or rigid body; with forces_n a guided rigid body"}), m.body);
  visit(ruled({"direction", "", "of the press, in the world"}, VectorRule::direction), m.direction);
  visit({"speed_m_s", "m/s", "of the press and shift", above(0.0, 10.0)}, m.speed_m_s);
  visit({"angular_speed_rad_s", "rad/s", "of the twist", above(0.0, 100.0)}, m.angular_speed_rad_s);
  visit({"depths_m", "m", "increasing; travel since first touch; this or forces_n", within(0.0, 1.0)}, m.depths_m);
  visit(
      {"forces_n", "N", "dead forces along direction, one after another, on top of the body's weight", above(0.0, 1e6)},
      m.forces_n);
  visit({"twist_rad", "rad", "about the rod's axis, at the last depth", within(-100.0, 100.0)}, m.twist_rad);
  visit({"shift_m", "m", "along shift_direction, at the last depth", within(-1.0, 1.0)}, m.shift_m);
  visit({"slide_m", "m",
         "with slide_twist_rad: further ways along shift_direction, each from where the last ended; rows \"slide\"",
         within(-1.0, 1.0)},
        m.slide_m);
  visit({"slide_twist_rad", "rad", "twists that go with slide_m, as many", within(-100.0, 100.0)}, m.slide_twist_rad);
  visit(ruled({"shift_direction", "", "in the world; made perpendicular to the press"}, VectorRule::direction),
        m.shift_direction);
  visit({"settle_tolerance", "", "largest relative change of force over settle_window_s", above(0.0, 1.0)},
        m.settle_tolerance);
  visit({"settle_window_s", "s", "see settle_tolerance", above(0.0, 10.0)}, m.settle_window_s);
  visit({"settle_limit_s", "s", "a state not settled by then is reported as such", above(0.0, 100.0)},
        m.settle_limit_s);
}

void visit_fields(FieldVisitor& visit, RunDescription& r) {
  visit({"duration_s", "s", "simulated time", above(0.0, kLongestRun_s)}, r.duration_s);
  visit({"control_period_s", "s", "a command is held this long", within(1e-6, 1.0)}, r.control_period_s);
  visit({"seed", "", "of everything random", within(0.0, 9007199254740991.0)}, r.seed);
  visit({"threads", "", "0: one per core; results do not depend on it", within(0.0, 1024.0)}, r.threads);
  visit({"precision", "", "of the lattice"}, r.precision, kPrecisions);
}

void visit_fields(FieldVisitor& visit, RecordDescription& r) {
  visit({"frames_per_s", "1/s", "pictures per simulated second; 0: none", within(0.0, 1e5)}, r.frames_per_s);
}

void visit_fields(FieldVisitor& visit, ServeDescription& s) {
  constexpr Range kLimit = above(0.0, 1e6);
  visit({"watchdog_s", "s", "without a command for so long: the safe action", above(0.0, 60.0)}, s.watchdog_s);
  visit({"safe_action", "", "when the controller is silent"}, s.safe_action, kSafeActions);
  visit({"max_force_n", "N", "a commanded force above it is refused", kLimit}, s.max_force_n);
  visit({"max_torque_n_m", "N m", "a commanded torque above it is refused", kLimit}, s.max_torque_n_m);
  visit({"max_speed_m_s", "m/s", "of a driven body; a faster command is refused", kLimit}, s.max_speed_m_s);
  visit({"max_angular_speed_rad_s", "rad/s", "the same for rotation", kLimit}, s.max_angular_speed_rad_s);
}

void visit_fields(FieldVisitor& visit, TaxelDescription& t) {
  visit(required({"body", "", "a soft body"}), t.body);
  visit({"rows", "", "taxels along y of the body's frame", within(1.0, 1000.0)}, t.rows);
  visit({"columns", "", "taxels along x", within(1.0, 1000.0)}, t.columns);
  visit({"pitch_m", "m", "side of a taxel", kLength}, t.pitch_m);
}

void visit_fields(FieldVisitor& visit, PointsDescription& p) {
  visit(required({"body", "", "a soft body"}), p.body);
  visit(required({"points_m", "m", "points of its surface, in its undeformed frame", kPosition}), p.points_m);
  visit({"measured_file", "", "CSV with measured places or displacements of the points; relative to the scene"},
        p.measured_file);
}

void visit_fields(FieldVisitor& visit, ContourDescription& c) {
  visit(required({"body", "", "a soft body"}), c.body);
  visit({"point_m", "m", "of the cutting plane, in the body's undeformed frame", kPosition}, c.point_m);
  visit(ruled({"normal", "", "of the cutting plane, in that frame"}, VectorRule::direction), c.normal);
}

void visit_fields(FieldVisitor& visit, CompressionDescription& c) {
  visit(required({"body", "", "a soft body with a flat side, which the [motion] presses"}), c.body);
}

void visit_fields(FieldVisitor& visit, SqueezeDescription& c) {
  visit_wrench_control(visit, c);
  visit({"approach_speed_m_s", "m/s", "of approach", above(0.0, 10.0)}, c.approach_speed_m_s);
  visit({"force_n", "N", "of the push, along direction", within(0.0, 1e4)}, c.force_n);
  visit({"ramp_s", "s", "from no force to force_n", above(0.0, 100.0)}, c.ramp_s);
  visit({"damping_n_s_m", "N s/m", "along direction, while it pushes", within(0.0, 1e6)}, c.damping_n_s_m);
  visit({"holds_place", "", "from the lift on it keeps its place along direction; the other finger sets the force"},
        c.holds_place);
  visit({"lift_start_s", "s", "time of the run", within(0.0, 1e6)}, c.lift_start_s);
  visit({"lift_m", "m", "how far it lifts", within(-10.0, 10.0)}, c.lift_m);
  visit(ruled({"lift_direction", "", "in the world; made perpendicular to direction"}, VectorRule::direction),
        c.lift_direction);
  visit({"lift_time_s", "s", "how long it lifts", above(0.0, 1e3)}, c.lift_time_s);
}

}  // namespace distal
