// A plant that counts: one period a step, its height the sum of what it was commanded.
#pragma once
#include <vector>

#include "distal/remote/served_plant.hpp"

namespace distal {

class CountingPlant : public ServedPlant {
 public:
  explicit CountingPlant(std::vector<bool> driven = {false}) : feedback_(driven.size()), last_(driven.size()) {
    for (const bool d : driven) {
      ServedBody& body = bodies_.emplace_back();
      body.name = d ? "arm" : "finger";
      body.driven = d;
      body.mass_kg = 0.02;
      body.inertia_kg_m2 = 1e-6 * Mat3::Identity();
      body.weight_n = Vec3(0.0, 0.0, -0.2);
    }
  }

  const std::vector<ServedBody>& bodies() const override { return bodies_; }
  double period_s() const override { return 0.001; }
  double duration_s() const override { return 0.0; }
  std::uint64_t scene_hash() const override { return 77; }
  std::span<const BodyFeedback> feedback() const override { return feedback_; }
  std::uint64_t period() const override { return period_; }
  double simulated_s() const override { return 0.001 * static_cast<double>(period_); }
  bool ended() const override { return ended_; }
  bool advance(std::span<const BodyCommand> commands) override {
    last_.assign(commands.begin(), commands.end());
    ++period_;
    feedback_[0].pose.position.z() += commands[0].wrench.force.z();
    return !fails_;
  }
  void reset() override {
    period_ = 0;
    feedback_.assign(feedback_.size(), {});
  }

  std::vector<BodyFeedback> feedback_;
  std::vector<BodyCommand> last_;
  bool ended_ = false, fails_ = false;

 private:
  std::vector<ServedBody> bodies_;
  std::uint64_t period_ = 0;
};

}  // namespace distal
