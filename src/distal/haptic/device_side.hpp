// One period of a device: read the hand, guard it, find what it feels, keep that passive and within limits, show it.
// In lock-step it is called once a control period, in real time by the force loop, beside the simulation.
#pragma once
#include <optional>

#include "distal/haptic/coupling.hpp"
#include "distal/haptic/device_guard.hpp"
#include "distal/haptic/passivity.hpp"

namespace distal {

// From the hand to the simulation.
struct HandState {
  bool connected = false;
  std::int64_t joins = 0;  // how often it came: a change tells the simulation
  double gain = 0.0;       // [0, 1]: a hand that has just joined is coupled slowly
  Carriage wanted;         // where the body's end, or the touching point, is to be
  Pose hand;               // where the hand is; the same, but for a hand that came back elsewhere
  std::uint32_t buttons = 0;
  Wrench shown;           // to the hand, world
  double energy_j = 0.0;  // that the hand has put in and not got back
};

// From the simulation to the hand.
struct EchoState {
  std::int64_t number = 0;        // counts them
  Carriage body;                  // what it holds
  bool touching = false;          // touches: it does
  Vec3 on_hand_n = Vec3::Zero();  // touches: the force of the skin
};

struct DeviceMemory {
  GuardMemory guard;
  PassivityMemory linear, angular;
  std::int64_t joins = 0;
  double since_join_s = 0.0;
  Vec3 offset_m = Vec3::Zero();  // from the hand to where the body is wanted
  Quat turn = Quat::Identity();  // the same for its orientation, kept
  Wrench shown;                  // on the hand, world
  // touches: goes from one echo to the next in the time that lay between the last two.
  std::int64_t echo = 0;
  Vec3 echo_from_n = Vec3::Zero(), echo_to_n = Vec3::Zero();
  double since_echo_s = 0.0, between_echoes_s = 0.0;
  // For reports.
  double most_force_n = 0.0, most_jump_n = 0.0;  // the latter between two periods while connected
};

class DeviceSide {
 public:
  // All must outlive it; `coupling` is none for a device that touches.
  DeviceSide(const DeviceDescription& description, Device& device, const Coupling* coupling)
      : description_(description), device_(device), coupling_(coupling), guard_(description) {}

  HandState advance(double time_s, double period_s, const EchoState& echo);

  const DeviceMemory& memory() const { return memory_; }
  void restore(const DeviceMemory& memory) { memory_ = memory; }

 private:
  void join(const GuardedHand& hand, const EchoState& echo);
  Wrench find_felt(const HandState& state, double period_s, const EchoState& echo);
  void show(const Wrench& wanted, double period_s);

  const DeviceDescription& description_;
  Device& device_;
  const Coupling* coupling_;
  DeviceGuard guard_;
  DeviceMemory memory_;
};

}  // namespace distal
