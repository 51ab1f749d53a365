#include "distal/haptic/skin_footprint.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace distal {
namespace {

std::array<float, 3> in_single(const Vec3& v) {
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

Vec3 unit_or_zero(const Vec3& v) { return v.norm() > 0.0 ? Vec3(v.normalized()) : Vec3(Vec3::Zero()); }

bool is_smaller(const std::array<Vec3, 3>& c, double size) {
  return (c[1] - c[0]).norm() < size && (c[2] - c[1]).norm() < size && (c[0] - c[2]).norm() < size;
}

}  // namespace

class SkinFootprint::Builder {
 public:
  Builder(const SoftBody& body, const SkinFaces& faces, SkinFootprint& to) : body_(body), faces_(faces), to_(to) {
    find_vertex_normals();
    take_pieces();
    fill_bundles();
    list_covered();
  }

 private:
  struct Piece {
    std::vector<std::int32_t> faces;
    std::int32_t carrier;
    Vec3 middle_m, area_m2;  // twice the area, outwards
  };

  void find_vertex_normals() {
    to_.vertex_normal_.assign(faces_.vertex_count(), Vec3::Zero());
    for (std::int32_t f = 0; f < faces_.size(); ++f)
      for (std::size_t a = 0; a < 3; ++a)
        to_.vertex_normal_[static_cast<std::size_t>(faces_.corners(f)[a])] += angle_share(faces_.rest_places(f), a);
    for (Vec3& normal : to_.vertex_normal_) normal = unit_or_zero(normal);
  }

  // Of the cell of its first corner, unless it may reach over several cells.
  std::int32_t carrier_of(std::int32_t face) const {
    if (!body_.skin.facet.empty() || !is_smaller(faces_.rest_places(face), to_.cell_size_m_)) return face;
    return ~(body_.first_particle + body_.skin.node[static_cast<std::size_t>(faces_.corners(face)[0])]);
  }

  void take_pieces() {
    std::map<std::int32_t, std::size_t> piece_at;
    for (std::int32_t f = 0; f < faces_.size(); ++f) {
      const std::int32_t carrier = carrier_of(f);
      const auto [found, is_new] = piece_at.try_emplace(carrier, pieces_.size());
      if (is_new) pieces_.push_back({{}, carrier, Vec3::Zero(), Vec3::Zero()});
      pieces_[found->second].faces.push_back(f);
      to_.piece_of_face_.push_back(static_cast<std::int32_t>(found->second));
    }
    for (Piece& piece : pieces_) {
      double sum = 0.0;
      for (const std::int32_t f : piece.faces) {
        const auto c = faces_.rest_places(f);
        const Vec3 area = (c[1] - c[0]).cross(c[2] - c[0]);
        const double size = std::max(area.norm(), 1e-300);
        piece.area_m2 += area, piece.middle_m += size / 3.0 * (c[0] + c[1] + c[2]);
        sum += size;
      }
      piece.middle_m /= sum;
    }
  }

  void fill_bundles() {
    to_.bundles_.resize((pieces_.size() + kBundle - 1) / kBundle);
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
      Bundle& bundle = to_.bundles_[p / kBundle];
      const std::size_t at = p % kBundle;
      const Vec3 normal = unit_or_zero(pieces_[p].area_m2);
      for (std::size_t a = 0; a < 3; ++a) {
        bundle.middle_m[a][at] = static_cast<float>(pieces_[p].middle_m[static_cast<Eigen::Index>(a)]);
        bundle.normal[a][at] = static_cast<float>(normal[static_cast<Eigen::Index>(a)]);
      }
      bundle.twice_area_m2[at] = static_cast<float>(pieces_[p].area_m2.norm());
      bundle.carrier[at] = pieces_[p].carrier;
    }
  }

  double reach_from(const Piece& piece) const {
    double most = 0.0;
    for (const std::int32_t f : piece.faces)
      for (const Vec3& c : faces_.rest_places(f)) most = std::max(most, (c - piece.middle_m).norm());
    return most + to_.radius_m_;
  }

  // Whether a point of one piece looks the same way as another piece.
  bool looks_along(const Piece& piece, const Piece& other) const {
    const auto face_does = [&](std::int32_t f) {
      return std::ranges::any_of(faces_.corners(f), [&](std::int32_t v) {
        return to_.vertex_normal_[static_cast<std::size_t>(v)].dot(other.area_m2) > 0.0;
      });
    };
    return std::ranges::any_of(piece.faces, face_does);
  }

  // From piece to piece over common vertices, as far as a tip on the first can cover the middle of one.
  void list_covered() {
    std::vector<std::int32_t> seen(pieces_.size(), -1), front;
    to_.covered_begin_.push_back(0);
    for (std::size_t first = 0; first < pieces_.size(); ++first) {
      const double reach = reach_from(pieces_[first]);
      const auto mark = static_cast<std::int32_t>(first), begin = to_.covered_begin_.back();
      front.assign(1, mark);
      seen[first] = mark;
      for (std::size_t next = 0; next < front.size(); ++next) {
        const Piece& piece = pieces_[static_cast<std::size_t>(front[next])];
        if ((piece.middle_m - pieces_[first].middle_m).norm() > reach) continue;
        if (looks_along(pieces_[first], piece))
          to_.covered_.push_back(front[next] / static_cast<std::int32_t>(kBundle));
        for (const std::int32_t f : piece.faces)
          for (const std::int32_t v : faces_.corners(f))
            for (const std::int32_t other : faces_.around(v)) {
              const std::int32_t at = to_.piece_of_face_[static_cast<std::size_t>(other)];
              if (std::exchange(seen[static_cast<std::size_t>(at)], mark) != mark) front.push_back(at);
            }
      }
      std::sort(to_.covered_.begin() + begin, to_.covered_.end());
      to_.covered_.erase(std::unique(to_.covered_.begin() + begin, to_.covered_.end()), to_.covered_.end());
      to_.covered_begin_.push_back(static_cast<std::int32_t>(to_.covered_.size()));
    }
  }

  const SoftBody& body_;
  const SkinFaces& faces_;
  SkinFootprint& to_;
  std::vector<Piece> pieces_;
};

SkinFootprint::SkinFootprint(const SoftBody& body, const SkinFaces& faces, double radius_m) : radius_m_(radius_m) {
  if (!body.tet) {
    cell_size_m_ = body.lattice.grid.cell_size_m;
    for (int a = 0; a < 8; ++a)
      corner_offset_[static_cast<std::size_t>(a)] = static_cast<std::size_t>(body.lattice.grid.corner_offset(a));
  }
  Builder(body, faces, *this);
}

// Areas in a cell turn and grow with the cofactor of its mean deformation gradient.
Vec3 SkinFootprint::area_vector(const SkinFaces& faces, const Vec3Array& x, const Bundle& bundle,
                                std::size_t piece) const {
  const std::int32_t carrier = bundle.carrier[piece];
  if (carrier >= 0) return faces.area_vector(x, carrier);
  std::array<Vec3, 3> gradient;  // its columns
  const double per_edge = 0.25 / cell_size_m_;
  for (int c = 0; c < 3; ++c) {
    const double* at = x.data(c) + ~carrier;
    std::array<double, 8> corner;
    for (std::size_t a = 0; a < 8; ++a) corner[a] = at[corner_offset_[a]];
    for (std::size_t axis = 0; axis < 3; ++axis) {
      double sum = 0.0;
      for (std::size_t a = 0; a < 8; ++a) sum += (a >> axis & 1U) != 0 ? corner[a] : -corner[a];
      gradient[axis][c] = per_edge * sum;
    }
  }
  const auto& [f0, f1, f2] = gradient;
  const auto normal = [&](std::size_t a) { return static_cast<double>(bundle.normal[a][piece]); };
  return static_cast<double>(bundle.twice_area_m2[piece]) *
         (normal(0) * f1.cross(f2) + normal(1) * f2.cross(f0) + normal(2) * f0.cross(f1));
}

// Less towards the rim, and where a piece looks elsewhere.
std::array<float, SkinFootprint::kBundle> SkinFootprint::find_shares(const Bundle& bundle,
                                                                     const std::array<float, 3>& middle,
                                                                     const std::array<float, 3>& facing,
                                                                     float per_square_m2) {
  std::array<float, kBundle> share;
  for (std::size_t b = 0; b < kBundle; ++b) {
    const float dx = bundle.middle_m[0][b] - middle[0], dy = bundle.middle_m[1][b] - middle[1],
                dz = bundle.middle_m[2][b] - middle[2];
    const float rim = std::max(0.0F, 1.0F - per_square_m2 * (dx * dx + dy * dy + dz * dz));
    const float looks = std::max(
        0.0F, bundle.normal[0][b] * facing[0] + bundle.normal[1][b] * facing[1] + bundle.normal[2][b] * facing[2]);
    share[b] = rim * rim * looks * looks;
  }
  return share;
}

Vec3 SkinFootprint::find_normal(const SkinFaces& faces, const Vec3Array& x, std::int32_t face,
                                const Vec3& weight) const {
  Vec3 middle = Vec3::Zero(), facing = Vec3::Zero();
  const auto corners = faces.rest_places(face);
  for (std::size_t a = 0; a < 3; ++a) {
    const double w = weight[static_cast<Eigen::Index>(a)];
    middle += w * corners[a];
    facing += w * vertex_normal_[static_cast<std::size_t>(faces.corners(face)[a])];
  }
  const std::array<float, 3> from = in_single(middle), along = in_single(facing.normalized());
  const auto per_square = static_cast<float>(1.0 / (radius_m_ * radius_m_));
  const auto first = static_cast<std::size_t>(piece_of_face_[static_cast<std::size_t>(face)]);
  Vec3 sum = Vec3::Zero();
  for (auto i = static_cast<std::size_t>(covered_begin_[first]);
       i < static_cast<std::size_t>(covered_begin_[first + 1]); ++i) {
    const Bundle& bundle = bundles_[static_cast<std::size_t>(covered_[i])];
    const std::array<float, kBundle> share = find_shares(bundle, from, along, per_square);
    for (std::size_t b = 0; b < kBundle; ++b)
      if (share[b] > 0.0F) sum += static_cast<double>(share[b]) * area_vector(faces, x, bundle, b);
  }
  return sum;
}

}  // namespace distal
