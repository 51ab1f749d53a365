#include "distal/haptic/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/haptic/network_device.hpp"

namespace distal {

HandSample ScriptedDevice::read(double time_s) {
  const HandPath::Place place = path_.at(time_s);
  HandSample sample;
  sample.pose.position = place.position_m;
  sample.twist.linear = place.velocity_m_s;
  return sample;
}

ReplayDevice::ReplayDevice(const std::string& file) : table_(load_motion(file)) {
  constexpr std::array<const char*, 3> kPlace = {"px_m", "py_m", "pz_m"};
  constexpr std::array<const char*, 4> kTurn = {"qx", "qy", "qz", "qw"};
  for (std::size_t a = 0; a < 3; ++a) {
    place_[a] = table_.find(kPlace[a]);
    if (place_[a] == nullptr)
      throw InputError(
          fmt::format("{}: there is no column {}; expected time_s, px_m, py_m, pz_m, and where they are "
                      "known qx, qy, qz, qw, buttons, connected",
                      file, kPlace[a]));
  }
  for (std::size_t a = 0; a < 4; ++a) turn_[a] = table_.find(kTurn[a]);
  buttons_ = table_.find("buttons");
  connected_ = table_.find("connected");
}

HandSample ReplayDevice::read(double time_s) {
  const auto& times = table_.times_s;
  const auto next = static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time_s) - times.begin());
  const std::size_t i = next == 0 ? 0 : next - 1, j = std::min(i + 1, times.size() - 1);
  const double share = j == i || next == 0 ? 0.0 : (time_s - times[i]) / (times[j] - times[i]);
  const auto at = [&](std::size_t row) { return Vec3((*place_[0])[row], (*place_[1])[row], (*place_[2])[row]); };
  HandSample sample;
  sample.connected = connected_ == nullptr || (*connected_)[i] != 0.0;
  sample.pose.position = at(i) + share * (at(j) - at(i));
  if (j > i && next > 0) sample.twist.linear = (at(j) - at(i)) / (times[j] - times[i]);
  if (std::all_of(turn_, turn_ + 4, [](const auto* column) { return column != nullptr; })) {
    const auto turn = [&](std::size_t row) {
      return Quat((*turn_[3])[row], (*turn_[0])[row], (*turn_[1])[row], (*turn_[2])[row]);
    };
    sample.pose.q = turn(i).slerp(share, turn(j));
    if (j > i && next > 0)
      sample.twist.angular = vector_from_rotation(turn(j) * turn(i).conjugate()) / (times[j] - times[i]);
  }
  if (buttons_ != nullptr) sample.buttons = static_cast<std::uint32_t>(std::max(0.0, (*buttons_)[i]));
  return sample;
}

ArmDevice::ArmDevice(const HandPathDescription& path, const ArmDescription& arm) : path_(path), arm_(arm) {
  const HandPath::Place start = path_.at(0.0);
  place_ = start.position_m;
  velocity_ = start.velocity_m_s;
}

HandSample ArmDevice::read(double time_s) {
  // Fine against its own rate and against a held force.
  constexpr double kLongestStep_s = 2e-5;
  const double rate = std::sqrt(arm_.stiffness_n_m / arm_.mass_kg) + arm_.damping_n_s_m / arm_.mass_kg;
  const double left = time_s - time_s_;
  const int steps = left > 0.0 ? static_cast<int>(std::ceil(left / std::min(kLongestStep_s, 0.05 / rate))) : 0;
  for (int n = 0; n < steps; ++n) {
    const double h = left / steps;
    const HandPath::Place goal = path_.at(time_s_ + h * (n + 0.5));
    const Vec3 pull =
        arm_.stiffness_n_m * (goal.position_m - place_) + arm_.damping_n_s_m * (goal.velocity_m_s - velocity_) + force_;
    velocity_ += h / arm_.mass_kg * pull;
    place_ += h * velocity_;
  }
  time_s_ = std::max(time_s_, time_s);
  HandSample sample;
  sample.pose.position = place_;
  sample.twist.linear = velocity_;
  return sample;
}

double ArmDevice::energy_j() const {
  return 0.5 * arm_.mass_kg * velocity_.squaredNorm() +
         0.5 * arm_.stiffness_n_m * (path_.at(time_s_).position_m - place_).squaredNorm();
}

std::vector<double> ArmDevice::save() const {
  std::vector<double> memory = {time_s_};
  for (const Vec3& v : {place_, velocity_, force_}) memory.insert(memory.end(), v.begin(), v.end());
  return memory;
}

void ArmDevice::restore(const std::vector<double>& memory) {
  if (memory.size() != 10) throw InputError("the checkpoint holds no memory of the arm");
  time_s_ = memory[0];
  place_ = Vec3(memory[1], memory[2], memory[3]);
  velocity_ = Vec3(memory[4], memory[5], memory[6]);
  force_ = Vec3(memory[7], memory[8], memory[9]);
}

void ToldDevice::tell(const Vec3& place_m) {
  if (!sample_.connected) sample_.pose.position = place_m;
  goal_m_ = place_m;
  sample_.connected = true;
}

HandSample ToldDevice::read(double time_s) {
  constexpr double kFollow_s = 0.02;
  if (sample_.connected && time_s > last_s_) {
    const Vec3 way = (1.0 - std::exp(-(time_s - last_s_) / kFollow_s)) * (goal_m_ - sample_.pose.position);
    sample_.pose.position += way;
    sample_.twist.linear = way / (time_s - last_s_);
  }
  last_s_ = time_s;
  return sample_;
}

std::unique_ptr<Device> make_device(const std::string& where, const DeviceDescription& description) {
  validate(where, description);
  switch (description.kind) {
    case DeviceKind::scripted:
      return std::make_unique<ScriptedDevice>(description.path);
    case DeviceKind::arm:
      return std::make_unique<ArmDevice>(description.path, description.arm);
    case DeviceKind::replay:
      return std::make_unique<ReplayDevice>(description.file);
    case DeviceKind::network:
      return std::make_unique<NetworkDevice>(where, description);
    case DeviceKind::mouse:
      return std::make_unique<ToldDevice>();
  }
  return nullptr;
}

}  // namespace distal
