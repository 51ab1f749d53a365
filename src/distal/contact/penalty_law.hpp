// Contact of one sample with a rigid shape. Normal: a stiff spring, N = k depth (+ c rate), never pulls.
// Tangential laws act on the offset t of the sample from its anchor, the place where it first touched:
//   stick_slip  -k t while |k t| <= mu N; beyond that it slides: |force| = mu N and the anchor is dragged along. mu
//               falls from mu_s to mu_d as it slides by slip_distance_m, and is mu_s again once its spring asks for
//               less than 0.9 mu_d N. A spring that sticks does not creep.
//   anchor      paper 1, II.F: held at the anchor for good, also when pulled (a stiff spring in place of the printed
//               reset of the position, so that momentum and energy are accounted for).
// Units: k [N/m], c [N s/m] per sample. Limits: the surface sinks in by pressure / (k per area).
#pragma once
#include "distal/state/workspace.hpp"

namespace distal {

struct PenaltySpring {
  double stiffness_n_m = 0.0;             // normal
  double tangential_stiffness_n_m = 0.0;  // soft bodies: smaller by G/E, the same share of the rubber's own stiffness
  double damping_n_s_m = 0.0;
};

// What the law needs to know about the sample's surroundings. All in the world frame.
struct ContactInput {
  double depth_m;             // negative: apart
  Vec3 normal;                // out of the partner
  Vec3 point;                 // the sample
  Vec3 relative_velocity;     // sample minus partner; only read where damping > 0
  Touch touch;                // state so far
  Vec3 anchor;                // where it is held, if it touches
  double stretch_m;           // of its tangential spring after the last step
  bool force_of_end = false;  // implicit Euler: the force here acts all through the step (for the energy books)
  double weakened = 0.0;      // of its friction, after the last step
  bool let_go = false;        // of its anchor: touches anew, if it does
  bool is_new() const { return touch == Touch::none || let_go; }
};

// Fills force, energies, touch and anchor (world) of the contact. Does not change any state.
void apply_contact_law(const ContactDescription& law, const PenaltySpring& spring, const ContactInput& in,
                       Contact& out);

// The part along the surface, once the normal force is known.
void apply_stick_slip(const ContactDescription& law, const PenaltySpring& spring, const ContactInput& in, Contact& out);

// The coefficient of a sample whose friction is weakened by this share, 0 to 1.
double friction_coefficient(const ContactDescription& law, double weakened);

// Minus the derivative of the spring force by the sample's place, for implicit steps. Left out: that friction grows
// with the normal force, which would make it unsymmetric.
Mat3 contact_stiffness(const ContactDescription& law, const PenaltySpring& spring, const Contact& contact);
// The same by its velocity.
Mat3 contact_damping(const ContactDescription& law, const PenaltySpring& spring, const Contact& contact);

}  // namespace distal
