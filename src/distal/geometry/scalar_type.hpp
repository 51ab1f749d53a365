// Numbers as bytes, little end first, whatever this machine is.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace distal {

struct ScalarType {
  enum class Kind { signed_integer, unsigned_integer, real } kind;
  std::size_t bytes;
};

inline std::uint64_t read_little_endian(std::string_view data, std::size_t at, std::size_t bytes) {
  std::uint64_t word = 0;
  for (std::size_t k = bytes; k-- > 0;) word = (word << 8) | static_cast<unsigned char>(data[at + k]);
  return word;
}

// As a double, which holds every index that a mesh can have.
inline double read_scalar(const ScalarType& type, std::string_view data, std::size_t at) {
  const std::uint64_t word = read_little_endian(data, at, type.bytes);
  if (type.kind == ScalarType::Kind::unsigned_integer) return static_cast<double>(word);
  if (type.kind == ScalarType::Kind::real) {
    return type.bytes == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(word)) : std::bit_cast<double>(word);
  }
  // Shifted up and down again, the sign bit fills what is in front of it.
  const int unused = 64 - 8 * static_cast<int>(type.bytes);
  return static_cast<double>(static_cast<std::int64_t>(word << unused) >> unused);
}

}  // namespace distal
