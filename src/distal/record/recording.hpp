// A recorded run, read back: the inputs of every control period and what came of them.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "distal/state/exchange.hpp"

namespace distal {

struct RecordedPeriod {
  double time_s = 0.0;  // at its end
  std::vector<BodyCommand> commands;
  std::vector<JointCommand> joints;
  std::vector<TouchCommand> touches;
  std::optional<std::uint64_t> state_hash;     // now and then
  std::optional<std::uint64_t> feedback_hash;  // of what the controller saw at the end
};

struct RecordedEnd {
  std::string status;  // done, interrupted, failed
  std::uint64_t state_hash = 0;
};

struct Recording {
  std::string version, instruction_set, scene_file, scene_toml;
  std::vector<std::string> body_names, joint_names, touch_names;
  std::vector<RecordedPeriod> periods;
  std::optional<RecordedEnd> end;  // none where the run was killed
  std::filesystem::path start;     // the checkpoint that the run continued; empty for a run from the beginning
};

// From a folder of results. A last line that a killed run left incomplete is left out; anything else that is missing or
// damaged throws InputError with file and line.
Recording load_recording(const std::filesystem::path& folder);

}  // namespace distal
