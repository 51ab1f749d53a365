#include "distal/core/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "distal/core/error.hpp"

namespace distal {

std::string load_text(const std::filesystem::path& file, const char* kind, std::size_t most_mib) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw InputError(fmt::format("{}: is a folder, expected {}", file.string(), kind));
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw InputError(fmt::format("{}: {}", file.string(),
                                 std::filesystem::exists(file, ignored) ? "cannot be read" : "there is no such file"));
  constexpr std::size_t kPiece = 1 << 20;
  const std::size_t most = most_mib << 20;
  std::string text;
  while (stream && text.size() <= most) {
    const std::size_t before = text.size();
    text.resize(before + std::min(kPiece, most + 1 - before));
    stream.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(stream.gcount()));
  }
  if (text.size() > most)
    throw InputError(fmt::format("{}: is longer than {} MiB: not {}", file.string(), most_mib, kind));
  return text;
}

}  // namespace distal
