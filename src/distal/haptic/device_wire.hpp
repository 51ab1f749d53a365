// The device protocol's layout: docs/reference/device_protocol.md. Little-endian; nothing is padded.
#pragma once
#include <array>
#include <cstdint>

namespace distal::device_wire {

inline constexpr std::uint32_t kMagic = 0x50414844;  // "DHAP"
inline constexpr std::uint16_t kVersion = 1;
enum Type : std::uint16_t { kHand = 1, kForce = 2, kBye = 3 };

struct Header {
  std::uint32_t magic = kMagic;
  std::uint16_t version = kVersion;
  std::uint16_t type = 0;
  std::uint64_t sequence = 0;
};

struct Hand {
  Header header;
  double time_s = 0.0;
  std::array<double, 3> position_m{};
  std::array<double, 4> q_xyzw{0.0, 0.0, 0.0, 1.0};
  std::array<double, 3> velocity_m_s{};
  std::array<double, 3> angular_velocity_rad_s{};
  std::uint32_t buttons = 0;
  std::uint32_t reserved = 0;
};

struct Force {
  Header header;  // the sequence of the newest hand
  double time_s = 0.0;
  std::array<double, 3> force_n{};
  std::array<double, 3> torque_n_m{};
  std::uint64_t refused = 0;  // datagrams so far that were no good
};

static_assert(sizeof(Header) == 16 && sizeof(Hand) == 136 && sizeof(Force) == 80);

}  // namespace distal::device_wire
