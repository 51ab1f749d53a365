// Parameters of haptic devices; defaults stand here and nowhere else. docs/models/haptics.md has the equations.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

// Where the hand comes from.
enum class DeviceKind { scripted, replay, network, mouse, arm };

// A path of the hand with tremor on it: from point to point, at rest in each; held before the first and behind the
// last.
struct HandPathDescription {
  std::vector<double> times_s;                  // rising, one per point; none: points a second apart
  std::vector<Vec3> points_m;                   // none: it stays at its frame's origin
  double tremor_hz = 6.0;                       // [0.1, 100]
  double tremor_amplitude_m = 0.0;              // [0, 1]: of a sine
  Vec3 tremor_direction = Vec3(1.0, 0.0, 0.0);  // normalised
  std::int64_t tremor_seed = 1;                 // its phase
};

// A simulated arm: the hand is a mass that a spring and a damper pull along the path.
struct ArmDescription {
  double mass_kg = 0.3;          // (0, 100]
  double stiffness_n_m = 300.0;  // (0, 1e6]
  double damping_n_s_m = 8.0;    // [0, 1e6]
};

struct DeviceDescription {
  DeviceKind kind = DeviceKind::scripted;
  std::string body;     // a rigid body or rod that the hand holds by a virtual coupling; or
  std::string touches;  // a soft body whose skin the hand's point touches (paper 4, 4.2 and 4.3)
  // The device's frame in the world, and how far the hand goes there for a way of the device.
  Vec3 position_m = Vec3::Zero();
  Quat q_xyzw = Quat::Identity();
  double scale = 1.0;  // (0, 1e3]
  // Virtual coupling.
  double stiffness_n_m = 500.0;  // (0, 1e6]
  double damping_ratio = 1.0;    // (0, 10]: of the coupling with what it holds
  bool carries_weight = true;    // of what it holds; else the hand feels it
  // Paper 4.
  double friction = 0.3;    // [0, inf]: between device and object
  bool as_printed = false;  // the nearest node instead of the nearest point, and no force while the hand withdraws
  // What is shown to the hand.
  double max_force_n = 8.0;             // (0, 1e5]
  double max_force_rate_n_s = 20000.0;  // (0, inf]: how fast it may grow
  double max_torque_n_m = 0.5;          // (0, 1e5]
  double max_torque_rate_n_m_s = 1000.0;
  bool passivity = true;            // observer and controller
  double max_damping_n_s_m = 50.0;  // [0, 1e5]: of the passivity controller; a held damper shakes above mass / period
  double max_angular_damping_n_m_s_rad = 0.05;
  double delay_s = 0.0;  // [0, 0.1]: each way between device and simulation
  // Trouble.
  double fastest_m_s = 5.0;  // (0, 1e3]: a sample further than that allows is a jump and is refused
  double watchdog_s = 0.05;  // (0, 10]: without a good sample for so long it counts as unplugged
  double rejoin_s = 0.5;     // (0, 100]: time constant in which a hand that comes back elsewhere is followed again
  HandPathDescription path;  // scripted, arm
  ArmDescription arm;        // arm
  std::string file;          // replay: a table with time_s, px_m, py_m, pz_m and more
  std::string host = "127.0.0.1";  // network
  int port = 4460;                 // network: [0, 65535], 0 is any free one
  bool allow_remote = false;       // network: other machines may be the device

  bool holds_body() const { return !body.empty(); }
};

// Throws InputError with the key, its value and the allowed range.
void validate(const std::string& where, const DeviceDescription& description);

}  // namespace distal
