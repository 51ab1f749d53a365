// Our own .vtu files, read back.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "distal/record/vtu.hpp"

namespace distal {

// Throws InputError that names the file and what is damaged.
VtuGrid load_vtu(const std::filesystem::path& file);

// Bytes of base64 with padding; false for what is none.
bool decode_base64(std::string_view text, std::vector<std::byte>& bytes);

// A frame of run.pvd: a time and the files of its parts; empty where a frame has none.
struct FrameFiles {
  double time_s = 0.0;
  std::filesystem::path surface, lattice, rigid;
};
// In the order of time, each time once.
std::vector<FrameFiles> load_frame_list(const std::filesystem::path& folder);

}  // namespace distal
