#include "distal/geometry/convex_hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "distal/core/error.hpp"
#include "distal/geometry/closed_mesh.hpp"
#include "distal/geometry/hull_faces.hpp"
#include "distal/geometry/hull_triangles.hpp"
#include "distal/geometry/quadric_fit.hpp"
#include "distal/geometry/tet_files.hpp"

namespace distal {
namespace {

constexpr double kMostDent = 0.01;  // of the extent
// Below this many vertices, looking at all is as fast as walking.
constexpr std::size_t kFewVertices = 48;

double extent_of(const TriangleMesh& mesh) {
  Aabb box;
  for (const Vec3& v : mesh.vertices) box.add(v);
  return mesh.vertices.empty() ? 0.0 : (box.max - box.min).norm();
}

}  // namespace

SolidMass find_solid_mass(const TriangleMesh& mesh) {
  // Tetrahedra from a vertex; second moments of a tetrahedron from its corners: V/20 (sum p_i p_i' + s s').
  const Vec3 origin = mesh.vertices.front();
  double volume = 0.0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[static_cast<std::size_t>(t[0])] - origin,
               b = mesh.vertices[static_cast<std::size_t>(t[1])] - origin,
               c = mesh.vertices[static_cast<std::size_t>(t[2])] - origin, sum = a + b + c;
    const double v = a.dot(b.cross(c)) / 6.0;
    volume += v;
    first += v / 4.0 * sum;
    second += v / 20.0 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
  const Vec3 centre = first / volume;
  const Mat3 about_centre = second / volume - centre * centre.transpose();
  return {volume, origin + centre, about_centre.trace() * Mat3::Identity() - about_centre};
}

ConvexHull::ConvexHull(TriangleMesh mesh) : mesh_(std::move(mesh)) {
  const double extent = extent_of(mesh_);
  check_input(extent);
  const auto loops = merge_hull_faces(mesh_.vertices, find_hull_triangles(mesh_.vertices), 8.0 * hull_blur * extent);
  std::map<std::int32_t, std::int32_t> number;
  TriangleMesh hull;
  for (const auto& loop : loops) {
    Face face{Vec3::Zero(), 0.0, static_cast<std::int32_t>(corners_.size()), static_cast<std::int32_t>(loop.size())};
    for (const std::int32_t v : loop) {
      const auto [known, fresh] = number.try_emplace(v, static_cast<std::int32_t>(vertices_.size()));
      if (fresh) vertices_.push_back(mesh_.vertices[static_cast<std::size_t>(v)]);
      corners_.push_back(known->second);
    }
    const auto corner = [&](std::size_t i) { return corners_[static_cast<std::size_t>(face.first) + i]; };
    const auto place = [&](std::size_t i) { return vertices_[static_cast<std::size_t>(corner(i))]; };
    for (std::size_t i = 2; i < loop.size(); ++i) {
      face.normal += (place(i - 1) - place(0)).cross(place(i) - place(0));
      hull.triangles.push_back({corner(0), corner(i - 1), corner(i)});
      face_of_triangle_.push_back(static_cast<std::int32_t>(faces_.size()));
    }
    face.normal.normalize();
    for (std::size_t i = 0; i < loop.size(); ++i)
      face.offset_m = i == 0 ? face.normal.dot(place(i)) : std::max(face.offset_m, face.normal.dot(place(i)));
    faces_.push_back(face);
  }
  if (faces_.size() < 4) throw InputError("the surface is flat, allowed: one that encloses a volume");
  hull.vertices = vertices_;
  find_edges();
  check_convex(extent);
  mass_ = find_solid_mass(mesh_);
  for (const Vec3& v : vertices_) {
    reach_m_ = std::max(reach_m_, v.norm());
    reach_from_centre_m_ = std::max(reach_from_centre_m_, (v - mass_.centre_m).norm());
  }
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3 direction = (i % 2 == 0 ? 1.0 : -1.0) * Vec3::Unit(static_cast<Eigen::Index>(i / 2));
    for (std::size_t v = 0; v < vertices_.size(); ++v)
      if (direction.dot(vertices_[v] - vertices_[static_cast<std::size_t>(extremes_[i])]) > 0.0)
        extremes_[i] = static_cast<std::int32_t>(v);
  }
  surface_ = std::make_unique<SurfaceIndex>(mesh_);
  hull_surface_ = std::make_unique<SurfaceIndex>(std::move(hull));
}

ConvexHull::~ConvexHull() = default;

void ConvexHull::check_input(double extent_m) const {
  if (!(extent_m > 0.0)) throw InputError("the surface has no extent");
  if (const std::size_t open = count_open_edges(mesh_); open > 0)
    throw InputError(fmt::format("the surface is not closed: {} edges are not shared by exactly two triangles", open));
  if (const double volume = enclosed_volume(mesh_); volume <= 1e-9 * std::pow(extent_m, 3))
    throw InputError(volume < -1e-9 * std::pow(extent_m, 3)
                         ? "the triangles face inwards, allowed: counter-clockwise seen from outside"
                         : "the surface is flat, allowed: one that encloses a volume");
}

void ConvexHull::check_convex(double extent_m) const {
  // How far below the hull the surface lies: corners, middles of edges and of triangles.
  double deepest = 0.0;
  Vec3 where = Vec3::Zero();
  const auto probe = [&](const Vec3& p) {
    double depth = 1e300;
    for (const Face& face : faces_) depth = std::min(depth, face.offset_m - face.normal.dot(p));
    if (depth > deepest) deepest = depth, where = p;
  };
  for (const auto& t : mesh_.triangles) {
    const Vec3 &a = mesh_.vertices[static_cast<std::size_t>(t[0])], &b = mesh_.vertices[static_cast<std::size_t>(t[1])],
               &c = mesh_.vertices[static_cast<std::size_t>(t[2])];
    probe(a), probe(b), probe(c), probe(0.5 * (a + b)), probe(0.5 * (b + c)), probe(0.5 * (c + a));
    probe((a + b + c) / 3.0);
  }
  if (deepest > kMostDent * extent_m)
    throw InputError(fmt::format(
        "the surface is not convex: at ({:.4g}, {:.4g}, {:.4g}) m it lies {:.3g} m below its hull, allowed: "
        "{:.3g} m (1 % of its extent); give it as several [part.NAME], each with a convex mesh",
        where.x(), where.y(), where.z(), deepest, kMostDent * extent_m));
}

void ConvexHull::find_edges() {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> face_along;
  std::vector<std::vector<std::int32_t>> vertices_at(vertices_.size()), faces_at(vertices_.size());
  for (std::size_t f = 0; f < faces_.size(); ++f) {
    const auto loop = corners(faces_[f]);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      face_along[{loop[i], loop[(i + 1) % loop.size()]}] = static_cast<std::int32_t>(f);
      faces_at[static_cast<std::size_t>(loop[i])].push_back(static_cast<std::int32_t>(f));
    }
  }
  for (const auto& [pair, face] : face_along) {
    const auto twin = face_along.find({pair.second, pair.first});
    // An edge beside a face that shrank to nothing belongs to one face alone.
    const std::int32_t other = twin == face_along.end() ? face : twin->second;
    if (twin != face_along.end() && pair.first > pair.second) continue;
    edges_.push_back({{pair.first, pair.second}, {face, other}});
    vertices_at[static_cast<std::size_t>(pair.first)].push_back(pair.second);
    vertices_at[static_cast<std::size_t>(pair.second)].push_back(pair.first);
  }
  const auto pack = [](const std::vector<std::vector<std::int32_t>>& lists, Neighbours& packed) {
    packed.first.assign(1, 0);
    for (const auto& list : lists) {
      packed.list.insert(packed.list.end(), list.begin(), list.end());
      packed.first.push_back(static_cast<std::int32_t>(packed.list.size()));
    }
  };
  pack(vertices_at, vertices_at_);
  pack(faces_at, faces_at_);
}

std::int32_t ConvexHull::find_support(const Vec3& direction) const {
  const auto height = [&](std::int32_t v) { return direction.dot(vertices_[static_cast<std::size_t>(v)]); };
  std::int32_t best = 0;
  if (vertices_.size() <= kFewVertices) {
    for (std::int32_t v = 1; v < static_cast<std::int32_t>(vertices_.size()); ++v)
      if (height(v) > height(best)) best = v;
    return best;
  }
  best = extremes_[0];
  for (const std::int32_t v : extremes_)
    if (height(v) > height(best)) best = v;
  // Uphill from neighbour to neighbour: on a convex body the top is where it goes no higher.
  for (bool higher = true; higher;) {
    higher = false;
    const double now = height(best);
    std::int32_t next = best;
    for (const std::int32_t v : around(best, vertices_at_))
      if (height(v) > std::max(now, height(next))) next = v, higher = true;
    best = next;
  }
  return best;
}

double ConvexHull::signed_distance(const Vec3& p, Vec3& normal) const {
  const std::int32_t triangle = hull_surface_->find_nearest_triangle(p);
  const Vec3 away = p - nearest_on_triangle(hull_surface_->corners(triangle), p);
  normal = faces_[static_cast<std::size_t>(face_of_triangle_[static_cast<std::size_t>(triangle)])].normal;
  const double distance = away.norm();
  // From inside, the face lies straight above; from outside never, however sharp the corner.
  if (away.dot(normal) < -0.999999 * distance) return -distance;
  // Closer than rounding to the surface, the face's own normal is the better one.
  if (distance > 1e-12 * reach_m_) normal = away / distance;
  return distance;
}

std::shared_ptr<const ConvexHull> load_convex_hull(const std::string& file, const Vec3& scale) {
  TriangleMesh mesh = load_surface(file);
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(scale);
  try {
    return std::make_shared<const ConvexHull>(std::move(mesh));
  } catch (const InputError& error) { throw InputError(fmt::format("{}: {}", file, error.what())); }
}

}  // namespace distal
