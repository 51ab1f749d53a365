#include "distal/view/pointer.hpp"

#include <algorithm>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/model/expand_hands.hpp"
#include "distal/scenario/scene_text.hpp"
#include "distal/view/hand.hpp"

namespace distal {
namespace {

constexpr double kMass_kg = 0.01;
constexpr double kRadiusOfTip = 0.3, kRadiusOfBlock = 0.15, kSmallestInCells = 1.5, kUsualRadius_m = 0.003;
constexpr double kParkedAway_m = 0.1;   // from everything
constexpr double kAroundBall_m = 0.01;  // between a flight and all bodies
constexpr double kFlight_m_s = 5.0;
constexpr double kTilt = 0.5;  // of the way in: from above rather than from below
constexpr double kMostPush_n = 5.0;
constexpr double kPushOfStiffness = 2.0;  // of E r^2

double largest_reach(const FingertipDescription& d) {
  return std::max(d.rod_length_m, d.tip_length_m) + 2.0 * d.tip_radius_m;
}
double largest_reach(const BlockDescription& d) { return 0.5 * d.size_m.norm(); }
double largest_reach(const TetDescription& d) {
  return d.shape == TetShape::cuboid ? 0.5 * d.size_m.norm() : d.radius_m + d.height_m;
}
double largest_reach(const StrandDescription& d) {
  double reach = d.points_m.empty() ? d.length_m : 0.0;
  for (const Vec3& point : d.points_m) reach = std::max(reach, point.norm());
  return reach + d.radius_m;
}
double largest_reach(const PlaneDescription&) { return 0.0; }
double largest_reach(const HandDescription& d) { return d.length_m; }
double largest_reach(const RigidDescription& d) {
  if (d.shape == RigidShapeKind::capsule || d.shape == RigidShapeKind::cylinder) return d.radius_m + 0.5 * d.length_m;
  if (d.shape == RigidShapeKind::mesh) return load_convex_hull(d.file)->reach_m();
  return d.shape == RigidShapeKind::sphere ? d.radius_m : 0.5 * d.size_m.norm();
}

double find_radius(const ModelDescription& model) {
  double radius = 1.0, cell = 0.0;
  for (const auto& [name, body] : model.bodies) {
    if (const auto* finger = std::get_if<FingertipDescription>(&body)) {
      radius = std::min(radius, kRadiusOfTip * finger->tip_radius_m);
      cell = std::max(cell, finger->lattice.cell_size_m);
    }
    if (const auto* block = std::get_if<BlockDescription>(&body)) {
      radius = std::min(radius, kRadiusOfBlock * block->size_m.minCoeff());
      cell = std::max(cell, block->lattice.cell_size_m);
    }
    if (const auto* tet = std::get_if<TetDescription>(&body)) {
      radius = std::min(radius, kRadiusOfBlock * largest_reach(*tet));
      cell = std::max(cell, tet->edge_m);
    }
    if (const auto* strand = std::get_if<StrandDescription>(&body)) radius = std::min(radius, strand->radius_m);
  }
  return cell == 0.0 ? kUsualRadius_m : std::max(radius, kSmallestInCells * cell);
}

Vec3 up_of(const Vec3& gravity) { return gravity.norm() > 0.0 ? Vec3(-gravity.normalized()) : Vec3(Vec3::UnitZ()); }

Vec3 find_parking(const ModelDescription& model, double radius) {
  Aabb bounds;
  for (const auto& [name, body] : model.bodies) {
    const auto [place, reach] =
        std::visit([](const auto& d) { return std::pair(d.placement.position_m, largest_reach(d)); }, body);
    bounds.add(place + Vec3::Constant(reach));
    bounds.add(place - Vec3::Constant(reach));
  }
  if (model.bodies.empty()) return Vec3::Zero();
  const Vec3 middle = 0.5 * (bounds.min + bounds.max);
  Vec3 parking = middle + up_of(model.gravity_m_s2) * (0.5 * (bounds.max - bounds.min).norm() + kParkedAway_m);
  for (const auto& [name, body] : model.bodies)
    if (const auto* plane = std::get_if<PlaneDescription>(&body)) {
      const Vec3 normal = plane->placement.q_xyzw * Vec3::UnitZ();
      const double height = normal.dot(parking - plane->placement.position_m);
      parking += normal * std::max(0.0, kParkedAway_m + radius - height);
    }
  return parking;
}

}  // namespace

Scene with_pointer(Scene scene, std::string& name) {
  const auto taken = [&] {
    return std::any_of(scene.model.bodies.begin(), scene.model.bodies.end(),
                       [&](const auto& body) { return body.first == name; });
  };
  for (name = kPointerName; taken(); name += "_") {}
  RigidDescription sphere;
  sphere.shape = RigidShapeKind::sphere;
  sphere.radius_m = find_radius(scene.model);
  sphere.mass_kg = kMass_kg;
  sphere.mount = Mount::driven;
  sphere.placement.position_m = find_parking(expand_hands(scene.model), sphere.radius_m);
  scene.model.bodies.emplace_back(name, sphere);
  scene.resolved_toml = write_scene(scene);
  return scene;
}

Pointer::Pointer(const Model& model, std::size_t rigid_index, const State& state)
    : model_(model), rigid_(rigid_index), up_(up_of(model.gravity_m_s2)) {
  const auto* sphere = std::get_if<SphereShape>(&*model.rigid[rigid_index].shape);
  DISTAL_ASSERT(sphere != nullptr);
  radius_m_ = sphere->radius_m;
  park_m_ = now_m_ = state.rigid[rigid_index].centre_of_mass;
  most_force_n_ = kMostPush_n;
  for (const SoftBody& soft : model.soft)
    most_force_n_ = std::min(most_force_n_, kPushOfStiffness * soft.moduli().youngs_pa * radius_m_ * radius_m_);
}

// Holds everything that the pointer could meet but planes.
Pointer::Ball Pointer::find_ball(const State& state) const {
  Aabb bounds;
  for (std::size_t p = 0; p < model_.particle_slots; ++p)
    if (model_.mass_kg[p] > 0.0) bounds.add(state.x.get(p));
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    const RigidBody& body = model_.rigid[b];
    if (b == rigid_ || !body.shape || std::holds_alternative<PlaneShape>(*body.shape)) continue;
    for (const Vec3& v : make_shape_mesh(*body.shape, 0.0).vertices)
      bounds.add(body_pose(body, state.rigid[b]).to_world(v));
  }
  if (bounds.min.x() > bounds.max.x()) return {now_m_, 0.0};
  return {0.5 * (bounds.min + bounds.max), 0.5 * (bounds.max - bounds.min).norm() + radius_m_ + kAroundBall_m};
}

// The way out of the ball from a point of a body's surface: sideways and up. Bodies are mostly round, and stand on
// something.
Vec3 Pointer::outside(const Vec3& from) const {
  const Vec3 arm = from - ball_.centre_m;
  Vec3 sideways = arm - up_ * up_.dot(arm);
  if (sideways.norm() > 0.0) sideways.normalize();
  const Vec3 way = (sideways + kTilt * up_).normalized();
  const double along = arm.dot(way), inside = ball_.radius_m * ball_.radius_m - arm.squaredNorm();
  if (inside <= 0.0) return from;
  return from + way * (std::sqrt(along * along + inside) - along);
}

Vec3 Pointer::out_of_planes(Vec3 position) const {
  for (std::size_t b = 0; b < model_.rigid.size(); ++b) {
    const RigidBody& body = model_.rigid[b];
    if (!body.shape || !std::holds_alternative<PlaneShape>(*body.shape)) continue;
    const Pose& pose = model_.rigid_initial_pose[b];
    position += pose.q * Vec3::UnitZ() * std::max(0.0, radius_m_ - pose.to_local(position).z());
  }
  return position;
}

void Pointer::fly(const Vec3& to) {
  flight_ = {now_m_ - ball_.centre_m, to - ball_.centre_m, 0.0, 0.0};
  const Vec3 &a = flight_.from_m, &b = flight_.to_m;
  const double angle = std::atan2(a.cross(b).norm(), a.dot(b));
  flight_.length_m = std::max(a.norm(), b.norm()) * angle + std::abs(a.norm() - b.norm());
}

// True when it has arrived.
bool Pointer::fly_on(double period_s) {
  flight_.done = std::min(1.0, flight_.done + kFlight_m_s * period_s / std::max(flight_.length_m, 1e-9));
  const Vec3 &a = flight_.from_m, &b = flight_.to_m;
  const Vec3 direction = Quat::Identity().slerp(flight_.done, Quat::FromTwoVectors(a, b)) * a.normalized();
  now_m_ = ball_.centre_m + direction * (a.norm() + flight_.done * (b.norm() - a.norm()));
  return flight_.done == 1.0;
}

void Pointer::push(const Vec3& position_m, const State& state) {
  target_m_ = out_of_planes(position_m);
  if (stage_ == Stage::follows || stage_ == Stage::flies_in) return;
  if (stage_ == Stage::leaves) {
    stage_ = Stage::follows;
    return;
  }
  ball_ = find_ball(state);
  fly(out_of_planes(outside(target_m_)));
  stage_ = Stage::flies_in;
}

void Pointer::leave(const State& state) {
  if (stage_ != Stage::follows && stage_ != Stage::flies_in) return;
  ball_ = find_ball(state);
  target_m_ = out_of_planes(outside(now_m_));
  stage_ = Stage::leaves;
}

BodyCommand Pointer::update(const BodyFeedback& feedback, double period_s) {
  if (stage_ == Stage::parked) return {};
  const Vec3 contact = feedback.pose.q * feedback.contact.force;
  const double most_m = kFastestHand_m_s * period_s;
  switch (stage_) {
    case Stage::flies_in:
      if (fly_on(period_s)) stage_ = Stage::follows;
      break;
    case Stage::follows:
      now_m_ += guarded_step(now_m_, target_m_, most_m, contact, most_force_n_);
      break;
    case Stage::leaves:
      now_m_ += guarded_step(now_m_, target_m_, most_m, contact, most_force_n_);
      if ((target_m_ - now_m_).norm() < most_m) {
        fly(park_m_);
        stage_ = Stage::flies_out;
      }
      break;
    case Stage::flies_out:
      if (fly_on(period_s)) stage_ = Stage::parked;
      break;
    case Stage::parked:
      break;
  }
  BodyCommand command;
  command.mode = CommandMode::pose;
  command.pose.position = now_m_;
  return command;
}

}  // namespace distal
