// A block in homogeneous deformation against the closed form of its energy,
// P = mu (F - F^-T) + lambda ln J F^-T, and the paper's lattice against its lattice sums.
#include <gtest/gtest.h>

#include <fmt/core.h>

#include "distal/contact/contacts.hpp"
#include "distal/force/forces.hpp"
#include "support/neo_hookean.hpp"
#include "support/reference_table.hpp"
#include "support/scenes.hpp"

namespace distal::test {
namespace {

class DeformedBlock {
 public:
  DeformedBlock(double size_m, double cell_m, double shift_cells, LatticeKind kind, const MaterialDescription& material)
      : model_(build_model(scene(size_m, cell_m, shift_cells, kind, material))),
        state_(make_initial_state(model_)),
        ws_(model_) {}

  void apply(const Mat3& gradient) {
    for (int n = 0; n < body().lattice.grid.node_count(); ++n)
      state_.x.set(static_cast<std::size_t>(n), gradient * body().lattice.grid.rest_position(n));
    ws_.want_energy = true;
    compute_forces(model_, state_, ws_);
  }

  const SoftBody& body() const { return model_.soft[0]; }
  double elastic_j() const { return ws_.soft[0].elastic_j; }
  Vec3 force(int node) const { return ws_.force.get(static_cast<std::size_t>(node)); }
  Vec3 rest(int node) const { return body().lattice.grid.rest_position(node); }
  bool active(int node) const { return body().lattice.mass[static_cast<std::size_t>(node)] > 0.0; }
  int nodes() const { return body().lattice.grid.node_count(); }

  // Nominal stress from the virial of the inner forces.
  Mat3 mean_stress() const {
    Mat3 sum = Mat3::Zero();
    for (int n = 0; n < nodes(); ++n)
      if (active(n)) sum -= force(n) * rest(n).transpose();
    return sum / body().lattice.volume_m3;
  }

  // Sum of the inner forces on nodes whose coordinate along `axis` is at the face, and the largest on those inside.
  Vec3 face_force(int axis, double at_m) const {
    Vec3 sum = Vec3::Zero();
    for (int n = 0; n < nodes(); ++n)
      if (active(n) && std::abs(rest(n)[axis] - at_m) < 1e-9) sum += force(n);
    return sum;
  }
  double largest_inside(double half_m) const {
    double largest = 0.0;
    for (int n = 0; n < nodes(); ++n)
      if (active(n) && rest(n).cwiseAbs().maxCoeff() < half_m - 1e-9) largest = std::max(largest, force(n).norm());
    return largest;
  }

 private:
  static ModelDescription scene(double size_m, double cell_m, double shift_cells, LatticeKind kind,
                                const MaterialDescription& material) {
    ModelDescription scene = held_block(Vec3::Constant(size_m), cell_m, material);
    scene.fixes.clear();
    auto& lattice = std::get<BlockDescription>(scene.bodies[0].second).lattice;
    lattice.grid_shift_cells = Vec3::Constant(shift_cells);
    lattice.lattice = kind;
    return scene;
  }

  Model model_;
  State state_;
  Workspace ws_;
};

class HomogeneousBlock : public testing::TestWithParam<double> {};

TEST_P(HomogeneousBlock, StressAndEnergyAreTheClosedForm) {
  const double size = 0.008, cell = 0.002, nu = GetParam();
  const ClosedForm exact = closed_form(nu);
  // The shifted grid cuts all its outer cells.
  for (const double shift : {0.0, 0.3}) {
    DeformedBlock block(size, cell, shift, LatticeKind::neo_hookean, rubber(nu));
    EXPECT_NEAR(block.body().lattice.volume_m3, size * size * size, 0.005 * size * size * size);
    for (const Mat3& f : deformations()) {
      block.apply(f);
      const Mat3 wanted = exact.stress(f);
      EXPECT_LT((block.mean_stress() - wanted).norm(), 1e-6 * wanted.norm()) << "shift " << shift << " F\n" << f;
      const double energy = exact.energy(f) * block.body().lattice.volume_m3;
      EXPECT_NEAR(block.elastic_j(), energy, 1e-6 * energy);
      if (shift != 0.0) continue;
      EXPECT_LT(block.largest_inside(0.5 * size), 1e-9 * wanted.norm() * size * size);
      // Shares of the other faces cancel at opposite edges.
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 traction = size * size * wanted.col(axis);
        EXPECT_LT((block.face_force(axis, 0.5 * size) + traction).norm(), 1e-6 * size * size * wanted.norm());
      }
    }
  }
}

TEST_P(HomogeneousBlock, FreeSidesStayFreeInAStretch) {
  const double size = 0.008, nu = GetParam();
  const ClosedForm exact = closed_form(nu);
  DeformedBlock block(size, 0.002, 0.0, LatticeKind::neo_hookean, rubber(nu));
  for (const double s : {-0.3, -0.1, 0.01, 0.1, 0.3}) {
    const double a = 1.0 + s, b = exact.lateral_stretch(a);
    const Mat3 f = Vec3(a, b, b).asDiagonal();
    block.apply(f);
    const double pull = exact.stress(f)(0, 0) * size * size;
    double side = 0.0, end = 0.0;
    for (int n = 0; n < block.nodes(); ++n) {
      const bool at_end = std::abs(block.rest(n).x() - 0.5 * size) < 1e-9,
                 at_start = std::abs(block.rest(n).x() + 0.5 * size) < 1e-9;
      if (at_end)
        end -= block.force(n).x();
      else if (!at_start)
        side = std::max(side, block.force(n).norm());
    }
    EXPECT_NEAR(end, pull, 1e-6 * std::abs(pull)) << "stretch " << s;
    EXPECT_LT(side, 1e-6 * std::abs(pull)) << "stretch " << s;
  }
}

INSTANTIATE_TEST_SUITE_P(PoissonsRatios, HomogeneousBlock, testing::Values(0.25, 0.4286, 0.49));

TEST(HomogeneousBlockReference, OnePercentStretchMeetsFiniteElements) {
  for (const char* nu : {"0.25", "0.4286"}) {
    const auto wanted =
        load_reference("case_d_patch_beam.csv", {{"quantity", "stretch1pct_force_N"}, {"nu", nu}, {"model", "NH"}})[0];
    const auto lateral = load_reference("case_d_patch_beam.csv",
                                        {{"quantity", "stretch1pct_lateral_strain"}, {"nu", nu}, {"model", "NH"}})[0];
    DeformedBlock block(0.02, 0.005, 0.0, LatticeKind::neo_hookean, rubber(std::stod(nu)));
    const double b = 1.0 + number(lateral, "fem");
    block.apply(Vec3(1.01, b, b).asDiagonal());
    EXPECT_NEAR(-block.face_force(0, 0.01).x(), number(wanted, "fem"), 1e-6 * number(wanted, "fem"));
    EXPECT_LT(std::abs(block.face_force(1, 0.01).y()), 1e-6 * number(wanted, "fem"));
  }
}

// Energy of a cube of n particles a side (5, 7, 9, 11 here) is a cubic in n; its leading coefficient is the energy of a
// cell of the bulk, free of the surface springs that are not halved.
double bulk_cell_energy(const Mat3& strain) {
  const double cell = 0.001;
  double energy[4];
  for (int i = 0; i < 4; ++i) {
    DeformedBlock block((4 + 2 * i) * cell, cell, 0.0, LatticeKind::paper, rubber(0.25));
    block.apply(Mat3::Identity() + strain);
    energy[i] = block.elastic_j();
  }
  return (energy[3] - 3.0 * energy[2] + 3.0 * energy[1] - energy[0]) / 48.0;
}

TEST(PaperLattice, BulkModuliAreItsLatticeSums) {
  const double e = 1e-4, cell_volume = 1e-9, sum_2 = 1.0 / std::sqrt(2.0), sum_3 = 4.0 / (3.0 * std::sqrt(3.0));
  Mat3 stretch = Mat3::Zero(), biaxial = Mat3::Zero(), shear = Mat3::Zero();
  stretch(0, 0) = biaxial(0, 0) = biaxial(1, 1) = e;
  shear(0, 1) = e;
  const double c11 = 2.0 * bulk_cell_energy(stretch) / (e * e * cell_volume * kRubber_pa);
  const double c12 = bulk_cell_energy(biaxial) / (e * e * cell_volume * kRubber_pa) - c11;
  const double c44 = 2.0 * bulk_cell_energy(shear) / (e * e * cell_volume * kRubber_pa);
  fmt::print("  C11 {:.4f} E, C12 {:.4f} E, C44 {:.4f} E\n", c11, c12, c44);
  EXPECT_NEAR(c11, 1.0 + 2.0 * sum_2 + sum_3, 0.01 * 3.18);
  EXPECT_NEAR(c12, sum_2 + sum_3, 0.01 * 1.48);
  EXPECT_NEAR(c44, sum_2 + sum_3, 0.01 * 1.48);
  EXPECT_NEAR(c11, 3.18, 0.01 * 3.18);
  EXPECT_NEAR(c44, 1.48, 0.01 * 1.48);
}

}  // namespace
}  // namespace distal::test
