// The least force with which a grip lifts and holds its object, found by bisection. How and why: docs/guide/grip.md.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "distal/scenario/scene.hpp"

namespace distal {

// One lift with one force.
struct GripTrial {
  double force_n = 0.0;
  bool holds = false;
  double fall_m = 0.0;   // of the object against the fingers, since the lift began; largest
  double drift_m = 0.0;  // the same since kGripSettling_s after the lift; largest in size
  double end_s = 0.0;    // of the run: its duration, or when the object was lost
  std::string problem;   // why it does not hold; empty when it does
};

struct GripOptions {
  std::vector<std::string> controllers;               // of type squeeze, all on one object
  std::string object;                                 // empty: the only body that is free and no finger
  double low_n = 0.0, high_n = 0.0;                   // high_n = 0: twice force_n of the scene
  double drop_m = 0.0005;                             // a larger fall after the lift is a slip
  double precision = 0.01;                            // of the minimum, relative: where the search ends
  std::function<void(const GripTrial&)> after_trial;  // for progress
  const std::atomic<bool>* stop = nullptr;
};

struct GripResult {
  std::string object;
  double mass_kg = 0.0;
  double static_friction = 0.0;  // least, of the object against a finger
  double theory_n = 0.0;         // m g / (n mu_s) for n fingers
  double lifting_n = 0.0;        // the same while the lift accelerates most
  double minimum_n = 0.0;        // least force that was seen to hold
  double slips_n = 0.0;          // greatest force that was seen to slip; 0 where low_n holds
  std::vector<GripTrial> trials;
  std::string problem;  // why there is no minimum; empty when there is
};

inline constexpr double kGripSettling_s = 0.3;  // after the lift, before drift counts

// Throws InputError for a scene, controllers or options with which there is nothing to search.
GripResult find_grip(const Scene& scene, const GripOptions& options);
// One lift of that search.
GripTrial try_grip(const Scene& scene, const GripOptions& options, double force_n);

}  // namespace distal
