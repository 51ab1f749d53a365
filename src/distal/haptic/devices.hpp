// Devices that need no hardware: a script, a recorded hand, a simulated arm, and a hand that the program moves (the
// mouse of the live page).
#pragma once
#include <memory>
#include <string>

#include "distal/haptic/description.hpp"
#include "distal/haptic/device.hpp"
#include "distal/haptic/hand_path.hpp"
#include "distal/model/motion_file.hpp"

namespace distal {

class ScriptedDevice : public Device {
 public:
  explicit ScriptedDevice(const HandPathDescription& path) : path_(path) {}
  HandSample read(double time_s) override;
  void write(const Wrench&) override {}

 private:
  HandPath path_;
};

// Goes through a table: straight between rows, held behind the last, unplugged where `connected` is 0.
class ReplayDevice : public Device {
 public:
  explicit ReplayDevice(const std::string& file);  // throws InputError
  HandSample read(double time_s) override;
  void write(const Wrench&) override {}

 private:
  MotionTable table_;
  const std::vector<double>*place_[3] = {}, *turn_[4] = {};
  const std::vector<double>*buttons_ = nullptr, *connected_ = nullptr;
};

// A hand that feels: m x'' = k (path - x) + c (path' - x') + force. Held force, small semi-implicit steps.
class ArmDevice : public Device {
 public:
  ArmDevice(const HandPathDescription& path, const ArmDescription& arm);
  HandSample read(double time_s) override;
  void write(const Wrench& on_hand) override { force_ = on_hand.force; }
  std::vector<double> save() const override;
  void restore(const std::vector<double>& memory) override;

  double energy_j() const;  // kinetic, and of its spring at the last read

 private:
  HandPath path_;
  ArmDescription arm_;
  double time_s_ = 0.0;
  Vec3 place_ = Vec3::Zero(), velocity_ = Vec3::Zero(), force_ = Vec3::Zero();
};

// Unplugged until it is told where the hand is. Goes there smoothly: a mouse is seen sixty times a second, and in
// steps.
class ToldDevice : public Device {
 public:
  void tell(const Vec3& place_m);  // in the device's frame
  void leave() { sample_.connected = false; }
  const Wrench& felt() const { return felt_; }
  HandSample read(double time_s) override;
  void write(const Wrench& on_hand) override { felt_ = on_hand; }

 private:
  HandSample sample_{.connected = false, .pose = {}, .twist = {}, .buttons = 0};
  Vec3 goal_m_ = Vec3::Zero();
  double last_s_ = 0.0;
  Wrench felt_;
};

// Throws InputError: `where` names the device in messages.
std::unique_ptr<Device> make_device(const std::string& where, const DeviceDescription& description);

}  // namespace distal
