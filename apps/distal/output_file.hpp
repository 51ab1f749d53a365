// Files that a command writes at its end are tried before its work begins.
#pragma once
#include <filesystem>

namespace distal {

// Leaves what is there as it is. Throws InputError with option, file and reason.
void check_output_file(const char* option, const std::filesystem::path& file);

}  // namespace distal
