// The vector kernel against the plain one, and what any lattice force must obey.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "distal/force/forces.hpp"
#include "distal/force/lattice_force.hpp"

namespace distal {
namespace {

struct Case {
  bool fingertip;
  Precision precision;
  double relaxation_time_s;
};

constexpr double kCell = 1.5e-3;  // [m]

Model make_body(const Case& c) {
  const Vec3 place(0.002, -0.003, 0.0099);
  ModelDescription description;
  description.precision = c.precision;
  description.threads = 1;
  MaterialDescription rubber;
  rubber.density_kg_m3 = 500.0, rubber.youngs_modulus_pa = 4000.0, rubber.poissons_ratio = 0.43;
  rubber.relaxation_time_s = c.relaxation_time_s;
  description.materials["rubber"] = rubber;
  if (c.fingertip) {
    FingertipDescription finger;
    finger.lattice.material = "rubber", finger.lattice.cell_size_m = kCell;
    finger.placement.position_m = place;
    finger.placement.q_xyzw = Quat(0.3, 0.9, -0.2, 0.1).normalized();
    description.bodies.push_back({"finger", finger});
  } else {
    BlockDescription block;
    block.lattice.material = "rubber", block.lattice.cell_size_m = kCell;
    block.size_m = kCell * Vec3(18.0, 6.0, 10.0);  // rows end inside a vector
    block.placement.position_m = place;
    description.bodies.push_back({"block", block});
  }
  return build_model(description);
}

// Nodes moved by up to a share of a cell and thrown about.
State shaken(const Model& model, double share) {
  State state = make_initial_state(model);
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto random = [&] { return Vec3(unit(engine), unit(engine), unit(engine)); };
  for (std::size_t p = 0; p < model.particle_slots; ++p)
    if (model.mass_kg[p] > 0.0) state.x.add(p, share * kCell * random()), state.v.add(p, 0.3 * random());
  return state;
}

double largest(const Vec3Array& forces) {
  double size = 0.0;
  for (std::size_t p = 0; p < forces.size(); ++p) size = std::max(size, forces.get(p).norm());
  return size;
}

double largest_difference(const Vec3Array& a, const Vec3Array& b) {
  double size = 0.0;
  for (std::size_t p = 0; p < a.size(); ++p) size = std::max(size, (a.get(p) - b.get(p)).norm());
  return size;
}

class LatticeKernel : public testing::TestWithParam<Case> {
 protected:
  bool is_float() const { return GetParam().precision == Precision::float_; }
  double tolerance() const { return is_float() ? 2e-5 : 1e-12; }
};

TEST_P(LatticeKernel, AgreesWithThePlainOne) {
  const Model model = make_body(GetParam());
  ASSERT_EQ(model.soft[0].lattice.cut.count > 0, GetParam().fingertip);
  // The larger share makes J leave the range of the short logarithm.
  for (const double share : {0.05, 0.2}) {
    const State state = shaken(model, share);
    Workspace vector(model), plain(model);
    vector.want_energy = plain.want_energy = true;
    compute_lattice_force(model, 0, state, vector);
    compute_lattice_force_plain(model, 0, state, plain);
    const SoftWorkspace& v = vector.soft[0];
    const SoftWorkspace& p = plain.soft[0];
    ASSERT_EQ(p.worst_cell, -1);
    ASSERT_LT(p.smallest_j, share > 0.1 ? 0.65 : 0.95);
    EXPECT_LT(largest_difference(vector.force, plain.force), tolerance() * largest(plain.force));
    EXPECT_NEAR(v.elastic_j, p.elastic_j, tolerance() * p.elastic_j);
    EXPECT_NEAR(v.dissipation_w, p.dissipation_w, tolerance() * p.dissipation_w);
    EXPECT_EQ(p.dissipation_w > 0.0, GetParam().relaxation_time_s > 0.0);
    EXPECT_NEAR(v.smallest_j, p.smallest_j, tolerance());
    EXPECT_EQ(v.worst_cell, -1);
    // The scratch of the first call must leave nothing behind.
    const Vec3Array first = vector.force;
    for (std::size_t n = 0; n < model.soft[0].lattice.mass.size(); ++n) vector.force.set(n, Vec3::Constant(99.0));
    compute_lattice_force(model, 0, state, vector);
    EXPECT_EQ(largest_difference(vector.force, first), 0.0);
  }
}

TEST_P(LatticeKernel, ForcesAndTorquesSumToNothing) {
  const Model model = make_body(GetParam());
  const State state = shaken(model, 0.1);
  Workspace ws(model);
  compute_lattice_force(model, 0, state, ws);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  double arm = 0.0;
  const Vec3 centre = state.x.get(model.particle_slots / 2);
  for (std::size_t p = 0; p < model.particle_slots; ++p) {
    force += ws.force.get(p);
    torque += (state.x.get(p) - centre).cross(ws.force.get(p));
    arm = std::max(arm, (state.x.get(p) - centre).norm());
  }
  EXPECT_LT(force.norm(), tolerance() * largest(ws.force));
  EXPECT_LT(torque.norm(), tolerance() * largest(ws.force) * arm);
}

TEST_P(LatticeKernel, RestsAtRestAndInRigidMotion) {
  const Model model = make_body(GetParam());
  State state = make_initial_state(model);
  Workspace ws(model);
  ws.want_energy = true;
  const double unit = model.soft[0].lattice.moduli.youngs_pa * kCell * kCell;  // force of one cell at strain 1
  compute_lattice_force(model, 0, state, ws);
  EXPECT_LT(largest(ws.force), tolerance() * unit);
  const Quat turn = Quat(0.8, 0.3, -0.4, 0.2).normalized();
  const Vec3 spin(3.0, -20.0, 8.0), centre = state.x.get(0);
  double speed = 0.0;
  for (std::size_t p = 0; p < model.particle_slots; ++p) {
    const Vec3 arm = turn * (state.x.get(p) - centre);
    state.x.set(p, centre + Vec3(0.01, 0.02, -0.01) + arm);
    state.v.set(p, Vec3(0.5, -0.4, 0.3) + spin.cross(arm));
    speed = std::max(speed, state.v.get(p).norm());
  }
  compute_lattice_force(model, 0, state, ws);
  EXPECT_LT(largest(ws.force), tolerance() * unit);
  EXPECT_LT(std::abs(ws.soft[0].elastic_j), tolerance() * unit * kCell * static_cast<double>(model.particle_slots));
  // Rates of strain are differences of velocities over a cell.
  const double rate = tolerance() * speed / kCell, cells = static_cast<double>(model.particle_slots);
  EXPECT_LT(ws.soft[0].dissipation_w, GetParam().relaxation_time_s * unit * kCell * rate * rate * cells + 1e-300);
}

TEST_P(LatticeKernel, GivesTheSameBitsForAnyNumberOfThreads) {
  Model model = make_body(GetParam());
  const State state = shaken(model, 0.1);
  Workspace one(model);
  one.want_energy = true;
  compute_lattice_force(model, 0, state, one);
  add_ligament_force(model, 0, state, one);
  for (const int threads : {2, 3, 4, 13}) {
    model.threads = threads;
    Workspace ws(model);
    ws.want_energy = true;
    compute_lattice_force(model, 0, state, ws);
    add_ligament_force(model, 0, state, ws);
    EXPECT_EQ(largest_difference(ws.force, one.force), 0.0) << threads << " threads";
    EXPECT_EQ(ws.soft[0].elastic_j, one.soft[0].elastic_j);
    EXPECT_EQ(ws.soft[0].dissipation_w, one.soft[0].dissipation_w);
    EXPECT_EQ(ws.soft[0].smallest_j, one.soft[0].smallest_j);
    EXPECT_EQ(ws.soft[0].tip.torque, one.soft[0].tip.torque);
  }
}

// The cell of which the highest corner is `node` is the first to hold it.
std::int32_t first_cell_of(const Grid& grid, int node) { return node - grid.corner_offset(7); }

TEST_P(LatticeKernel, NamesTheCellThatIsInsideOut) {
  const Model model = make_body(GetParam());
  const Grid& grid = model.soft[0].lattice.grid;
  // A node inside full cells, pushed through the far corner of the first cell that holds it.
  const CellRun& run = model.soft[0].lattice.runs[model.soft[0].lattice.runs.size() / 2];
  const auto cell = static_cast<std::size_t>(run.node + run.count / 2);
  for (const double broken : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
    State state = make_initial_state(model);
    const std::size_t node = cell + static_cast<std::size_t>(grid.corner_offset(7));
    state.x.set(node, 3.0 * state.x.get(cell) - 2.0 * state.x.get(node) + Vec3::Constant(broken));
    Workspace vector(model), plain(model);
    compute_lattice_force(model, 0, state, vector);
    compute_lattice_force_plain(model, 0, state, plain);
    ASSERT_EQ(plain.soft[0].worst_cell, first_cell_of(grid, static_cast<int>(node)));
    EXPECT_EQ(vector.soft[0].worst_cell, plain.soft[0].worst_cell);
    EXPECT_LE(vector.soft[0].smallest_j, 0.0);
    // A good state afterwards is not marked by the bad one.
    compute_lattice_force(model, 0, make_initial_state(model), vector);
    EXPECT_EQ(vector.soft[0].worst_cell, -1);
    EXPECT_LT(largest(vector.force), 1e-6);
  }
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  return std::string(info.param.fingertip ? "Fingertip" : "Block") +
         (info.param.precision == Precision::float_ ? "Float" : "Double") +
         (info.param.relaxation_time_s > 0.0 ? "Damped" : "Elastic");
}

INSTANTIATE_TEST_SUITE_P(All, LatticeKernel,
                         testing::Values(Case{true, Precision::double_, 1e-3}, Case{true, Precision::double_, 0.0},
                                         Case{true, Precision::float_, 1e-3}, Case{true, Precision::float_, 0.0},
                                         Case{false, Precision::double_, 1e-3}, Case{false, Precision::double_, 0.0},
                                         Case{false, Precision::float_, 1e-3}, Case{false, Precision::float_, 0.0}),
                         name_of);

TEST(LatticeCutCells, ValuesComeBackAsTheyWent) {
  // K between a linear mode and any other is rebuilt from gradients; the diagonal of a full cell bounds that of a cut
  // one.
  const Model model = make_body({true, Precision::double_, 1e-3});
  const CutCells& cut = model.soft[0].lattice.cut;
  const double mu = model.soft[0].lattice.moduli.shear_pa;
  ASSERT_EQ(cut.node.size(), static_cast<std::size_t>(cut.count));
  for (std::size_t c = 0; c < cut.node.size(); ++c) {
    const double volume = cut.get(c, 0);
    EXPECT_GT(volume, 0.0);
    for (int axis = 0; axis < 3; ++axis) {
      const int b = (1 << axis) - 1;
      EXPECT_NEAR(cut.get(c, 1 + packed_index(b, b)), mu * volume / (16.0 * kCell * kCell), 1e-12 * mu * kCell);
      EXPECT_NEAR(cut.get(c, 1 + kPackedSize + 3 * b + axis), 0.25 / kCell, 1e-9);
    }
    EXPECT_GT(cut.get(c, kDampingShare), 0.0);
    EXPECT_LE(cut.get(c, kDampingShare), 1.0 + 1e-7);  // stored in single precision
  }
}

}  // namespace
}  // namespace distal
