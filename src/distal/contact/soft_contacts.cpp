#include "distal/contact/soft_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "distal/contact/facet_law.hpp"
#include "distal/state/embedding.hpp"

namespace distal {
namespace {

using Triangle = std::array<std::int32_t, 3>;

// The partner's skin at this moment.
class Skin {
 public:
  Skin(const SoftBody& body, const State& state) : body_(body), corners_(body), state_(state) {}

  Vec3 vertex(std::int32_t v) const { return corners_.interpolate(body_.skin, static_cast<std::size_t>(v), state_.x); }
  std::array<Vec3, 3> triangle(std::int32_t t) const {
    const Triangle& triangle = body_.skin_triangles[static_cast<std::size_t>(t)];
    return {vertex(triangle[0]), vertex(triangle[1]), vertex(triangle[2])};
  }
  const SoftBody& body() const { return body_; }

 private:
  const SoftBody& body_;
  CellCorners corners_;
  const State& state_;
};

struct Foot {
  double distance_m = std::numeric_limits<double>::infinity();  // negative: inside
  Vec3 normal = Vec3::UnitZ();
  std::array<double, 3> weight{};
  std::int32_t triangle = -1;
};

void try_triangle(const Skin& skin, std::int32_t t, const Vec3& point, Foot& best) {
  const std::array<Vec3, 3> corners = skin.triangle(t);
  const std::array<double, 3> weight = nearest_in_facet(corners, point);
  const Vec3 out = point - (weight[0] * corners[0] + weight[1] * corners[1] + weight[2] * corners[2]);
  const double distance = out.norm();
  if (distance >= std::abs(best.distance_m)) return;
  const Vec3 face = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalized();
  const double side = out.dot(face) < 0.0 ? -1.0 : 1.0;
  best = {side * distance, distance > 1e-12 ? Vec3(side / distance * out) : face, weight, t};
}

// Triangles by the boxes of a regular grid that their middles lie in.
class TriangleGrid {
 public:
  TriangleGrid(const Skin& skin, double size) : size_(size) {
    for (std::size_t t = 0; t < skin.body().skin_triangles.size(); ++t) {
      const std::array<Vec3, 3> c = skin.triangle(static_cast<std::int32_t>(t));
      boxes_[key((c[0] + c[1] + c[2]) / 3.0, {0, 0, 0})].push_back(static_cast<std::int32_t>(t));
    }
  }
  template <typename Visit>
  void near(const Vec3& point, const Visit& visit) const {
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        for (int k = -1; k <= 1; ++k)
          if (const auto box = boxes_.find(key(point, {i, j, k})); box != boxes_.end())
            for (const std::int32_t t : box->second) visit(t);
  }

 private:
  std::uint64_t key(const Vec3& point, const std::array<int, 3>& step) const {
    std::uint64_t sum = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const auto index = static_cast<std::int64_t>(std::floor(point[static_cast<Eigen::Index>(a)] / size_)) + step[a];
      sum = sum << 21U | (static_cast<std::uint64_t>(index) & 0x1fffffU);
    }
    return sum;
  }
  double size_;
  std::unordered_map<std::uint64_t, std::vector<std::int32_t>> boxes_;
};

Vec3 anchor_place(const Skin& skin, const Vec3& anchor) {
  const std::array<Vec3, 3> c = skin.triangle(static_cast<std::int32_t>(anchor[0]));
  return c[0] + anchor[1] * (c[1] - c[0]) + anchor[2] * (c[2] - c[0]);
}

// A place near a triangle as its number and two coordinates.
Vec3 anchor_on(const Skin& skin, std::int32_t triangle, const Vec3& place) {
  const std::array<Vec3, 3> c = skin.triangle(triangle);
  const Vec3 a = c[1] - c[0], b = c[2] - c[0], to = place - c[0];
  const double aa = a.dot(a), ab = a.dot(b), bb = b.dot(b), scale = aa * bb - ab * ab;
  if (!(scale > 0.0)) return {static_cast<double>(triangle), 0.0, 0.0};
  return {static_cast<double>(triangle), (to.dot(a) * bb - to.dot(b) * ab) / scale,
          (to.dot(b) * aa - to.dot(a) * ab) / scale};
}

}  // namespace

double soft_pair_stiffness(const SoftBody& sampled, const SoftBody& partner, double factor, std::size_t sample) {
  const double other = factor * partner.moduli().youngs_pa / partner.spacing_m() * sampled.skin_area_m2[sample];
  return std::min(sampled.sample_stiffness_n_m(factor, sample), other);
}

void list_near_soft(const Model& model, std::size_t p, const State& state, Workspace& ws) {
  const SoftPair& pair = model.soft_pairs[p];
  const SoftBody &body = model.soft[static_cast<std::size_t>(pair.sampled)],
                 &other = model.soft[static_cast<std::size_t>(pair.partner)];
  PairWorkspace& work = ws.soft_pairs[p];
  work.near.clear();
  const Skin skin(other, state);
  Aabb bounds;
  for (std::size_t v = 0; v < other.skin.size(); ++v) bounds.add(skin.vertex(static_cast<std::int32_t>(v)));
  const double reach = ws.near_margin_m + 2.0 * other.spacing_m();
  bounds.min -= Vec3::Constant(reach), bounds.max += Vec3::Constant(reach);
  const CellCorners corners(body);
  std::vector<std::pair<std::int32_t, Vec3>> inside;
  for (std::size_t s = 0; s < body.skin.size(); ++s) {
    const Vec3 point = corners.interpolate(body.skin, s, state.x);
    if ((point.array() >= bounds.min.array()).all() && (point.array() <= bounds.max.array()).all())
      inside.emplace_back(static_cast<std::int32_t>(s), point);
  }
  if (inside.empty()) return;
  const TriangleGrid grid(skin, reach);
  for (const auto& [s, point] : inside) {
    Foot foot;
    grid.near(point, [&](std::int32_t t) { try_triangle(skin, t, point, foot); });
    const bool touched = state.soft_pairs[p].touch[static_cast<std::size_t>(s)] != Touch::none;
    if (foot.triangle < 0 || (!touched && foot.distance_m > ws.near_margin_m)) continue;
    Contact contact;
    contact.sample = s;
    contact.facet = foot.triangle;
    work.near.push_back(contact);
  }
}

void add_soft_soft_forces(const Model& model, std::size_t p, const State& state, Workspace& ws) {
  const SoftPair& pair = model.soft_pairs[p];
  const SoftBody &body = model.soft[static_cast<std::size_t>(pair.sampled)],
                 &other = model.soft[static_cast<std::size_t>(pair.partner)];
  PairWorkspace& work = ws.soft_pairs[p];
  const PairState& memory = state.soft_pairs[p];
  const Skin skin(other, state);
  const CellCorners corners(body), other_corners(other);
  const auto& around = ws.skin_neighbours[static_cast<std::size_t>(pair.partner)];
  const double shear_share = body.moduli().shear_pa / body.moduli().youngs_pa;
  for (Contact& contact : work.near) {
    const auto s = static_cast<std::size_t>(contact.sample);
    const Vec3 point = corners.interpolate(body.skin, s, state.x);
    Foot foot;
    // The nearest triangle may have become a neighbour of the one that was nearest before.
    for (const std::int32_t v : Triangle(other.skin_triangles[static_cast<std::size_t>(contact.facet)]))
      for (const std::int32_t t : around[static_cast<std::size_t>(v)]) try_triangle(skin, t, point, foot);
    contact.facet = foot.triangle;
    contact.weight = foot.weight;
    const double stiffness = soft_pair_stiffness(body, other, pair.law.stiffness_factor, s);
    ContactInput in{-foot.distance_m,
                    foot.normal,
                    point,
                    Vec3::Zero(),
                    memory.touch[s],
                    Vec3::Zero(),
                    static_cast<double>(memory.stretch_m[s]),
                    model.integrator.kind == IntegratorKind::implicit_euler,
                    static_cast<double>(memory.weakened[s]),
                    contact.let_go};
    if (in.touch != Touch::none) in.anchor = anchor_place(skin, memory.anchor_m[s]);
    apply_contact_law(pair.law, {stiffness, shear_share * stiffness, 0.0}, in, contact);
    if (contact.touch == Touch::none) continue;
    contact.anchor_m = anchor_on(skin, foot.triangle, contact.anchor_m);
    corners.add(body.skin, s, contact.force, ws.force);
    const Triangle& triangle = other.skin_triangles[static_cast<std::size_t>(foot.triangle)];
    for (std::size_t a = 0; a < 3; ++a)
      other_corners.add(other.skin, static_cast<std::size_t>(triangle[a]), -contact.weight[a] * contact.force,
                        ws.force);
    const Wrench wrench{contact.force, point.cross(contact.force)};
    work.on_sampled += wrench;
    work.on_partner -= wrench;
    work.energy_j += contact.energy_j;
  }
}

}  // namespace distal
