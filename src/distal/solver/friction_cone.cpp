#include "distal/solver/friction_cone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "distal/core/error.hpp"
#include "distal/math/counter_random.hpp"

namespace distal {
namespace {

constexpr int kTries = 24;

// One half of the vertices, anywhere; the other half is opposite.
std::vector<Vec3> make_start(int count, int attempt) {
  const std::uint64_t key = random_key(static_cast<std::uint64_t>(attempt), "friction cone");
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    points.push_back(
        Vec3(random_normal(key, number, 0), random_normal(key, number, 1), random_normal(key, number, 2)).normalized());
  }
  return points;
}

// Points that repel each other and their opposites come to stand at even distances.
void spread(std::vector<Vec3>& points) {
  const int rounds = 200;
  std::vector<Vec3> forces(points.size());
  for (int round = 0; round < rounds; ++round) {
    double largest = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      Vec3 force = Vec3::Zero();
      for (std::size_t j = 0; j < points.size(); ++j) {
        if (j == i) continue;
        for (const double side : {1.0, -1.0}) {
          const Vec3 away = points[i] - side * points[j];
          const double square = std::max(away.squaredNorm(), 1e-6);
          force += away / (square * square);
        }
      }
      forces[i] = force - force.dot(points[i]) * points[i];
      largest = std::max(largest, forces[i].norm());
    }
    if (!(largest > 1e-12)) return;
    const double step = 0.2 / std::sqrt(static_cast<double>(points.size())) * (1.0 - round / (rounds + 1.0)) / largest;
    for (std::size_t i = 0; i < points.size(); ++i) points[i] = (points[i] + step * forces[i]).normalized();
  }
}

// Calls visit(unit normal, distance) for the plane of every facet of the hull of `points`, each with its opposite once,
// if may_visit(normal, distance) is true for it.
template <typename MayVisit, typename Visit>
void visit_facets(const std::vector<Vec3>& points, const MayVisit& may_visit, const Visit& visit) {
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n / 2; ++i) {  // of a facet and its opposite one has a corner in the first half
    for (std::size_t j = i + 1; j < n; ++j) {
      for (std::size_t k = j + 1; k < n; ++k) {
        Vec3 normal = (points[j] - points[i]).cross(points[k] - points[i]);
        const double length = normal.norm();
        if (length < 1e-9) continue;
        normal *= (normal.dot(points[i]) < 0.0 ? -1.0 : 1.0) / length;
        const double distance = normal.dot(points[i]);
        if (!may_visit(normal, distance)) continue;
        if (std::all_of(points.begin(), points.end(), [&](const Vec3& p) { return normal.dot(p) <= distance + 1e-9; }))
          visit(normal, distance);
      }
    }
  }
}

// The radius of the ball inside the hull; anything below `enough` if it is smaller than that.
double find_inner_radius(const std::vector<Vec3>& points, double enough) {
  double radius = 1.0;
  visit_facets(
      points, [&](const Vec3&, double distance) { return distance < radius && radius >= enough; },
      [&](const Vec3&, double distance) { radius = distance; });
  return radius;
}

}  // namespace

FrictionCone make_friction_cone(int vertex_count, ConeFit fit) {
  if (vertex_count < 6 || vertex_count > 400 || vertex_count % 2 != 0)
    throw InputError(
        fmt::format("{} vertices of a friction cone: allowed are even numbers from 6 to 400", vertex_count));
  // Repulsion has many ends; the roundest hull of some counts.
  FrictionCone cone;
  cone.weakest = 0.0;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    std::vector<Vec3> points = make_start(vertex_count / 2, attempt);
    spread(points);
    for (int i = 0; i < vertex_count / 2; ++i) points.push_back(-points[static_cast<std::size_t>(i)]);
    const double radius = find_inner_radius(points, cone.weakest);
    if (radius > cone.weakest) cone.weakest = radius, cone.vertices = points;
  }
  if (fit == ConeFit::balanced) {
    cone.strongest = 2.0 / (1.0 + cone.weakest);
    cone.weakest *= cone.strongest;
    for (Vec3& vertex : cone.vertices) vertex *= cone.strongest;
  }
  return cone;
}

double find_hull_use(const FrictionCone& cone, const Vec3& load) {
  double use = 0.0;
  visit_facets(
      cone.vertices, [&](const Vec3& normal, double distance) { return std::abs(normal.dot(load)) > use * distance; },
      [&](const Vec3& normal, double distance) { use = std::abs(normal.dot(load)) / distance; });
  return use;
}

void build_friction_problem(const Eigen::Ref<const Eigen::MatrixXd>& a, const Eigen::Ref<const Eigen::VectorXd>& b,
                            const std::vector<FrictionContact>& contacts, const FrictionCone& cone, Eigen::MatrixXd& m,
                            Eigen::VectorXd& q) {
  const auto u = static_cast<Eigen::Index>(cone.vertices.size()), rows = u + 2;
  const auto size = static_cast<Eigen::Index>(contacts.size());
  const Eigen::Index further = a.rows() - 4 * size;
  m.setZero(size * rows + further, size * rows + further);
  q.setZero(size * rows + further);
  // The four unknowns of a contact from one of its variables.
  const auto direction = [&](Eigen::Index contact, Eigen::Index variable) {
    if (variable == 0) return Eigen::Vector4d(1.0, 0.0, 0.0, 0.0);
    const Vec3 wrench = cone_wrench(cone.vertices[static_cast<std::size_t>(variable - 1)],
                                    contacts[static_cast<std::size_t>(contact)].eccentricity_m);
    return Eigen::Vector4d(0.0, wrench.x(), wrench.y(), wrench.z());
  };
  q.tail(further) = b.tail(further);
  m.bottomRightCorner(further, further) = a.bottomRightCorner(further, further);
  for (Eigen::Index i = 0; i < size; ++i) {
    for (Eigen::Index k = 0; k <= u; ++k) {
      const Eigen::Vector4d row = direction(i, k);
      q[i * rows + k] = row.dot(b.segment<4>(4 * i));
      for (Eigen::Index j = 0; j < size; ++j) {
        const Eigen::Vector4d product = a.block<4, 4>(4 * i, 4 * j).transpose() * row;
        for (Eigen::Index l = 0; l <= u; ++l) m(i * rows + k, j * rows + l) = product.dot(direction(j, l));
      }
      for (Eigen::Index f = 0; f < further; ++f) {
        m(i * rows + k, size * rows + f) = row.dot(a.col(4 * size + f).segment<4>(4 * i));
        m(size * rows + f, i * rows + k) = row.dot(a.row(4 * size + f).segment<4>(4 * i));
      }
    }
    const Eigen::Index last = i * rows + u + 1;
    m.col(last).segment(i * rows + 1, u).setOnes();
    m.row(last).segment(i * rows + 1, u).setConstant(-1.0);
    m(last, i * rows) = contacts[static_cast<std::size_t>(i)].friction;
  }
}

void read_friction_forces(const Eigen::Ref<const Eigen::VectorXd>& z, const std::vector<FrictionContact>& contacts,
                          const FrictionCone& cone, Eigen::VectorXd& r) {
  const auto rows = static_cast<Eigen::Index>(cone.vertices.size()) + 2;
  r.setZero(4 * static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Eigen::Index first = static_cast<Eigen::Index>(i) * rows;
    auto contact = r.segment<4>(4 * static_cast<Eigen::Index>(i));
    contact[0] = z[first];
    for (std::size_t k = 0; k < cone.vertices.size(); ++k)
      contact.tail<3>() +=
          z[first + 1 + static_cast<Eigen::Index>(k)] * cone_wrench(cone.vertices[k], contacts[i].eccentricity_m);
  }
}

}  // namespace distal
