// A run at the end of a control period, whole: state, channels and controllers. A run that continues from it gets the
// same bits as one that was never interrupted. Layout: docs/reference/results.md.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "distal/controller/adaptive_pid.hpp"
#include "distal/controller/imperfect_plant.hpp"
#include "distal/controller/prescribed_motion.hpp"
#include "distal/controller/squeeze.hpp"
#include "distal/haptic/held_body.hpp"
#include "distal/haptic/skin_touch.hpp"
#include "distal/state/state.hpp"

namespace distal {

// Of one body; nothing where no controller of the scene moves it. Behind the bodies: of each hand that touches a skin.
using ControllerMemory = std::variant<std::monostate, AdaptivePidMemory, PrescribedMotionMemory, SqueezeMemory,
                                      HeldBodyMemory, SkinTouchMemory>;

struct Checkpoint {
  std::uint64_t scene_fingerprint = 0;
  std::string instruction_set;
  State state;
  ImperfectionMemory channels;
  std::vector<ControllerMemory> controllers;
};

std::string checkpoint_bytes(const Checkpoint& checkpoint);
// Throws InputError for a file that is missing, cut off, damaged, of another format, or none.
Checkpoint load_checkpoint(const std::filesystem::path& file);
// The file itself, or the latest checkpoint of a folder of results. Throws InputError.
std::filesystem::path find_checkpoint(const std::filesystem::path& file_or_folder);

}  // namespace distal
