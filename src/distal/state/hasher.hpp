// A fingerprint of bits: FNV-1a over 64-bit words with a final mix.
#pragma once
#include <bit>
#include <cstdint>
#include <string_view>

#include "distal/math/spatial.hpp"

namespace distal {

class Hasher {
 public:
  void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3ULL, hash_ ^= hash_ >> 29; }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  void add(const Vec3& v) { add(v.x()), add(v.y()), add(v.z()); }
  void add(const Quat& q) {
    for (int c = 0; c < 4; ++c) add(q.coeffs()[c]);
  }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }
  std::uint64_t value() const { return hash_ ^ (hash_ >> 32); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;
};

}  // namespace distal
