// What a run was, known before it starts, and how it ended.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "distal/record/link_report.hpp"

namespace distal {

struct RunHeader {
  std::string scene_title;
  std::string scene_file;  // as the user gave it
  std::string scene_toml;  // resolved: every override applied
  std::string version;
  std::uint64_t seed = 0;
  std::size_t particles = 0, springs = 0, cells = 0;
  double time_step_s = 0.0;
  double stable_step_s = 0.0;  // the largest stable step; 0 where nothing limits it
  double paper_step_s = 0.0;   // the paper's 1 / omega_0; 0 where it does not apply
  std::string instruction_set, integrator, precision;
  int threads = 1;
  double control_period_s = 0.0;
  double frames_per_s = 0.0;
  std::vector<std::string> body_names;              // bodies with a series, in the order of the readings
  std::vector<std::string> joint_names;             // joints that move
  std::vector<std::string> touch_names;             // devices that touch a skin
  std::vector<std::size_t> bodies_behind_channels;  // increasing: whose controller does not see the truth
};

struct RunEnd {
  std::string status;   // done, interrupted, failed
  std::string message;  // why, where the status is not done
  std::uint64_t steps = 0, rejected_steps = 0;
  double simulated_s = 0.0;
  double wall_s = 0.0;                            // the loop with control and recording, without build and report
  std::string final_state_hash;                   // hexadecimal
  double closure = 0.0;                           // largest wrench closure residual of the run, relative
  std::optional<LinkReport> link = std::nullopt;  // of a run that was commanded over the network
};

}  // namespace distal
