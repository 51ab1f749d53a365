// A session behind the plant protocol. Hands on the scene's devices act in it too, and have the bodies that they hold.
#pragma once
#include "distal/remote/served_plant.hpp"
#include "distal/run/control_room.hpp"
#include "distal/run/hand_loops.hpp"
#include "distal/run/onlooker.hpp"
#include "distal/run/session.hpp"

namespace distal {

class SessionPlant : public ServedPlant {
 public:
  // With `ends`, the plant steps no further than run.duration_s; with `real_time`, hands have loops of their own. The
  // scene has no controllers: whoever is served is the controller. Throws InputError for devices that do not fit.
  SessionPlant(Session& session, const Scene& scene, std::uint64_t scene_hash, bool ends, bool real_time,
               Onlooker* onlooker = nullptr);

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
  // Ends the loops of hands and records how they went.
  std::vector<LoopReport> stop_loops();

 private:
  void connect_hands();
  std::span<const BodyCommand> with_hands(std::span<const BodyCommand> commands);

  const Scene& scene_;
  Session& session_;
  std::vector<ServedBody> bodies_;
  std::vector<ServedJoint> joints_;
  std::vector<JointCommand> joint_commands_;
  std::vector<BodyCommand> body_commands_;  // with those of hands
  std::optional<ControlRoom> hands_;
  std::optional<HandLoops> loops_;
  double duration_s_;
  bool real_time_;
  std::uint64_t scene_hash_;
  std::string failure_;
  Onlooker* onlooker_;
};

// A number that two programs with the same scene agree on: FNV-1a of its resolved text.
std::uint64_t hash_scene(const Scene& scene);

}  // namespace distal
