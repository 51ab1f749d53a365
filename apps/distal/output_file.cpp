#include "distal/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "distal/core/error.hpp"

namespace distal {

// Permission bits do not tell the truth for root or read-only mounts, so try.
void check_output_file(const char* option, const std::filesystem::path& file) {
  const bool existed = ::access(file.c_str(), F_OK) == 0;
  const int open_file = ::open(file.c_str(), O_WRONLY | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
  if (open_file < 0)
    throw InputError(fmt::format("{} {}: cannot be written: {}", option, file.string(), std::strerror(errno)));
  ::close(open_file);
  if (!existed) ::unlink(file.c_str());
}

}  // namespace distal
