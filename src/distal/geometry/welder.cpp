#include "distal/geometry/welder.hpp"

#include <fmt/format.h>

#include "distal/core/error.hpp"

namespace distal {

void Welder::add_corner(const Vec3& p, const char* place, std::size_t number) {
  if (!p.allFinite()) {
    throw InputError(fmt::format("{}: {} {}: a coordinate is not a finite number ({}, {}, {})", file_, place, number,
                                 p.x(), p.y(), p.z()));
  }
  // The comparison of doubles takes -0 and 0 for the same.
  const auto [found, is_new] =
      number_.try_emplace({p.x(), p.y(), p.z()}, static_cast<std::int32_t>(mesh_.vertices.size()));
  if (is_new) mesh_.vertices.push_back(p);
  corners_[count_++] = found->second;
  if (count_ < 3) return;
  count_ = 0;
  const auto [a, b, c] = corners_;
  if (a != b && b != c && c != a) mesh_.triangles.push_back(corners_);
}

TriangleMesh Welder::finish(const char* kind) {
  if (mesh_.triangles.empty()) throw InputError(fmt::format("{}: no triangles in this {} file", file_, kind));
  return std::move(mesh_);
}

}  // namespace distal
