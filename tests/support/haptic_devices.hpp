// Devices that tests hold in their hands.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>

#include "distal/haptic/device.hpp"

namespace distal::test {

// Says what it is told to say, and keeps what it was made to feel.
struct StubDevice : Device {
  HandSample sample;
  Wrench felt;
  HandSample read(double) override { return sample; }
  void write(const Wrench& on_hand) override { felt = on_hand; }
};

// Around another: the energy that the held force gave to the hand, from the true ways.
struct MeteredDevice : Device {
  explicit MeteredDevice(std::unique_ptr<Device> inner) : device(std::move(inner)) {}
  std::unique_ptr<Device> device;
  Vec3 place = Vec3::Zero(), force = Vec3::Zero();
  bool started = false;
  double given_j = 0.0, most_given_j = 0.0;
  std::vector<double> speeds;

  HandSample read(double time_s) override {
    const HandSample sample = device->read(time_s);
    if (started) given_j += force.dot(sample.pose.position - place);
    started = true;
    place = sample.pose.position;
    most_given_j = std::max(most_given_j, given_j);
    speeds.push_back(sample.twist.linear.norm());
    return sample;
  }
  void write(const Wrench& on_hand) override {
    force = on_hand.force;
    device->write(on_hand);
  }
};

}  // namespace distal::test
