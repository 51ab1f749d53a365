// What the benchmarks share: the same block of rubber, 40 cells a side, as our lattice and as a list of springs, and
// the best time of several rounds.
#pragma once
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "distal/state/workspace.hpp"

namespace bench {

inline constexpr int kCells = 40;
inline constexpr double kCellSize_m = 1e-3, kDensity_kg_m3 = 500.0, kYoungs_pa = 3922.66;

inline distal::Model make_block(distal::Precision precision) {
  distal::ModelDescription description;
  auto& rubber = description.materials["rubber"];
  rubber.density_kg_m3 = kDensity_kg_m3;
  rubber.youngs_modulus_pa = kYoungs_pa;
  rubber.poissons_ratio = 0.4286;
  rubber.relaxation_time_s = 1e-4;  // damping is on
  distal::BlockDescription block;
  block.lattice.material = "rubber";
  block.lattice.cell_size_m = kCellSize_m;
  block.size_m = distal::Vec3::Constant(kCells * kCellSize_m);
  description.bodies.emplace_back("block", block);
  description.precision = precision;
  description.threads = 1;
  return build_model(description);
}

// Neither at rest nor in its rest shape, so that no term is trivially zero.
inline distal::Vec3 wave(const distal::Vec3& x) {
  return {std::sin(100.0 * x.y()), std::sin(100.0 * x.z()), std::sin(100.0 * x.x())};
}

inline distal::State make_moving_state(const distal::Model& model) {
  distal::State state = make_initial_state(model);
  for (std::size_t p = 0; p < model.particle_slots; ++p) {
    if (model.mass_kg[p] == 0.0) continue;
    const distal::Vec3 x = state.x.get(p);
    state.x.set(p, x + 1e-4 * wave(x));
    state.v.set(p, 1e-2 * wave(x));
  }
  return state;
}

struct Point {
  distal::Vec3 x, v, f;
  double mass;
};

struct Spring {
  int i, j;
  double stiffness, damping, rest_length;  // [N/m], [N s/m], [m]
};

struct SpringBlock {
  std::vector<Point> points;
  std::vector<Spring> springs;
};

// Paper 1, II.D and II.E: springs to 26 neighbours, each once.
inline SpringBlock make_spring_block() {
  constexpr int n = kCells + 1;
  const double mass = kDensity_kg_m3 * std::pow(kCells * kCellSize_m, 3) / (n * n * n);
  SpringBlock block;
  const auto number = [](int i, int j, int k) { return (k * n + j) * n + i; };
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const distal::Vec3 x = kCellSize_m * (distal::Vec3(i, j, k) - distal::Vec3::Constant(0.5 * kCells));
        block.points.push_back({x + 1e-4 * wave(x), 1e-2 * wave(x), distal::Vec3::Zero(), mass});
        for (int d = 14; d < 27; ++d) {  // half of the 26 directions: those that lie ahead
          const int di = d % 3 - 1, dj = d / 3 % 3 - 1, dk = d / 9 - 1, ni = i + di, nj = j + dj, nk = k + dk;
          if (ni < 0 || nj < 0 || nk < 0 || ni >= n || nj >= n || nk >= n) continue;
          const double length = kCellSize_m * std::sqrt(di * di + dj * dj + dk * dk);
          const double stiffness = kYoungs_pa * kCellSize_m * kCellSize_m / length;
          const double damping = 2.0 * std::sqrt(stiffness * mass / 2.0);
          block.springs.push_back({number(i, j, k), number(ni, nj, nk), stiffness, damping, length});
        }
      }
  return block;
}

// Wall time of one call of each [s]: the best of several rounds, because others use the machine too. The contestants
// take turns within a round, so that all of them see the same load.
inline std::vector<double> best_times_s(const std::vector<std::function<void()>>& contestants, int rounds = 15,
                                        int calls = 4) {
  std::vector<double> best(contestants.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t c = 0; c < contestants.size(); ++c) {
      const auto start = std::chrono::steady_clock::now();
      for (int call = 0; call < calls; ++call) contestants[c]();
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      best[c] = std::min(best[c], taken.count() / calls);
    }
  return best;
}

}  // namespace bench
