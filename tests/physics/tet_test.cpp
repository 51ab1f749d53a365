// Tetrahedra: homogeneous deformations, bending, momentum, stiff and soft rubber, a fall.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distal/force/forces.hpp"
#include "support/neo_hookean.hpp"
#include "support/reference_table.hpp"
#include "support/tet_scenes.hpp"

namespace distal::test {
namespace {

class DeformedTets {
 public:
  explicit DeformedTets(const ModelDescription& scene)
      : model_(build_model(scene)), state_(make_initial_state(model_)), ws_(model_) {}

  void apply(const Mat3& gradient) {
    for (std::size_t n = 0; n < count(); ++n) state_.x.set(n, gradient * rest(n));
    ws_.want_energy = true;
    compute_forces(model_, state_, ws_);
  }
  const TetBody& body() const { return *model_.soft[0].tet; }
  std::size_t count() const { return body().mesh.vertices.size(); }
  const Vec3& rest(std::size_t n) const { return body().mesh.vertices[n]; }
  Vec3 force(std::size_t n) const { return ws_.force.get(n); }
  double elastic_j() const { return ws_.soft[0].elastic_j; }

  // Nominal stress from the virial of the inner forces.
  Mat3 mean_stress() const {
    Mat3 sum = Mat3::Zero();
    for (std::size_t n = 0; n < count(); ++n) sum -= force(n) * rest(n).transpose();
    return sum / body().volume_m3;
  }
  double largest_inside() const {
    std::vector<bool> outside(count(), false);
    for (const auto& facet : body().facets)
      for (const std::int32_t n : facet) outside[static_cast<std::size_t>(n)] = true;
    double largest = 0.0;
    for (std::size_t n = 0; n < count(); ++n)
      if (!outside[n]) largest = std::max(largest, force(n).norm());
    return largest;
  }

 private:
  Model model_;
  State state_;
  Workspace ws_;
};

class HomogeneousTets : public testing::TestWithParam<double> {};

TEST_P(HomogeneousTets, StressAndEnergyAreTheClosedForm) {
  const double nu = GetParam(), size = 0.01;
  const ClosedForm exact = closed_form(nu);
  double largest_error = 0.0;
  for (const TetShape shape : {TetShape::cuboid, TetShape::cylinder, TetShape::sphere}) {
    ModelDescription scene = tet_cuboid(Vec3::Constant(size), 0.003, rubber(nu));
    auto& description = std::get<TetDescription>(scene.bodies[0].second);
    description.shape = shape, description.radius_m = 0.5 * size, description.height_m = size;
    DeformedTets body(scene);
    for (const Mat3& f : deformations()) {
      body.apply(f);
      const Mat3 wanted = exact.stress(f);
      const double error = (body.mean_stress() - wanted).norm() / wanted.norm();
      largest_error = std::max(largest_error, error);
      EXPECT_LT(error, 1e-6) << "F\n" << f;
      const double energy = exact.energy(f) * body.body().volume_m3;
      EXPECT_NEAR(body.elastic_j(), energy, 1e-6 * energy);
      // Neighbours balance each other: nothing is left inside.
      EXPECT_LT(body.largest_inside(), 1e-9 * wanted.norm() * size * size);
    }
  }
  fmt::print("  nu {}: largest error of the stress {:.1e}\n", nu, largest_error);
}

TEST_P(HomogeneousTets, FreeSidesStayFreeInAStretch) {
  const double nu = GetParam(), size = 0.01;
  const ClosedForm exact = closed_form(nu);
  DeformedTets block(tet_cuboid(Vec3::Constant(size), 0.003, rubber(nu)));
  for (const double s : {-0.3, -0.1, 0.01, 0.1, 0.3}) {
    const double a = 1.0 + s, b = exact.lateral_stretch(a);
    const Mat3 f = Vec3(a, b, b).asDiagonal();
    block.apply(f);
    const double pull = exact.stress(f)(0, 0) * size * size;
    double side = 0.0, end = 0.0;
    for (std::size_t n = 0; n < block.count(); ++n) {
      const double x = block.rest(n).x();
      if (x > 0.5 * size - 1e-9)
        end -= block.force(n).x();
      else if (x > -0.5 * size + 1e-9)
        side = std::max(side, block.force(n).norm());
    }
    EXPECT_NEAR(end, pull, 1e-6 * std::abs(pull)) << "stretch " << s;
    EXPECT_LT(side, 1e-6 * std::abs(pull)) << "stretch " << s;
  }
}

INSTANTIATE_TEST_SUITE_P(PoissonsRatios, HomogeneousTets, testing::Values(0.25, 0.45, 0.49));

// The cantilever of case D: 10 x 10 x 80 mm, E = 100 kPa, nu = 0.3, four bricks across.
TEST(TetCantilever, DeflectionMeetsFiniteElements) {
  ModelDescription scene = held_tet_cuboid(Vec3(0.01, 0.01, 0.08), 2.5e-3 * kEdgeOfBrick, rubber(0.3, 1e5));
  LoadDescription load;
  load.body = "block";
  load.min_m.z() = 0.04;
  load.force_n = Vec3(1.953125e-3, 0.0, 0.0);
  scene.loads = {{"end", load}};
  scene.integrator.kind = IntegratorKind::implicit_euler;
  scene.control_period_s = 0.02;
  Simulation simulation(scene);
  const auto& vertices = simulation.model().soft[0].tet->mesh.vertices;
  ASSERT_EQ(vertices.size(), 5u * 5u * 33u);
  const auto deflection = [&] {
    double sum = 0.0;
    int count = 0;
    for (std::size_t n = 0; n < vertices.size(); ++n)
      if (vertices[n].z() > 0.04 - 1e-9) sum += simulation.state().x.get(n).x() - vertices[n].x(), ++count;
    return sum / count;
  };
  double before = 0.0;
  for (bool settled = false; !settled && simulation.state().time_s < 20.0;) {
    for (int period = 0; period < 20; ++period) ASSERT_EQ(simulation.advance({}).status, StepStatus::good);
    settled = std::abs(deflection() - before) <= 1e-5 * before;
    before = deflection();
  }
  const auto wanted = load_reference("case_d_patch_beam.csv", {{"model", "NH"}, {"mesh", "48x6x6 Q2"}})[0];
  const double error = 1e3 * deflection() / number(wanted, "fem") - 1.0;
  fmt::print("  deflection {:.4f} mm {:+.2f} %, at {:.2f} s\n", 1e3 * deflection(), 100.0 * error,
             simulation.state().time_s);
  EXPECT_LE(std::abs(error), 0.03);
}

// Flying, turning, stretched; neo-Hookean ones undamped, paper 2's with its dampers and limits.
struct FreeBody {
  IntegratorKind integrator;
  TetModel model;
  double youngs_modulus_pa;
  TetVolume volume = TetVolume::gradient;
  double volume_stiffness_n_m3 = 6e6;
};

struct Flight {
  double momentum_change;  // of the momentum
  EnergyReading begin, end;
  double least_volume, most_volume;  // of the rest volume
};

Flight fly(const FreeBody& free) {
  MaterialDescription material = rubber(0.45, free.youngs_modulus_pa);
  material.relaxation_time_s = 0.0;
  ModelDescription scene = tet_cuboid(Vec3(0.012, 0.010, 0.015), 0.003, material);
  auto& block = std::get<TetDescription>(scene.bodies[0].second);
  block.model = free.model, block.paper2.volume = free.volume;
  block.paper2.volume_stiffness_n_m3 = free.volume_stiffness_n_m3;
  block.placement.velocity_m_s = Vec3(0.3, -0.2, 0.1);
  block.placement.angular_velocity_rad_s = Vec3(3.0, 5.0, -2.0);
  scene.integrator.kind = free.integrator;
  // Let go at once: the first explicit steps err by their share of what they turn over.
  if (!is_implicit(free.integrator)) scene.integrator.time_step_s = 5e-6;
  Simulation simulation(scene);
  State state = simulation.state();
  for (std::size_t p = 0; p < state.x.size(); ++p)
    state.x.set(p, state.x.get(p) + 0.03 * Vec3(state.x.get(p).x(), 0.5 * state.x.get(p).z(), 0.0));
  simulation.restore(state);
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (std::size_t p = 0; p < simulation.model().particle_slots; ++p)
      sum += simulation.model().mass_kg[p] * simulation.state().v.get(p);
    return sum;
  };
  const TetBody& body = *simulation.model().soft[0].tet;
  Flight flight{0.0, simulation.energy(), {}, 1.0, 1.0};
  const Vec3 before = momentum();
  for (int period = 0; period < 200; ++period) {
    const StepReport report = simulation.advance({});
    EXPECT_EQ(report.status, StepStatus::good) << report.message;
    TetMesh now = body.mesh;
    for (std::size_t n = 0; n < now.vertices.size(); ++n) now.vertices[n] = simulation.state().x.get(n);
    double volume = 0.0;
    for (std::size_t c = 0; c < now.cells.size(); ++c) volume += cell_volume(now, c);
    flight.least_volume = std::min(flight.least_volume, volume / body.volume_m3);
    flight.most_volume = std::max(flight.most_volume, volume / body.volume_m3);
  }
  flight.momentum_change = (momentum() - before).norm() / before.norm();
  flight.end = simulation.energy();
  // The stretch was put in by hand: the books begin with what it holds.
  const double wrong = flight.end.residual - flight.begin.residual;
  fmt::print(
      "  {}, {}, E {:.0e} Pa: momentum changes by {:.1e} of it; volume {:.4f} to {:.4f}; books off by {:+.1e} J of "
      "{:.1e} J\n",
      name_of(free.integrator), free.model == TetModel::paper2 ? "paper2" : "neo_hookean", free.youngs_modulus_pa,
      flight.momentum_change, flight.least_volume, flight.most_volume, wrong, flight.begin.elastic);
  return flight;
}

class FreeTets : public testing::TestWithParam<FreeBody> {};

TEST_P(FreeTets, AreStableAndKeepTheirLinearMomentum) {
  const Flight flight = fly(GetParam());
  EXPECT_LT(flight.momentum_change, 1e-10);
  // Stretched by 3 % to begin with: nothing swings further.
  EXPECT_GT(flight.least_volume, 0.97);
  EXPECT_LT(flight.most_volume, 1.031);
}

constexpr auto kExplicit = IntegratorKind::semi_implicit_euler, kImplicit = IntegratorKind::implicit_euler;
INSTANTIATE_TEST_SUITE_P(
    Bodies, FreeTets,
    testing::Values(FreeBody{kExplicit, TetModel::neo_hookean, 1e5}, FreeBody{kImplicit, TetModel::neo_hookean, 1e3},
                    FreeBody{kImplicit, TetModel::neo_hookean, 1e5}, FreeBody{kImplicit, TetModel::neo_hookean, 1e7},
                    FreeBody{kImplicit, TetModel::paper2, 1e3}, FreeBody{kImplicit, TetModel::paper2, 1e5},
                    FreeBody{kImplicit, TetModel::paper2, 1e7}));

// Along the lines to the barycentre, as printed, the cells push the body as a whole.
TEST(FreeTetsAsPrinted, VolumeForcesChangeTheMomentum) {
  for (const double alpha : {6e6, 6e8}) {
    const Flight flight = fly({kImplicit, TetModel::paper2, 1e3, TetVolume::barycentre, alpha});
    EXPECT_GT(flight.momentum_change, alpha > 1e7 ? 1e-6 : 5e-9);
    EXPECT_LT(fly({kImplicit, TetModel::paper2, 1e3, TetVolume::gradient, alpha}).momentum_change, 1e-10);
  }
}

struct TetRubber {
  double youngs_modulus_pa, poissons_ratio;
};
class HardTreatmentOfTets : public testing::TestWithParam<TetRubber> {};

// One step of 1 ms: a sphere goes fast into a third of the height, out faster than it came, and in again sideways.
TEST_P(HardTreatmentOfTets, StaysStableAndMeetsItsResidual) {
  const double height = 0.02;
  MaterialDescription material = rubber(GetParam().poissons_ratio, GetParam().youngs_modulus_pa);
  ModelDescription scene = held_tet_cuboid(Vec3(0.03, 0.03, height), 0.005, material);
  add_sphere_on_top(scene, 0.008, 0.5 * height);
  scene.integrator.kind = IntegratorKind::implicit_euler;
  Simulation simulation(scene);
  double largest_residual = 0.0, largest_force = 0.0;
  int rejected = 0;
  const auto drive = [&](const Vec3& velocity, int periods) {
    BodyCommand command;
    command.mode = CommandMode::twist;
    command.twist.linear = velocity;
    for (int period = 0; period < periods; ++period) {
      const StepReport report = simulation.advance(std::span(&command, 1));
      ASSERT_EQ(report.status, StepStatus::good) << report.message;
      ASSERT_TRUE(is_finite(simulation.state()));
      rejected += report.rejected;
      largest_residual = std::max(largest_residual, report.solve.relative);
      largest_force = std::max(largest_force, simulation.measure()[0].feedback.contact.force.norm());
    }
  };
  ASSERT_NO_FATAL_FAILURE(drive(Vec3(0.0, 0.0, -0.2), 33));
  ASSERT_NO_FATAL_FAILURE(drive(Vec3(0.0, 0.0, 0.4), 17));
  // Rubbed, and torn off.
  ASSERT_NO_FATAL_FAILURE(drive(Vec3(0.1, 0.0, -0.1), 50));
  ASSERT_NO_FATAL_FAILURE(drive(Vec3(0.0, 0.0, 0.5), 20));
  // Let go, it comes back to where it was.
  ASSERT_NO_FATAL_FAILURE(drive(Vec3::Zero(), 500));
  const auto& vertices = simulation.model().soft[0].tet->mesh.vertices;
  double away = 0.0;
  for (std::size_t n = 0; n < vertices.size(); ++n)
    away = std::max(away, (simulation.state().x.get(n) - vertices[n]).norm());
  fmt::print("  E {:.3g} Pa, nu {}: up to {:.3g} N, residual {:.2g}, {} steps done again, {:.2g} mm away at the end\n",
             GetParam().youngs_modulus_pa, GetParam().poissons_ratio, largest_force, largest_residual, rejected,
             1e3 * away);
  EXPECT_LE(largest_residual, 1e-3);
  EXPECT_LT(away, 0.5e-3);
  // Half the sphere's section under a tenth of E at least: it did press.
  EXPECT_GT(largest_force, 0.1 * GetParam().youngs_modulus_pa * 0.5 * kPi * 0.008 * 0.008);
}

INSTANTIATE_TEST_SUITE_P(Rubbers, HardTreatmentOfTets,
                         testing::Values(TetRubber{1e3, 0.25}, TetRubber{1e3, 0.49}, TetRubber{57.6e3, 0.45},
                                         TetRubber{1e6, 0.49}, TetRubber{1e7, 0.3}, TetRubber{1e7, 0.49}));

// Two driven spheres press a block as one body of two parts does.
TEST(UnionOfShapes, PressesAsItsPartsDo) {
  const auto force_on_block = [](bool as_one) {
    ModelDescription scene = held_tet_cuboid(Vec3(0.04, 0.02, 0.01), 0.004, rubber(0.45, 57.6e3));
    add_sphere_on_top(scene, 0.005, 0.005);
    auto& left = std::get<RigidDescription>(scene.bodies.back().second);
    left.placement.position_m.x() = -0.01;
    RigidDescription right = left;
    right.placement.position_m.x() = 0.01;
    if (as_one) {
      PartDescription part;
      part.body = "sphere", part.radius_m = 0.005, part.position_m = Vec3(0.02, 0.0, 0.0);
      scene.parts = {{"right", part}};
    } else {
      scene.bodies.push_back({"right", right});
    }
    scene.integrator.kind = IntegratorKind::implicit_euler;
    Simulation simulation(scene);
    BodyCommand command;
    command.mode = CommandMode::twist;
    command.twist.linear = Vec3(0.0, 0.0, -0.05);
    const std::vector<BodyCommand> commands(as_one ? 1 : 2, command);
    for (int period = 0; period < 30; ++period) EXPECT_EQ(simulation.advance(commands).status, StepStatus::good);
    Vec3 force = Vec3::Zero();
    for (const BodyReading& reading : simulation.measure()) force += reading.feedback.contact.force;
    return force;
  };
  const Vec3 together = force_on_block(true), apart = force_on_block(false);
  EXPECT_GT(apart.norm(), 0.2);
  EXPECT_LT((together - apart).norm(), 2e-3 * apart.norm());
}

// Falls on an edge, tilts, and lies down.
void fall_and_rest(double youngs_pa, double nu, double duration_s) {
  const double edge = 0.005;
  MaterialDescription material = rubber(nu, youngs_pa);
  material.density_kg_m3 = 1000.0;
  ModelDescription scene = tet_cuboid(Vec3(0.03, 0.03, 0.02), edge, material);
  scene.gravity_m_s2 = Vec3(0.0, 0.0, -9.81);
  auto& placement = std::get<TetDescription>(scene.bodies[0].second).placement;
  placement.position_m.z() = 0.03, placement.q_xyzw = rotation_from_vector(Vec3(0.2, 0.1, 0.0));
  scene.bodies.push_back({"ground", PlaneDescription{}});
  scene.integrator.kind = IntegratorKind::implicit_euler;
  Simulation simulation(scene);
  const auto mechanical = [&] {
    const EnergyReading e = simulation.energy();
    return e.kinetic + e.elastic + e.gravity + e.contact;
  };
  const double start = mechanical();
  double last = start, rise = 0.0, deepest = 0.0;
  while (simulation.state().time_s < duration_s) {
    const StepReport report = simulation.advance({});
    ASSERT_EQ(report.status, StepStatus::good) << report.message;
    rise = std::max(rise, mechanical() - last);
    last = mechanical();
    for (const Contact& contact : simulation.workspace().pairs[0].near) deepest = std::max(deepest, contact.depth_m);
  }
  const double weight_j = simulation.model().soft[0].tet->volume_m3 * 1000.0 * 9.81 * 0.02;
  const double kinetic = simulation.energy().kinetic;
  fmt::print(
      "  {:.3g} kPa, nu {}, {:.0f} s: deepest {:.2f} % of an edge, largest rise of energy {:.1e}, kinetic at the end "
      "{:.1e} of the fall\n",
      1e-3 * youngs_pa, nu, duration_s, 100.0 * deepest / edge, rise / weight_j, kinetic / weight_j);
  EXPECT_GT(deepest, 0.0);
  EXPECT_LT(deepest, 0.02 * edge);
  EXPECT_LE(rise, 1e-6 * weight_j);
  EXPECT_LT(kinetic, 1e-8 * weight_j);
}

TEST(FallingTets, NeitherSinkInNorGainEnergyAndComeToRest) { fall_and_rest(57.6e3, 0.45, 1.0); }
TEST(FallingTets, OfHardRubberAreNotThrownUp) {
  for (const double youngs_pa : {1e6, 1e7})
    for (const double nu : {0.3, 0.49}) fall_and_rest(youngs_pa, nu, 1.5);
}
TEST(LongFallingTets, NeitherSinkInNorGainEnergyAndStayAtRest) { fall_and_rest(57.6e3, 0.45, 10.0); }

}  // namespace
}  // namespace distal::test
