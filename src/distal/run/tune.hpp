// Gains that critically damp a press: the lowest ones that neither overshoot nor settle later than any others.
// How and why: docs/guide/tune.md.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "distal/record/svg.hpp"
#include "distal/scenario/scene.hpp"

namespace distal {

// One press with one pair of gains.
struct TuneTrial {
  double bandwidth_hz = 0.0, angular_bandwidth_hz = 0.0;
  double overshoot = 0.0;       // past the final depth, as a share of depth_m
  double settling_s = 0.0;      // from first contact until the depth stays within 2 % of depth_m around its final value
  double offset = 0.0;          // of the final depth from the asked one, as a share of depth_m
  double tilt_rad = 0.0;        // largest, from the first orientation
  std::vector<Pixel> response;  // time since first contact [s], depth [m]
  std::string problem;          // why it cannot be taken, whatever the numbers; empty when it can
};

struct TuneOptions {
  std::string controller;                             // empty: the only one of the scene
  std::function<void(const TuneTrial&)> after_trial;  // for progress
  const std::atomic<bool>* stop = nullptr;
};

struct TuneResult {
  std::string controller;
  TuneTrial before, after;
  std::vector<TuneTrial> trials;  // in the order of running; the first is `before`
  std::string problem;            // why there are no good gains; empty when `after` is good
};

inline constexpr double kLargestOvershoot = 0.02;  // of the depth: what a tuned press promises

// Throws InputError for a scene without an adaptive PID to tune.
TuneResult tune(const Scene& scene, const TuneOptions& options);

// A page with the step responses before and after and a table of all trials.
std::string tune_page_html(const Scene& scene, const TuneResult& result);

}  // namespace distal
