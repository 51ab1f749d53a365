#include "distal/contact/penalty_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace distal {
namespace {

constexpr double kStiffness = 40.0;  // [N/m]

ContactDescription law_with(double static_friction, double dynamic_friction,
                            TangentialLaw tangential = TangentialLaw::stick_slip) {
  ContactDescription law;
  law.tangential = tangential;
  law.static_friction = static_friction;
  law.dynamic_friction = dynamic_friction;
  return law;
}

Contact touch_at(const ContactDescription& law, const Vec3& point, Touch touch, const Vec3& anchor,
                 double damping = 0.0, const Vec3& velocity = Vec3::Zero(), double stretch = 0.0,
                 double weakened = 0.0) {
  // A plane through the origin with a tilted normal, so that no axis is special.
  const Vec3 normal = Vec3(0.2, -0.3, 0.9).normalized();
  Contact out;
  apply_contact_law(law, {kStiffness, kStiffness, damping},
                    {-point.dot(normal), normal, point, velocity, touch, anchor, stretch, false, weakened}, out);
  return out;
}

Vec3 place(double depth_m, double along_m) {
  const Vec3 normal = Vec3(0.2, -0.3, 0.9).normalized(), tangent = normal.cross(Vec3(1.0, 0.0, 0.0)).normalized();
  return -depth_m * normal + along_m * tangent;
}

TEST(PenaltyLaw, NeverPullsUnlessAnchored) {
  for (const double depth : {-1e-3, -1e-9, 0.0, 1e-6, 1e-3})
    for (const double speed : {-1.0, 0.0, 1.0}) {
      const Vec3 normal = Vec3(0.2, -0.3, 0.9).normalized();
      const Contact c = touch_at(law_with(0.9, 0.7), place(depth, 0.0), Touch::none, Vec3::Zero(), 0.5, speed * normal);
      EXPECT_GE(c.force.dot(normal), 0.0);
      EXPECT_GE(c.normal_force_n, 0.0);
      if (depth <= 0.0) { EXPECT_EQ(c.force.norm(), 0.0); }
    }
  // The paper's anchor does pull.
  const ContactDescription anchor = law_with(0.9, 0.7, TangentialLaw::anchor);
  EXPECT_LT(touch_at(anchor, place(-1e-4, 0.0), Touch::sticks, Vec3::Zero()).normal_force_n, 0.0);
}

// With the force at the end of a step acting all through it, its work on a sample that slid under a falling load is
// what the spring has gained and what is booked as lost; a sample that left had no force, and loses what was stored.
TEST(PenaltyLaw, BooksOfAStepWithTheForceOfItsEndBalance) {
  const ContactDescription law = law_with(0.9, 0.7);
  const Vec3 normal = Vec3(0.2, -0.3, 0.9).normalized();
  const double old_stretch = 8e-5, way = 3e-5;
  for (const double depth : {2e-5, 1e-4, 2e-4}) {
    const Vec3 at = place(depth, old_stretch + way);
    Contact out;
    apply_contact_law(law, {kStiffness, kStiffness, 0.0},
                      {depth, normal, at, Vec3::Zero(), Touch::slides, place(0.0, 0.0), old_stretch, true, 1.0}, out);
    ASSERT_EQ(out.touch, depth < 1.5e-4 ? Touch::slides : Touch::sticks);
    if (out.touch == Touch::sticks) continue;
    const double pull = (out.force - out.normal_force_n * normal).norm();
    const double gained = 0.5 * kStiffness * (out.stretch_m * out.stretch_m - old_stretch * old_stretch);
    EXPECT_NEAR(out.released_j, pull * way - gained, 1e-9 * kStiffness * old_stretch * old_stretch);
  }
  Contact apart;
  apply_contact_law(
      law, {kStiffness, kStiffness, 0.0},
      {-1e-5, normal, place(-1e-5, 1e-3), Vec3::Zero(), Touch::sticks, place(0.0, 0.0), old_stretch, true}, apart);
  EXPECT_NEAR(apart.released_j, 0.5 * kStiffness * old_stretch * old_stretch, 1e-18);
}

// Where it sticks, force is minus the gradient of the stored energy, and stiffness the derivative of the force.
TEST(PenaltyLaw, StiffnessIsTheDerivativeOfTheForceAndForceOfTheEnergy) {
  const double h = 1e-9;
  for (const TangentialLaw tangential : {TangentialLaw::stick_slip, TangentialLaw::anchor}) {
    const ContactDescription law = law_with(5.0, 5.0, tangential);
    const Vec3 at = place(1e-4, 2e-5), anchor = place(0.0, 0.0);
    const Contact here = touch_at(law, at, Touch::sticks, anchor);
    ASSERT_EQ(here.touch, Touch::sticks);
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 step = h * Vec3::Unit(axis);
      const Contact plus = touch_at(law, at + step, Touch::sticks, anchor),
                    minus = touch_at(law, at - step, Touch::sticks, anchor);
      EXPECT_NEAR((plus.energy_j - minus.energy_j) / (2.0 * h), -here.force[axis], 1e-6 * here.force.norm());
      const Vec3 stiffness = -(plus.force - minus.force) / (2.0 * h);
      EXPECT_LT((stiffness - kStiffness * Vec3::Unit(axis)).norm(), 1e-5 * kStiffness);
    }
  }
}

TEST(PenaltyLaw, SticksUpToTheStaticLimitAndSlidesAtTheDynamicOne) {
  const ContactDescription law = law_with(0.9, 0.6);
  const double depth = 1e-4, normal = kStiffness * depth;
  for (const double share : {0.1, 0.5, 0.99}) {
    const Contact c = touch_at(law, place(depth, share * 0.9 * depth), Touch::sticks, place(depth, 0.0));
    EXPECT_EQ(c.touch, Touch::sticks);
    EXPECT_EQ(c.released_j, 0.0);
    EXPECT_LT((c.anchor_m - place(depth, 0.0)).norm(), 1e-18) << "a sample that sticks does not creep";
    EXPECT_NEAR((c.force - normal * Vec3(0.2, -0.3, 0.9).normalized()).norm(), share * 0.9 * normal, 1e-12 * normal);
  }
  const Contact c = touch_at(law, place(depth, 1.01 * 0.9 * depth), Touch::sticks, place(depth, 0.0));
  EXPECT_EQ(c.touch, Touch::slides);
  EXPECT_NEAR((c.force - normal * Vec3(0.2, -0.3, 0.9).normalized()).norm(), 0.9 * normal, 1e-12 * normal);
  // Where it has slid, the lower limit decides.
  const auto slid = [&](double share) {
    return touch_at(law, place(depth, share * depth), Touch::slides, place(depth, 0.0), 0.0, Vec3::Zero(), 0.0, 1.0);
  };
  EXPECT_EQ(slid(0.7).touch, Touch::slides);
  EXPECT_NEAR((slid(0.7).force - normal * Vec3(0.2, -0.3, 0.9).normalized()).norm(), 0.6 * normal, 1e-12 * normal);
  // It sticks again, and below 0.9 of the dynamic limit it has its static one back.
  EXPECT_EQ(slid(0.5).touch, Touch::sticks);
  EXPECT_EQ(slid(0.5).weakened, 0.0);
  EXPECT_EQ(slid(0.55).weakened, 1.0);
}

// Drags a sample on and on; the coefficient against the way that it slid.
TEST(PenaltyLaw, FrictionFallsOverTheSlipDistance) {
  ContactDescription law = law_with(0.9, 0.3);
  const double depth = 1e-4, step = 1e-6;
  for (const double distance : {0.0, 1e-3}) {
    law.slip_distance_m = distance;
    Contact last = touch_at(law, place(depth, 0.0), Touch::none, Vec3::Zero());
    double slid = 0.0;
    for (int k = 1; k < 1500; ++k) {
      const double before = last.stretch_m;
      last = touch_at(law, place(depth, step * k), last.touch, last.anchor_m, 0.0, Vec3::Zero(), before, last.weakened);
      const double t = distance > 0.0 ? std::min(1.0, slid / distance) : slid > 0.0 ? 1.0 : 0.0;
      slid += before + step - last.stretch_m;
      if (last.touch != Touch::slides) {
        ASSERT_LE(k * step, 0.9 * depth * (1.0 + 1e-9));
        continue;
      }
      ASSERT_NEAR(last.stretch_m / depth, 0.9 - 0.6 * t * t * (3.0 - 2.0 * t), 1e-9) << slid;
    }
    EXPECT_NEAR(last.stretch_m / depth, 0.3, 1e-12);
  }
}

// A sample that an implicit step lets go is pushed where it comes back, and loses what its anchor held.
TEST(PenaltyLaw, LetGoItIsPushedButNotHeld) {
  const double depth = 1e-4, stretch = 3e-5;
  const Vec3 normal = Vec3(0.2, -0.3, 0.9).normalized();
  Contact c;
  apply_contact_law(
      law_with(0.9, 0.7), {kStiffness, kStiffness, 0.0},
      {depth, normal, place(depth, stretch), Vec3::Zero(), Touch::slides, place(0.0, 0.0), stretch, true, 1.0, true},
      c);
  EXPECT_LT((c.force - kStiffness * depth * normal).norm(), 1e-15);
  EXPECT_EQ(c.touch, Touch::sticks);
  EXPECT_EQ(c.anchor_m, place(depth, stretch));
  EXPECT_NEAR(c.released_j, 0.5 * kStiffness * stretch * stretch, 1e-20);
}

TEST(PenaltyLaw, ExtremesOfFriction) {
  const double depth = 1e-4;
  const Contact slippery = touch_at(law_with(0.0, 0.0), place(depth, 1e-3), Touch::sticks, place(depth, 0.0));
  EXPECT_LT((slippery.force - kStiffness * depth * Vec3(0.2, -0.3, 0.9).normalized()).norm(), 1e-15);
  constexpr double kNever = std::numeric_limits<double>::infinity();
  const Contact stuck = touch_at(law_with(kNever, kNever), place(depth, 1.0), Touch::sticks, place(depth, 0.0));
  EXPECT_EQ(stuck.touch, Touch::sticks);
  EXPECT_NEAR(stuck.force.norm(), kStiffness * std::hypot(depth, 1.0), 1e-9);
}

// Push a sample around at random: what leaves the store is never negative, and the work done covers store and losses.
TEST(PenaltyLaw, DissipationIsNeverNegative) {
  const ContactDescription law = law_with(0.8, 0.5);
  Vec3 anchor = Vec3::Zero(), point = place(-1e-5, 0.0);
  Touch touch = Touch::none;
  double work = 0.0, released = 0.0;
  Contact last = touch_at(law, point, touch, anchor);
  for (int i = 0; i < 20000; ++i) {
    const double t = 1e-3 * i;
    const Vec3 next = place(1e-4 * (0.8 + std::sin(3.1 * t)), 3e-4 * std::sin(7.3 * t)) +
                      1e-4 * std::cos(5.7 * t) * Vec3(1.0, 0.0, -0.2 / 0.9);
    const Contact c = touch_at(law, next, touch, anchor, 0.0, Vec3::Zero(), last.stretch_m, last.weakened);
    ASSERT_GE(c.released_j, 0.0);
    ASSERT_GE(c.energy_j, 0.0);
    work -= 0.5 * (last.force + c.force).dot(next - point);
    released += c.released_j;
    touch = c.touch, anchor = c.anchor_m, point = next, last = c;
  }
  EXPECT_GT(released, 0.0);
  EXPECT_NEAR(work, last.energy_j + released, 0.002 * released);
}

// The same with a damper: it takes energy only, never pulls and never breaks the friction limit.
TEST(PenaltyLaw, ADamperTakesEnergyWithinTheFrictionLimit) {
  const ContactDescription law = law_with(0.8, 0.5);
  const PenaltySpring spring{kStiffness, 0.5 * kStiffness, 0.2 * kStiffness};  // c = 0.2 s k: as strong as the springs
  const Vec3 normal = Vec3(0.2, -0.3, 0.9).normalized();
  const double dt = 1e-4;
  Vec3 anchor = Vec3::Zero(), point = place(0.8e-4, 0.0);
  Touch touch = Touch::none;
  Contact last;
  double work = 0.0, taken = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double t = dt * i;
    const Vec3 next = place(1e-4 * (0.8 + std::sin(3.1 * t)), 3e-4 * std::sin(7.3 * t));
    const ContactInput in{-next.dot(normal), normal, next,         (next - point) / dt, touch, anchor,
                          last.stretch_m,    false,  last.weakened};
    Contact c;
    apply_contact_law(law, spring, in, c);
    const Vec3 tangential = c.force - c.force.dot(normal) * normal;
    ASSERT_GE(c.normal_force_n, 0.0);
    ASSERT_LE(tangential.norm(), 0.8 * c.normal_force_n * (1.0 + 1e-9) + 1e-15);
    ASSERT_GE(c.damping_w, 0.0);
    ASSERT_GE(c.released_j, 0.0);
    work -= 0.5 * (last.force + c.force).dot(next - point);
    taken += c.released_j + 0.5 * dt * (last.damping_w + c.damping_w);
    touch = c.touch, anchor = c.anchor_m, point = next, last = c;
  }
  const double start = 0.5 * kStiffness * 0.8e-4 * 0.8e-4;
  EXPECT_NEAR(work + start, last.energy_j + taken, 0.002 * taken);
}

}  // namespace
}  // namespace distal
