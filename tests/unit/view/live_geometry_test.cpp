#include "distal/view/live_geometry.hpp"

#include <gtest/gtest.h>

#include "distal/sensor/measure.hpp"
#include "unit/view/touch_scene.hpp"

namespace distal {
namespace {

constexpr RoleSet kAllRoles = ~0u;

TEST(LiveGeometry, ShowsTheSkinThatSnapshotsShow) {
  Simulation simulation(test::touchable_finger(Mount::driven, 0.0101));
  BodyCommand down;
  down.mode = CommandMode::twist;
  down.twist.linear = Vec3(0.0, 0.0, -0.02);
  for (int k = 0; k < 50; ++k) simulation.advance({&down, 1});
  LiveGeometry geometry(simulation, {});
  RawMoment raw;
  copy_moment(simulation, raw);
  ViewMoment moment;
  geometry.develop(raw, kAllRoles, moment);
  const BodySnapshot snapshot = take_snapshots(simulation.model(), simulation.state(), simulation.workspace())[0];
  const auto part_of = [&](ViewRole role) {
    const auto& parts = geometry.scene().parts;
    return static_cast<std::size_t>(
        std::find_if(parts.begin(), parts.end(), [&](const ViewPart& p) { return p.role == role; }) - parts.begin());
  };
  const ViewPartMoment& skin = moment.parts[part_of(ViewRole::surface)];
  EXPECT_EQ(skin.positions_m, snapshot.surface.vertices);
  double most = 0.0;
  for (std::size_t v = 0; v < skin.pressure_pa.size(); ++v) {
    EXPECT_NEAR(skin.pressure_pa[v], snapshot.pressure_pa[v], 1e-12 * snapshot.pressure_pa[v]);
    EXPECT_NEAR(skin.displacement_m[v], snapshot.displacement_m[v].norm(), 1e-15);
    most = std::max(most, skin.pressure_pa[v]);
  }
  EXPECT_GT(most, 100.0) << "the tip is pressed";
  EXPECT_EQ(geometry.scene().parts[part_of(ViewRole::lattice)].indices.size(), 2 * snapshot.springs.size());
  // The rod: its vertices at rest under its pose.
  const std::size_t rod = part_of(ViewRole::rod);
  ASSERT_TRUE(moment.parts[rod].pose);
  for (std::size_t v = 0; v < snapshot.rod.vertices.size(); ++v)
    EXPECT_LT(
        (moment.parts[rod].pose->to_world(geometry.scene().parts[rod].rest_m[v]) - snapshot.rod.vertices[v]).norm(),
        1e-15);
  Vec3 sum = Vec3::Zero();
  for (const ViewContact& contact : moment.contacts) sum += contact.force_n;
  const BodyFeedback& feedback = simulation.measure()[0].feedback;
  EXPECT_LT((sum - feedback.pose.q * feedback.contact.force).norm(), 1e-12);
  EXPECT_EQ(moment.bodies[0].reading.feedback.contact.force, feedback.contact.force);
}

TEST(LiveGeometry, DevelopsOnlyWhatIsAskedFor) {
  const Simulation simulation(test::touchable_finger(Mount::driven, 0.05));
  LiveGeometry geometry(simulation, {});
  RawMoment raw;
  copy_moment(simulation, raw);
  ViewMoment moment;
  geometry.develop(raw, role_bit(ViewRole::rod), moment);
  for (const ViewPartMoment& part : moment.parts) EXPECT_TRUE(part.positions_m.empty());
}

}  // namespace
}  // namespace distal
