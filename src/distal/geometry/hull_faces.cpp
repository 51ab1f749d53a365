#include "distal/geometry/hull_faces.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace distal {
namespace {

using VertexPair = std::pair<std::int32_t, std::int32_t>;

class FaceMerger {
 public:
  FaceMerger(const std::vector<Vec3>& points, const std::vector<std::array<std::int32_t, 3>>& triangles)
      : points_(points), triangles_(triangles), face_of_(triangles.size(), -1) {
    for (std::size_t t = 0; t < triangles.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k)
        along_[{triangles[t][k], triangles[t][(k + 1) % 3]}] = static_cast<std::int32_t>(t);
  }

  void group(double tolerance);
  std::vector<std::vector<std::int32_t>> loops() const;

 private:
  const Vec3& at(std::int32_t v) const { return points_[static_cast<std::size_t>(v)]; }
  const std::array<std::int32_t, 3>& triangle(std::int32_t t) const { return triangles_[static_cast<std::size_t>(t)]; }
  Vec3 area(std::int32_t t) const {
    const auto& c = triangle(t);
    return (at(c[1]) - at(c[0])).cross(at(c[2]) - at(c[0]));
  }
  void grow(std::int32_t seed, double tolerance);

  const std::vector<Vec3>& points_;
  const std::vector<std::array<std::int32_t, 3>>& triangles_;
  std::map<VertexPair, std::int32_t> along_;
  std::vector<std::int32_t> face_of_;
  std::int32_t faces_ = 0;
};

void FaceMerger::grow(std::int32_t seed, double tolerance) {
  const Vec3 normal = area(seed).normalized();
  const double offset = normal.dot(at(triangle(seed)[0]));
  const auto lies_in = [&](std::int32_t v) { return std::abs(normal.dot(at(v)) - offset) <= tolerance; };
  std::vector<std::int32_t> members{seed};
  face_of_[static_cast<std::size_t>(seed)] = faces_;
  for (std::size_t i = 0; i < members.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& c = triangle(members[i]);
      const std::int32_t next = along_.at({c[(k + 1) % 3], c[k]});
      const auto& corners = triangle(next);
      if (face_of_[static_cast<std::size_t>(next)] >= 0 || !std::all_of(corners.begin(), corners.end(), lies_in))
        continue;
      face_of_[static_cast<std::size_t>(next)] = faces_;
      members.push_back(next);
    }
  ++faces_;
}

void FaceMerger::group(double tolerance) {
  std::vector<std::int32_t> by_size(triangles_.size());
  std::iota(by_size.begin(), by_size.end(), 0);
  std::vector<double> size(triangles_.size());
  for (std::size_t t = 0; t < size.size(); ++t) size[t] = area(static_cast<std::int32_t>(t)).norm();
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::int32_t a, std::int32_t b) {
    return size[static_cast<std::size_t>(a)] > size[static_cast<std::size_t>(b)];
  });
  for (const std::int32_t t : by_size)
    if (face_of_[static_cast<std::size_t>(t)] < 0) grow(t, tolerance);
}

std::vector<std::vector<std::int32_t>> FaceMerger::loops() const {
  // Corners are where three faces meet.
  std::map<std::int32_t, std::set<std::int32_t>> faces_at;
  std::vector<std::map<std::int32_t, std::int32_t>> next(static_cast<std::size_t>(faces_));
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t from = triangles_[t][k], to = triangles_[t][(k + 1) % 3];
      faces_at[from].insert(face_of_[t]);
      if (face_of_[static_cast<std::size_t>(along_.at({to, from}))] != face_of_[t])
        next[static_cast<std::size_t>(face_of_[t])][from] = to;
    }
  std::vector<std::vector<std::int32_t>> loops;
  for (const auto& rim : next) {
    std::vector<std::int32_t> loop;
    std::int32_t v = rim.empty() ? 0 : rim.begin()->first;
    for (std::size_t i = 0; i < rim.size(); ++i, v = rim.at(v))
      if (faces_at.at(v).size() > 2) loop.push_back(v);
    if (loop.size() > 2) loops.push_back(std::move(loop));
  }
  return loops;
}

}  // namespace

std::vector<std::vector<std::int32_t>> merge_hull_faces(const std::vector<Vec3>& points,
                                                        const std::vector<std::array<std::int32_t, 3>>& triangles,
                                                        double tolerance_m) {
  FaceMerger merger(points, triangles);
  merger.group(tolerance_m);
  return merger.loops();
}

}  // namespace distal
