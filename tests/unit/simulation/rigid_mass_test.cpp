// Mass properties of rigid bodies from their shapes, and that bodies move by them whatever frame they are given in.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numbers>

#include "distal/core/error.hpp"
#include "distal/geometry/box_mesh.hpp"
#include "distal/simulation/simulation.hpp"
#include "support/save_obj.hpp"

namespace distal {
namespace {

using ::testing::HasSubstr;

using test::save_obj;

TEST(RigidMass, ComesFromMassOrDensityAndIsCentredWhereTheMeshIs) {
  RigidDescription d;
  EXPECT_EQ(make_object("plain", d).mass_kg, 0.05);
  d.density_kg_m3 = 500.0;
  EXPECT_NEAR(make_object("box", d).mass_kg, 0.004, 1e-18);
  d.shape = RigidShapeKind::cylinder;
  EXPECT_NEAR(make_object("can", d).mass_kg, 500.0 * std::numbers::pi * 1e-4 * 0.02, 1e-16);
  TriangleMesh brick = make_box_mesh({0.01, 0.02, 0.03}, 0.01);
  for (Vec3& v : brick.vertices) v += Vec3(0.1, 0.0, -0.2);
  d.shape = RigidShapeKind::mesh;
  d.file = save_obj("brick.obj", brick);
  const RigidBody body = make_object("brick", d);
  EXPECT_NEAR(body.mass_kg, 0.003, 1e-15);
  EXPECT_LT((body.centre_of_mass_m - Vec3(0.1, 0.0, -0.2)).norm(), 1e-14);
  EXPECT_NEAR(body.inertia_kg_m2(0, 0), 0.003 * 13e-4 / 12.0, 1e-16);
}

TEST(RigidMass, PartsAddTheirs) {
  // A dumbbell: two equal balls, 6 cm apart, one of them the body itself.
  RigidDescription ball;
  ball.shape = RigidShapeKind::sphere, ball.mass_kg = 0.2;
  RigidBody body = make_object("dumbbell", ball);
  PartDescription part;
  part.position_m = Vec3(0.06, 0.0, 0.0);
  add_part("light", part, body);
  EXPECT_EQ(body.mass_kg, 0.2);
  part.mass_kg = 0.2;
  add_part("other", part, body);
  EXPECT_NEAR(body.mass_kg, 0.4, 1e-16);
  EXPECT_LT((body.centre_of_mass_m - Vec3(0.03, 0.0, 0.0)).norm(), 1e-16);
  const double along = 2.0 * 0.4 * 0.2 * 1e-4, across = along + 0.4 * 9e-4;
  const Mat3 expected = Vec3(along, across, across).asDiagonal();
  EXPECT_LT((body.inertia_kg_m2 - expected).norm(), 1e-18);
  EXPECT_LT((body.inertia_kg_m2 * body.inverse_inertia - Mat3::Identity()).norm(), 1e-12);
  EXPECT_EQ(body.samples_m.size(), 3U);
}

TEST(RigidMass, AMeshThatIsNotConvexIsRefusedWithItsKeyAndTheRemedy) {
  TriangleMesh dented = make_box_mesh(Vec3::Ones(), 0.5);
  for (Vec3& v : dented.vertices)
    if (v.isApprox(Vec3(0.0, 0.0, 0.5))) v.z() = 0.1;
  RigidDescription d;
  d.shape = RigidShapeKind::mesh;
  d.file = save_obj("dented.obj", dented);
  try {
    make_object("cup", d);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("body.cup.file: "));
    EXPECT_THAT(error.what(), HasSubstr("dented.obj: the surface is not convex"));
    EXPECT_THAT(error.what(), HasSubstr("several [part.NAME]"));
  }
}

// A tumbling brick, once as a box, once as a mesh in a frame that is neither centred nor aligned.
class TumblingBrick : public testing::TestWithParam<IntegratorKind> {
 protected:
  ModelDescription scene(const RigidDescription& brick) const {
    ModelDescription d;
    d.gravity_m_s2 = Vec3::Zero();
    d.bodies.emplace_back("brick", brick);
    d.integrator.kind = GetParam();
    // That one chooses its own.
    if (GetParam() != IntegratorKind::energy_guided) d.integrator.time_step_s = 1e-4;
    d.threads = 1;
    return d;
  }
};

TEST_P(TumblingBrick, MovesTheSameWhateverFrameItIsGivenInAndKeepsItsMomentum) {
  const Pose frame{{0.03, -0.02, 0.05}, Quat(0.8, 0.1, -0.5, 0.3).normalized()};  // of the box in the mesh file
  TriangleMesh mesh = make_box_mesh({0.01, 0.02, 0.04}, 0.01);
  for (Vec3& v : mesh.vertices) v = frame.to_world(v);
  RigidDescription box;
  box.size_m = Vec3(0.01, 0.02, 0.04);
  box.placement.angular_velocity_rad_s = Vec3(0.5, 20.0, 0.3);
  RigidDescription turned = box;
  turned.shape = RigidShapeKind::mesh;
  turned.file = save_obj(fmt::format("tumbling{}.obj", static_cast<int>(GetParam())), mesh);
  const Pose mesh_pose = inverse(frame);
  turned.placement.position_m = mesh_pose.position, turned.placement.q_xyzw = mesh_pose.q;
  turned.placement.velocity_m_s = box.placement.angular_velocity_rad_s.cross(mesh_pose.position);
  Simulation one(scene(box)), other(scene(turned));
  const Vec3 before = angular_momentum(other.model().rigid[0], other.state().rigid[0]);
  const BodyCommand none;
  for (int i = 0; i < 300; ++i) {
    ASSERT_EQ(one.advance({&none, 1}).status, StepStatus::good);
    ASSERT_EQ(other.advance({&none, 1}).status, StepStatus::good);
  }
  const RigidState &a = one.state().rigid[0], &b = other.state().rigid[0];
  EXPECT_LT((a.centre_of_mass - b.centre_of_mass).norm(), 1e-12);
  // Where energy guides the step, rounding may choose another one.
  const double same = GetParam() == IntegratorKind::energy_guided ? 1e-6 : 1e-8;
  EXPECT_LT(vector_from_rotation(a.q * (b.q * frame.q).conjugate()).norm(), same);
  EXPECT_LT((a.angular_velocity - b.angular_velocity).norm(), same * a.angular_velocity.norm());
  const Vec3 after = angular_momentum(other.model().rigid[0], b);
  const bool keeps = GetParam() == IntegratorKind::semi_implicit_euler || GetParam() == IntegratorKind::forward_euler;
  EXPECT_LT((after - before).norm(), (keeps ? 1e-9 : 1e-3) * before.norm());
}

INSTANTIATE_TEST_SUITE_P(Integrators, TumblingBrick,
                         testing::Values(IntegratorKind::forward_euler, IntegratorKind::semi_implicit_euler,
                                         IntegratorKind::runge_kutta, IntegratorKind::energy_guided,
                                         IntegratorKind::implicit_euler, IntegratorKind::implicit_midpoint));

// A cylinder, a mesh and a lopsided body of two parts come to rest on a table.
class NewShapes : public testing::TestWithParam<IntegratorKind> {};
TEST_P(NewShapes, RestOnATable) {
  ModelDescription d;
  d.bodies.emplace_back("table", PlaneDescription{});
  RigidDescription can;
  can.shape = RigidShapeKind::cylinder;
  can.placement.position_m = Vec3(0.0, 0.0, 0.0101);
  d.bodies.emplace_back("can", can);
  RigidDescription brick;
  brick.shape = RigidShapeKind::mesh;
  TriangleMesh mesh = make_box_mesh({0.02, 0.02, 0.02}, 0.02);
  for (Vec3& v : mesh.vertices) v.z() += 0.01;
  brick.file = save_obj("resting.obj", mesh);
  brick.placement.position_m = Vec3(0.1, 0.0, 1e-4);
  d.bodies.emplace_back("brick", brick);
  RigidDescription foot;
  foot.size_m = Vec3(0.04, 0.04, 0.01);
  foot.placement.position_m = Vec3(0.2, 0.0, 0.0051);
  d.bodies.emplace_back("lamp", foot);
  PartDescription head;
  head.body = "lamp", head.radius_m = 0.01, head.mass_kg = 0.05, head.position_m = Vec3(0.01, 0.0, 0.03);
  d.parts.emplace_back("head", head);
  d.integrator.kind = GetParam();
  d.threads = 1;
  Simulation simulation(d);
  const std::vector<BodyCommand> none(simulation.body_count());
  for (int i = 0; i < 500; ++i) {
    const StepReport report = simulation.advance(none);
    ASSERT_EQ(report.status, StepStatus::good) << report.message;
  }
  const std::vector<double> heights = {0.01, 0.0, 0.005};
  for (std::size_t b = 0; b < 3; ++b) {
    const BodyFeedback& f = simulation.measure()[b].feedback;
    EXPECT_NEAR(f.pose.position.z(), heights[b], 3e-5) << b;
    EXPECT_LT(f.twist.linear.norm(), 1e-5) << b;
    EXPECT_LT(f.twist.angular.norm(), 1e-3) << b;
  }
}

INSTANTIATE_TEST_SUITE_P(ByPenaltyAndByHardContact, NewShapes,
                         testing::Values(IntegratorKind::semi_implicit_euler, IntegratorKind::automatic));

}  // namespace
}  // namespace distal
