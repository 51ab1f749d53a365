// Random numbers that are a function of a key and a counter: nothing to save, nothing that depends on who asks first.
#pragma once
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace distal {

// A bijection that spreads every bit over all 64 (the finaliser of SplitMix64, Steele, Lea and Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// A stream for a seed and a name: streams of other seeds or names have nothing to do with it.
constexpr std::uint64_t random_key(std::uint64_t seed, std::string_view name) {
  std::uint64_t key = mixed(seed + 0x9e3779b97f4a7c15ULL);
  for (const char c : name) key = mixed(key ^ static_cast<unsigned char>(c)) + 0x9e3779b97f4a7c15ULL;
  return key;
}

// `draw` tells apart the numbers that one count needs.
constexpr std::uint64_t random_bits(std::uint64_t key, std::uint64_t count, std::uint64_t draw) {
  return mixed(mixed(key + count * 0x9e3779b97f4a7c15ULL) + draw * 0xd1342543de82ef95ULL);
}

// In [0, 1).
constexpr double random_share(std::uint64_t key, std::uint64_t count, std::uint64_t draw) {
  return static_cast<double>(random_bits(key, count, draw) >> 11) * 0x1p-53;
}

// Mean 0, standard deviation 1 (Box and Muller); takes the draws 2 * draw and 2 * draw + 1.
inline double random_normal(std::uint64_t key, std::uint64_t count, std::uint64_t draw) {
  const double radius = std::sqrt(-2.0 * std::log1p(-random_share(key, count, 2 * draw)));
  return radius * std::cos(2.0 * std::numbers::pi * random_share(key, count, 2 * draw + 1));
}

}  // namespace distal
