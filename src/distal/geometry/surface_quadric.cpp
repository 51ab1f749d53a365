#include "distal/geometry/surface_quadric.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace distal {
Mat3 SurfaceQuadric::curvature() const {
  const Vec3 y = y_axis();
  return 2.0 * a * x_axis * x_axis.transpose() + 2.0 * b * y * y.transpose() +
         c * (x_axis * y.transpose() + y * x_axis.transpose());
}

Vec3 any_tangent(const Vec3& normal) {
  // The coordinate axis that is farthest from the normal.
  Eigen::Index smallest = 0;
  normal.cwiseAbs().minCoeff(&smallest);
  return normal.cross(Vec3::Unit(smallest)).normalized();
}

RelativeCurvature find_relative_curvature(const SurfaceQuadric& one, const SurfaceQuadric& other) {
  const Vec3 between = one.normal - other.normal;
  const Vec3 normal = between.norm() > 0.0 ? between.normalized() : one.normal;
  Eigen::Matrix<double, 3, 2> basis;
  basis.col(0) = any_tangent(normal);
  basis.col(1) = normal.cross(basis.col(0));
  const Eigen::Matrix2d sum = basis.transpose() * (one.curvature() + other.curvature()) * basis;
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> turned;
  turned.computeDirect(sum);
  RelativeCurvature relative;
  for (Eigen::Index i : {0, 1}) {
    relative.curvature_per_m[static_cast<std::size_t>(i)] = turned.eigenvalues()[i];
    relative.axes[static_cast<std::size_t>(i)] = basis * turned.eigenvectors().col(i);
  }
  return relative;
}

SurfaceQuadric find_shape_quadric(const Shape& shape, const Vec3& local_point) {
  SurfaceQuadric quadric;
  quadric.normal = signed_distance(shape, local_point).normal;
  quadric.x_axis = any_tangent(quadric.normal);
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    quadric.a = quadric.b = 0.5 / sphere->radius_m;
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    const bool straight = std::abs(local_point.z()) <= capsule->half_length_m;
    if (straight) quadric.x_axis = Vec3::UnitZ();
    quadric.a = straight ? 0.0 : 0.5 / capsule->radius_m;
    quadric.b = 0.5 / capsule->radius_m;
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    const double beyond_side = std::hypot(local_point.x(), local_point.y()) - cylinder->radius_m;
    if (beyond_side >= std::abs(local_point.z()) - cylinder->half_length_m) {
      quadric.normal = Vec3(local_point.x(), local_point.y(), 0.0).stableNormalized();
      if (!(quadric.normal.squaredNorm() > 0.5)) quadric.normal = Vec3::UnitX();
      quadric.x_axis = Vec3::UnitZ();
      quadric.b = 0.5 / cylinder->radius_m;
    }
  }
  return quadric;
}

}  // namespace distal
