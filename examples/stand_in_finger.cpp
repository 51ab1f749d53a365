// A stand-in for hardware: a process that speaks the plant protocol, with a rod on a spring in place of an arm with a
// force sensor. Replace `Hardware` by your driver and every controller for Distal drives your finger.
// usage: stand_in_finger [PORT], then for example: distal control --connect 127.0.0.1:PORT press
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "distal/remote/plant_loop.hpp"

using namespace distal;

// One axis that is pushed along z, and a floor that pushes back. The rod points down: E's axes are the world's turned
// half a turn about x.
class Hardware : public ServedPlant {
 public:
  Hardware() {
    ServedBody finger;
    finger.name = "finger";
    finger.mass_kg = kMass;
    finger.weight_n = finger.mass_kg * Vec3(0.0, 0.0, -kGravity);
    bodies_ = {finger};
    reset();
  }
  const std::vector<ServedBody>& bodies() const override { return bodies_; }
  double period_s() const override { return 0.001; }
  double duration_s() const override { return 0.0; }
  std::uint64_t scene_hash() const override { return 0; }
  std::span<const BodyFeedback> feedback() const override { return {&feedback_, 1}; }
  std::uint64_t period() const override { return period_; }
  double simulated_s() const override { return static_cast<double>(period_) * period_s(); }
  bool ended() const override { return false; }

  // Here a driver would send the wrench to the arm and read its pose and its force sensor.
  bool advance(std::span<const BodyCommand> commands) override {
    const double push_n = -commands[0].wrench.force.z();  // up
    const double floor_n = std::max(0.0, -kStiffness * height_m_ - kDamping * speed_m_s_) * (height_m_ < 0.0);
    speed_m_s_ += (push_n + floor_n - kMass * kGravity) / kMass * period_s();
    height_m_ += speed_m_s_ * period_s();
    ++period_;
    measure(floor_n);
    return true;
  }
  void reset() override {
    height_m_ = 0.0025, speed_m_s_ = -0.02, period_ = 0;
    measure(0.0);
  }

 private:
  static constexpr double kMass = 0.02, kGravity = 9.81, kStiffness = 100.0, kDamping = 0.5;

  void measure(double floor_n) {
    feedback_ = {};
    feedback_.time_s = simulated_s();
    feedback_.pose = {Vec3(0.0, 0.0, 0.04 + height_m_), Quat(0.0, 1.0, 0.0, 0.0)};
    feedback_.twist.linear.z() = speed_m_s_;
    feedback_.contact.force.z() = feedback_.tip.force.z() = -floor_n;
    feedback_.sensor.force.z() = -floor_n + kMass * kGravity;
  }

  std::vector<ServedBody> bodies_;
  BodyFeedback feedback_;
  double height_m_ = 0.0, speed_m_s_ = 0.0;
  std::uint64_t period_ = 0;
};

int main(int argc, char** argv) {
  try {
    Hardware hardware;
    UdpSocket socket("127.0.0.1", argc > 1 ? std::atoi(argv[1]) : 0, false);
    LoopOptions options;
    options.clock = PlantClock::real_time;
    options.once = true;
    options.listening = [](const std::string& address) { std::puts(address.c_str()), std::fflush(stdout); };
    PlantLoop(socket, hardware, ServeDescription{}, options).run();
  } catch (const std::exception& error) { return std::fprintf(stderr, "%s\n", error.what()), 1; }
}
