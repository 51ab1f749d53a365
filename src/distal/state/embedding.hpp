// Points carried by cells or facets: where they are, and how a force on them reaches the nodes.
#pragma once
#include "distal/core/parallel.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

// The particles that carry a point: eight of its cell, or three of its facet.
class CellCorners {
 public:
  CellCorners(const SoftBody& body) : first_(static_cast<std::size_t>(body.first_particle)), offset_{} {
    for (int a = 0; a < kCorners && !body.tet; ++a)
      offset_[static_cast<std::size_t>(a)] = static_cast<std::size_t>(body.lattice.grid.corner_offset(a));
  }

  template <typename T>
  Vec3 interpolate(const EmbeddedPoints& points, std::size_t p, const BasicVec3Array<T>& values) const {
    if (!points.facet.empty()) {
      Vec3 sum = Vec3::Zero();
      for (std::size_t a = 0; a < 3; ++a)
        sum += points.place[p][a] * values.get(first_ + static_cast<std::size_t>(points.facet[p][a]));
      return sum;
    }
    const std::size_t node = first_ + static_cast<std::size_t>(points.node[p]);
    const auto w = points.weights(p);
    const T *x = values.data(0) + node, *y = values.data(1) + node, *z = values.data(2) + node;
    double sum[3] = {0.0, 0.0, 0.0};
    for (std::size_t a = 0; a < kCorners; ++a) {
      const std::size_t at = offset_[a];
      sum[0] += w[a] * static_cast<double>(x[at]);
      sum[1] += w[a] * static_cast<double>(y[at]);
      sum[2] += w[a] * static_cast<double>(z[at]);
    }
    return {sum[0], sum[1], sum[2]};
  }

  void add(const EmbeddedPoints& points, std::size_t p, const Vec3& force, Vec3Array& forces) const {
    if (!points.facet.empty()) {
      for (std::size_t a = 0; a < 3; ++a)
        forces.add(first_ + static_cast<std::size_t>(points.facet[p][a]), points.place[p][a] * force);
      return;
    }
    const std::size_t node = first_ + static_cast<std::size_t>(points.node[p]);
    const auto w = points.weights(p);
    for (int c = 0; c < 3; ++c) {
      double* target = forces.data(c) + node;
      for (std::size_t a = 0; a < kCorners; ++a) target[offset_[a]] += w[a] * force[c];
    }
  }

 private:
  std::size_t first_;
  std::array<std::size_t, kCorners> offset_;
};

// The sample of the skin that a contact is nearest to: its own, or the heaviest corner of its facet.
inline std::size_t nearest_sample(const SoftBody& body, const ContactPair& pair, const Contact& contact) {
  if (!pair.by_facets()) return static_cast<std::size_t>(contact.sample);
  const auto corner = std::max_element(contact.weight.begin(), contact.weight.end()) - contact.weight.begin();
  const auto& facet = body.tet->facets[static_cast<std::size_t>(contact.sample)];
  return static_cast<std::size_t>(
      body.vertex_sample[static_cast<std::size_t>(facet[static_cast<std::size_t>(corner)])]);
}

// Calls visit(particle, weight) for what carries a point of the skin.
template <typename Visit>
void visit_carriers(const SoftBody& body, std::size_t s, const Visit& visit) {
  const auto first = static_cast<std::size_t>(body.first_particle);
  if (body.tet) {
    for (std::size_t a = 0; a < 3; ++a)
      if (const double w = body.skin.place[s][a]; w != 0.0)
        visit(first + static_cast<std::size_t>(body.skin.facet[s][a]), w);
    return;
  }
  const auto weight = body.skin.weights(s);
  for (int a = 0; a < kCorners; ++a)
    if (const double w = weight[static_cast<std::size_t>(a)]; w != 0.0)
      visit(first + static_cast<std::size_t>(body.skin.node[s] + body.lattice.grid.corner_offset(a)), w);
}

// Calls work(plane) for every plane of cells of a body in two rounds, even planes then odd ones: points of a plane
// touch only its own two layers of nodes, so planes of a round do not meet, and the order at each node never changes.
template <typename Work>
void for_each_plane(ThreadTeam& team, int planes, Work&& work) {
  for (int parity = 0; parity < 2; ++parity) {
    const int count = (planes + 1 - parity) / 2;
    team.run([&](int thread) {
      const int begin = ThreadTeam::share_begin(count, thread, team.size()),
                end = ThreadTeam::share_begin(count, thread + 1, team.size());
      for (int i = begin; i < end; ++i) work(2 * i + parity);
    });
  }
}

}  // namespace distal
