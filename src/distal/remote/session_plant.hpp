// A session behind the plant protocol.
#pragma once
#include "distal/remote/served_plant.hpp"
#include "distal/run/onlooker.hpp"
#include "distal/run/session.hpp"

namespace distal {

class SessionPlant : public ServedPlant {
 public:
  // With `ends`, the plant steps no further than run.duration_s.
  SessionPlant(Session& session, const Scene& scene, std::uint64_t scene_hash, bool ends, Onlooker* onlooker = nullptr);

  const std::vector<ServedBody>& bodies() const override { return bodies_; }
  double period_s() const override { return session_.period_s(); }
  double duration_s() const override { return duration_s_; }
  std::uint64_t scene_hash() const override { return scene_hash_; }
  std::span<const BodyFeedback> feedback() const override { return session_.feedback(); }
  std::uint64_t period() const override { return static_cast<std::uint64_t>(session_.simulation().state().period); }
  double simulated_s() const override { return session_.simulation().state().time_s; }
  bool ended() const override { return duration_s_ > 0.0 && session_.reached_duration(); }

  std::span<const ServedJoint> joints() const override { return joints_; }
  std::span<const JointFeedback> joint_feedback() const override { return session_.simulation().measure_joints(); }
  void command_joints(std::span<const JointCommand> joints) override {
    joint_commands_.assign(joints.begin(), joints.end());
  }
  bool advance(std::span<const BodyCommand> commands) override;
  void reset() override;

  std::string failure() const override { return failure_; }

 private:
  Session& session_;
  std::vector<ServedBody> bodies_;
  std::vector<ServedJoint> joints_;
  std::vector<JointCommand> joint_commands_;
  double duration_s_;
  std::uint64_t scene_hash_;
  std::string failure_;
  Onlooker* onlooker_;
};

// A number that two programs with the same scene agree on: FNV-1a of its resolved text.
std::uint64_t hash_scene(const Scene& scene);

}  // namespace distal
