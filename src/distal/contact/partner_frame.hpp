// The rigid partner of a contact pair: where its shape is and how it moves.
#pragma once
#include "distal/geometry/shape.hpp"
#include "distal/state/workspace.hpp"

namespace distal {

struct PartnerFrame {
  const Shape& shape;
  PointMap pose;
  Vec3 centre, velocity, angular;

  PartnerFrame(const Model& model, const ContactPair& pair, const State& state)
      : PartnerFrame(model.rigid[static_cast<std::size_t>(pair.partner)],
                     state.rigid[static_cast<std::size_t>(pair.partner)]) {}
  PartnerFrame(const RigidBody& body, const RigidState& state)
      : shape(*body.shape),
        pose(body_pose(body, state)),
        centre(state.centre_of_mass),
        velocity(state.velocity),
        angular(state.angular_velocity) {}

  Distance distance(const Vec3& world) const {
    Distance d = signed_distance(shape, pose.to_local(world));
    d.normal = pose.rotation * d.normal;
    return d;
  }
  Vec3 velocity_at(const Vec3& world) const { return velocity + angular.cross(world - centre); }
};

}  // namespace distal
