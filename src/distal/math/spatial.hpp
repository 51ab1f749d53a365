// Vectors, poses, twists and wrenches. SI units, right-handed frames.
#pragma once
#include <Eigen/Dense>
#include <Eigen/Geometry>

namespace distal {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;  // stored and written as q_xyzw

// A frame B in a frame A: a point p of B is position + q * p in A.
struct Pose {
  Vec3 position = Vec3::Zero();  // [m]
  Quat q = Quat::Identity();

  Vec3 to_world(const Vec3& local) const { return position + q * local; }
  Vec3 to_local(const Vec3& world) const { return q.conjugate() * (world - position); }
};

// The same for many points: a matrix turns a point in half the time.
struct PointMap {
  Vec3 position;
  Mat3 rotation;

  explicit PointMap(const Pose& pose) : position(pose.position), rotation(pose.q.toRotationMatrix()) {}
  Vec3 to_world(const Vec3& local) const { return position + rotation * local; }
  Vec3 to_local(const Vec3& world) const { return rotation.transpose() * (world - position); }
};

inline Pose operator*(const Pose& a, const Pose& b) { return {a.to_world(b.position), a.q * b.q}; }
inline Pose inverse(const Pose& a) { return {-(a.q.conjugate() * a.position), a.q.conjugate()}; }

// Velocity of a rigid body; `linear` is that of a named point.
struct Twist {
  Vec3 linear = Vec3::Zero();   // [m/s]
  Vec3 angular = Vec3::Zero();  // [rad/s]
};

// Force and torque about a named point.
struct Wrench {
  Vec3 force = Vec3::Zero();   // [N]
  Vec3 torque = Vec3::Zero();  // [N m]

  Wrench& operator+=(const Wrench& o) {
    force += o.force;
    torque += o.torque;
    return *this;
  }
  Wrench& operator-=(const Wrench& o) {
    force -= o.force;
    torque -= o.torque;
    return *this;
  }
  Wrench operator+(const Wrench& o) const { return {force + o.force, torque + o.torque}; }
  Wrench operator-(const Wrench& o) const { return {force - o.force, torque - o.torque}; }
  Wrench operator-() const { return {-force, -torque}; }
  bool all_finite() const { return force.allFinite() && torque.allFinite(); }
};

// The same wrench about another point; `from_new_to_old` points from the new point to the old one.
inline Wrench moved(const Wrench& w, const Vec3& from_new_to_old) {
  return {w.force, w.torque + from_new_to_old.cross(w.force)};
}
inline Wrench rotated(const Quat& q, const Wrench& w) { return {q * w.force, q * w.torque}; }

// The rotation that angular velocity times time makes (exponential map).
Quat rotation_from_vector(const Vec3& angle_axis_rad);
// Its inverse: the shortest rotation vector [rad].
Vec3 vector_from_rotation(const Quat& q);

}  // namespace distal
