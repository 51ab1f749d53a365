#include "distal/record/row_reader.hpp"

#include <fstream>
#include <iterator>

namespace distal {

std::string load_whole_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream || std::filesystem::is_directory(path))
    throw InputError(fmt::format("{} cannot be read: is this the folder of a run's results?", path.string()));
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace distal
