#include "distal/record/checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "distal/record/checkpoint_bytes.hpp"
#include "distal/state/hasher.hpp"

namespace distal {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "distalCP";
constexpr std::uint64_t kFormat = 4;

std::uint64_t checksum_of(std::string_view bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.value();
}

// The payload inside magic, format, size and checksum. Throws InputError.
std::string_view checked_payload(std::string_view bytes) {
  if (!bytes.starts_with(kMagic)) throw InputError("is no checkpoint of Distal");
  ByteReader head(bytes.substr(kMagic.size()));
  std::uint64_t format = 0, size = 0, checksum = 0;
  head(format), head(size), head(checksum);
  if (format != kFormat)
    throw InputError(fmt::format("has format {}, this program reads format {}: run the scene again with this program",
                                 format, kFormat));
  const std::string_view payload = bytes.substr(kMagic.size() + 3 * sizeof(std::uint64_t));
  if (payload.size() < size)
    throw InputError(fmt::format("is cut off: {} of {} bytes are there", payload.size(), size));
  if (payload.size() > size) throw InputError(fmt::format("has {} bytes too many", payload.size() - size));
  if (checksum_of(payload) != checksum) throw InputError("is damaged: its checksum does not fit");
  return payload;
}

}  // namespace

std::string checkpoint_bytes(const Checkpoint& checkpoint) {
  Checkpoint copy = checkpoint;  // the visit works both ways and so takes no constant
  ByteWriter payload;
  visit_bytes(payload, copy);
  ByteWriter head;
  head(kFormat), head(static_cast<std::uint64_t>(payload.bytes().size())), head(checksum_of(payload.bytes()));
  return std::string(kMagic) + head.bytes() + payload.bytes();
}

Checkpoint load_checkpoint(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || fs::is_directory(file)) throw InputError(fmt::format("checkpoint {} cannot be read", file.string()));
  const std::string bytes{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  try {
    Checkpoint checkpoint;
    ByteReader reader(checked_payload(bytes));
    visit_bytes(reader, checkpoint);
    if (!reader.at_end()) throw InputError("has bytes left over");
    return checkpoint;
  } catch (const InputError& problem) {
    throw InputError(fmt::format("checkpoint {} {}", file.string(), problem.what()));
  }
}

fs::path find_checkpoint(const fs::path& file_or_folder) {
  std::error_code error;
  if (fs::is_regular_file(file_or_folder, error)) return file_or_folder;
  const fs::path folder = file_or_folder / "checkpoints";
  std::vector<fs::path> files;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    if (it->path().extension() == ".checkpoint") files.push_back(it->path());
  if (files.empty())
    throw InputError(
        fmt::format("{} is no checkpoint and holds none in checkpoints/; a run writes them with "
                    "--checkpoint-every S",
                    file_or_folder.string()));
  return *std::max_element(files.begin(), files.end());
}

}  // namespace distal
