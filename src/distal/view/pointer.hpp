// The sphere with which a viewer pushes: a driven rigid body that `distal view` adds to a scene, parked where it
// touches nothing.
#pragma once
#include <string>
#include <string_view>

#include "distal/scenario/scene.hpp"
#include "distal/state/state.hpp"

namespace distal {

inline constexpr std::string_view kPointerName = "pointer";  // longer where a body has that name

// The scene with a pointer; its name is returned in `name`. The record tells of it, so that a replay has it too.
Scene with_pointer(Scene scene, std::string& name);

class Pointer {
 public:
  Pointer(const Model& model, std::size_t rigid_index, const State& state);

  void push(const Vec3& position_m, const State& state);
  void leave(const State& state);
  bool parked() const { return stage_ == Stage::parked; }

  // For the next control period. `feedback` is the true one, of the end of the last.
  BodyCommand update(const BodyFeedback& feedback, double period_s);

 private:
  enum class Stage { parked, flies_in, follows, leaves, flies_out };
  struct Ball {
    Vec3 centre_m = Vec3::Zero();
    double radius_m = 0.0;
  };

  Ball find_ball(const State& state) const;
  Vec3 outside(const Vec3& from) const;
  void fly(const Vec3& to);
  bool fly_on(double period_s);
  Vec3 out_of_planes(Vec3 position) const;

  const Model& model_;
  std::size_t rigid_;
  double radius_m_, most_force_n_;
  Vec3 up_, park_m_, now_m_;
  Vec3 target_m_ = Vec3::Zero();
  Stage stage_ = Stage::parked;
  Ball ball_;  // holds all bodies
  // Turns about the ball and never comes nearer to it than its ends are. From and to its centre.
  struct Flight {
    Vec3 from_m = Vec3::Zero(), to_m = Vec3::Zero();
    double length_m = 0.0, done = 0.0;
  } flight_;
};

}  // namespace distal
