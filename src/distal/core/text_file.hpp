// A file of text as a whole.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>

namespace distal {

// `kind` is what it should be, for messages: "a scene file". Throws InputError for a folder, for what is missing or
// cannot be read, and for more than `most_mib`: devices and pipes may never end.
std::string load_text(const std::filesystem::path& file, const char* kind, std::size_t most_mib);

}  // namespace distal
