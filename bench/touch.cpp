// The touch query: how long it takes to find the nearest point of a skin, and with it the normal under a tip, against
// the size of the body; tetrahedra first, then fingertips, whose skin is carried by cells. Boxes are ready, as they are
// in most periods. Queries are spread over all the skin, so that what they read is not at hand, but for the column of a
// hand that touches already. The last is what making all boxes anew costs.
#include <cstdio>
#include <ctime>

#include "distal/haptic/skin_index.hpp"
#include "distal/state/state.hpp"

using namespace distal;

namespace {

double seconds(const auto& work) {
  const std::clock_t start = std::clock();  // of this program alone: other programs do not count
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

Model make_strand(double length_m) {
  ModelDescription scene;
  scene.materials["rubber"].youngs_modulus_pa = 1e5;
  scene.materials["rubber"].poissons_ratio = 0.4;
  TetDescription strand;
  strand.material = "rubber";
  strand.shape = TetShape::capsule;
  strand.radius_m = 0.005, strand.height_m = length_m, strand.edge_m = 0.0016;
  scene.bodies.emplace_back("strand", strand);
  scene.threads = 1;
  return build_model(scene);
}

Model make_fingertip(double cell_m) {
  ModelDescription scene;
  scene.materials["rubber"].youngs_modulus_pa = 1e5;
  scene.materials["rubber"].poissons_ratio = 0.4;
  FingertipDescription finger;
  finger.lattice.material = "rubber";
  finger.lattice.cell_size_m = cell_m;
  scene.bodies.emplace_back("finger", finger);
  scene.threads = 1;
  return build_model(scene);
}

// Points just off the skin, each far from the last.
std::vector<Vec3> scattered_points(const SoftBody& body, const SkinIndex& index, const Vec3Array& x, int count) {
  std::vector<Vec3> points;
  const auto triangles = static_cast<std::int64_t>(body.skin_triangles.size());
  for (std::int64_t n = 0; n < count; ++n) {
    SkinPoint point;
    point.triangle = static_cast<std::int32_t>(n * 7919 * 31 % triangles);
    point.weight = Vec3(0.2, 0.3, 0.5);
    points.emplace_back(index.place(x, point) + 0.1 * body.spacing_m() * Vec3(n % 3 - 1.0, n % 5 - 2.0, n % 7 - 3.0));
  }
  return points;
}

void measure(const Model& model) {
  constexpr int kQueries = 20000;
  const SoftBody& body = model.soft[0];
  const State state = make_initial_state(model);
  SkinIndex index(body);
  const double boxes_s = seconds([&] { index.update(state.x, 1.0); });
  const std::vector<Vec3> points = scattered_points(body, index, state.x, kQueries);
  double sum = 0.0;  // must be wanted by somebody
  const double find_s = seconds([&] {
    for (const Vec3& p : points) sum += index.find(state.x, p).distance_m;
  });
  const double both_s = seconds([&] {
    for (const Vec3& p : points) sum += index.mean_normal(state.x, index.find(state.x, p)).x();
  });
  // A stroke of 20 mm.
  std::int32_t triangle = index.find(state.x, points[0]).triangle;
  const double touching_s = seconds([&] {
    for (int n = 0; n < kQueries; ++n) {
      const SkinPoint point = index.find_from(state.x, points[0] + Vec3(0.0, 0.0, 1e-6 * n), triangle);
      triangle = point.triangle;
      sum += index.mean_normal(state.x, point).x();
    }
  });
  std::printf("%10s %10d %10zu %14.2f %16.2f %14.2f %14.0f%s\n", body.kind.c_str(), model.active_particles(),
              body.skin_triangles.size(), 1e6 * find_s / kQueries, 1e6 * both_s / kQueries, 1e6 * touching_s / kQueries,
              1e6 * boxes_s, sum == 1.0 ? " " : "");
}

}  // namespace

int main() {
  std::printf("%10s %10s %10s %14s %16s %14s %14s\n", "body", "nodes", "triangles", "find [us]", "and normal [us]",
              "touching [us]", "boxes [us]");
  for (const double length : {0.02, 0.1, 0.5, 2.2}) measure(make_strand(length));
  for (const double cell : {0.001, 0.00037}) measure(make_fingertip(cell));
}
