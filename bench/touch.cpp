// The touch query: how long it takes to find the nearest point of a skin, against the size of the body. Boxes are
// ready, as they are in most periods; the second column is a hand that touches already, the last what making all boxes
// anew costs.
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

}  // namespace

int main() {
  std::printf("%10s %10s %14s %14s %14s\n", "nodes", "triangles", "find [us]", "touching [us]", "boxes [us]");
  for (const double length : {0.02, 0.1, 0.5, 2.2}) {
    const Model model = make_strand(length);
    const State state = make_initial_state(model);
    SkinIndex index(model.soft[0]);
    const double boxes_s = seconds([&] { index.update(state, 1.0); });
    constexpr int kQueries = 20000;
    double sum = 0.0;
    std::int32_t triangle = 0;
    const auto at = [&](int n) {
      const double z = length * (static_cast<double>(n * 7919 % kQueries) / kQueries - 0.5);
      return Vec3(0.0048 + 0.001 * (n % 3), 0.0005 * (n % 5), z);
    };
    const double find_s = seconds([&] {
      for (int n = 0; n < kQueries; ++n) sum += index.find(state, at(n)).distance_m;
    });
    triangle = index.find(state, Vec3(0.0049, 0.0, 0.0)).triangle;
    const double near_s = seconds([&] {
      for (int n = 0; n < kQueries; ++n) {
        const SkinPoint point = index.find_from(state, Vec3(0.0049, 0.0, 1e-6 * n - 0.01), triangle);
        triangle = point.triangle;
        sum += index.smooth_normal(state, point).x();
      }
    });
    std::printf("%10d %10zu %14.2f %14.2f %14.0f\n", model.active_particles(), model.soft[0].skin_triangles.size(),
                1e6 * find_s / kQueries, 1e6 * near_s / kQueries, 1e6 * boxes_s);
    if (sum == 1.0) std::printf(" ");  // the sum must be wanted by somebody
  }
}
