// Parameters of controllers, prescribed motions and channels; defaults stand here and nowhere else.
#pragma once
#include <limits>
#include <string>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

// What every controller knows that moves a rod or rigid body by a wrench at its end E.
struct WrenchControlDescription {
  std::string body;
  Vec3 direction = Vec3(0.0, 0.0, -1.0);                 // of approach, in the world; normalised
  double contact_threshold_n = 1e-4;                     // [0, 1e3]: contact force that counts as first contact
  double bandwidth_hz = 15.0;                            // [0.1, 500]: gains are placed for critical damping at it
  double angular_bandwidth_hz = 15.0;                    // [0.1, 500]
  double integral_time_s = 0.05;                         // (0, 10]
  double moving_mass_kg = 0.020;                         // (0, 1e6]: of the rod or rigid body
  Vec3 centre_of_mass_m = Vec3(0.0, 0.0, 0.0167);        // of that mass, from E along E's axes; +-10 each
  Vec3 gyration_radii_m = Vec3(0.0100, 0.0100, 0.0035);  // (0, 10] each: of that mass about its centre, E's axes
  Vec3 gravity_m_s2 = Vec3(0.0, 0.0, -9.81);             // the weight that it carries from the start
  double force_limit_n = 20.0;    // (0, 1e5]: saturation; the integral does not wind up against it
  double torque_limit_n_m = 2.0;  // (0, 1e5]
};

// Paper 1, section III: hold approach speed and orientation before, during and after contact. Mass and weight are first
// guesses: gains adapt from the one, the integral learns the rest of the other.
struct AdaptivePidDescription : WrenchControlDescription {
  double speed_m_s = 0.02;       // (0, 10]
  double depth_m = 0.003;        // [0, 1]: stop and hold at this depth past first contact
  double adaptation_rate = 1.0;  // [0, 100]: 0 keeps the gains
  bool feed_forward = true;      // of the measured wrench: "in turn adjusts"
};

// Drive a rod for measuring: down to depths, then turned, then shifted; or push a guided body with dead forces. Each
// state is settled before it is recorded.
inline constexpr double kLongestRun_s = 1e6;  // of any kind

struct MotionDescription {
  std::string body;
  Vec3 direction = Vec3(0.0, 0.0, -1.0);  // of the press, in the world; normalised
  double speed_m_s = 0.02;                // (0, 10]
  double angular_speed_rad_s = 0.5;       // (0, 100]
  std::vector<double> depths_m;           // increasing; rod travel since first touch
  std::vector<double> forces_n;           // (0, 1e6], instead of depths: dead forces along direction, one after another
  std::vector<double> twist_rad;          // about the rod's axis, at the last depth
  std::vector<double> shift_m;            // along shift_direction, at the last depth and without twist
  // Further ways, each from where the last ended, shifted and twisted at once: the limit surface of friction.
  std::vector<double> slide_m, slide_twist_rad;
  Vec3 shift_direction = Vec3(1.0, 0.0, 0.0);  // in the world; made perpendicular to the press
  double settle_tolerance = 1e-4;  // (0, 1]: largest change of force over settle_window_s, relative to the force
  double settle_window_s = 0.01;   // (0, 10]
  double settle_limit_s = 2.0;     // (0, 100]: a state that has not settled by then is reported as such
};

// A signal between a plant and its controller; its body and its kind say which.
enum class Signal { pose, twist, contact, tip, sensor, command };

// Of the linear or the angular part of a signal, in that part's unit: m, rad; m/s, rad/s; N, N m.
struct Imperfection {
  double noise = 0.0;         // [0, 1e6]: standard deviation of each axis
  Vec3 bias = Vec3::Zero();   // [-1e6, 1e6] each
  double quantisation = 0.0;  // [0, 1e6]: distance of two values that can be told apart; 0: none
  // Feedback: each axis is cut off here. Command: the length is, which keeps the direction.
  double limit = std::numeric_limits<double>::infinity();  // (0, inf]
  double rate = std::numeric_limits<double>::infinity();   // (0, inf]: command only, change of the length per second
};

struct ChannelDescription {
  std::string body;
  Signal signal = Signal::sensor;
  double latency_s = 0.0;       // [0, 10]
  double jitter_s = 0.0;        // [0, 10]: more latency, of each sample anew, uniform up to this
  double drop_out_share = 0.0;  // [0, 0.999]: of samples that never arrive
  double filter_hz = std::numeric_limits<double>::infinity();  // (0, inf]: first-order low-pass
  Imperfection linear, angular;
};

// One finger of a grip: approach, push along the direction with a force, lift, hold.
struct SqueezeDescription : WrenchControlDescription {
  SqueezeDescription() {
    direction = Vec3(1.0, 0.0, 0.0);
    contact_threshold_n = 1e-3;
    bandwidth_hz = angular_bandwidth_hz = 40.0;
    centre_of_mass_m = Vec3::Zero();
    gyration_radii_m = Vec3::Constant(0.01);
    force_limit_n = 50.0, torque_limit_n_m = 5.0;
  }
  double approach_speed_m_s = 0.02;           // (0, 10]
  double force_n = 1.0;                       // [0, 1e4]: along direction, on the finger
  double ramp_s = 0.2;                        // (0, 100]: from no force to force_n
  double damping_n_s_m = 5.0;                 // [0, 1e6]: along direction, while it pushes
  bool holds_place = false;                   // from the lift on it keeps its place; the other sets the force
  double lift_start_s = 1.0;                  // [0, 1e6]: time of the run
  double lift_m = 0.01;                       // [-10, 10]
  Vec3 lift_direction = Vec3(0.0, 0.0, 1.0);  // in the world; made perpendicular to direction
  double lift_time_s = 0.5;                   // (0, 1e3]
};

// Throw InputError with the key, its value and the allowed range.
void validate(const AdaptivePidDescription& description);
void validate(const MotionDescription& description);
void validate(const ChannelDescription& description);
void validate(const SqueezeDescription& description);

}  // namespace distal
