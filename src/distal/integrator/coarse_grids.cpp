#include "distal/integrator/coarse_grids.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

constexpr int kMostLevels = 8;
// Stiffness over mass of the shortest hats, from which on they save more iterations than they cost (measured).
constexpr double kWorthwhile = 60.0;
// Hats overlap each other and all levels do, so that together they must not answer more than is there: their blocks
// count stresses and springs so many times (measured), and one that holds little of the body as if it held a tenth.
constexpr double kStressFactor = 2.0, kSpringFactor = 8.0, kLeastShare = 0.1;

// Rows of one component of a grid.
struct GridRows {
  const float* data;
  int nx, ny, nz;
  const float* row(int j, int k) const {
    return data + (static_cast<std::size_t>(k) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
                      static_cast<std::size_t>(nx);
  }
};

// The fine rows under the hats of the coarse row (j, k).
WeighedRows rows_around(const GridRows& fine, int coarse_j, int coarse_k) {
  WeighedRows rows{};
  for (int dk = -1; dk <= 1; ++dk)
    for (int dj = -1; dj <= 1; ++dj) {
      const int j = 2 * coarse_j + dj, k = 2 * coarse_k + dk;
      if (j < 0 || j >= fine.ny || k < 0 || k >= fine.nz) continue;
      rows.weight[rows.count] = (dj == 0 ? 1.0F : 0.5F) * (dk == 0 ? 1.0F : 0.5F);
      rows.row[rows.count++] = fine.row(j, k);
    }
  return rows;
}

// z = D^-1 r; returns r.z.
double apply_blocks(const solve::Array& straight, const solve::Array& mixed, const solve::Array& r, solve::Array& z,
                    std::size_t begin, std::size_t end) {
  double sum = 0.0;
  for (std::size_t n = begin; n < end; ++n) {
    const float x = r.data(0)[n], y = r.data(1)[n], w = r.data(2)[n];
    const float xy = mixed.data(0)[n], xz = mixed.data(1)[n], yz = mixed.data(2)[n];
    const float zx = straight.data(0)[n] * x + xy * y + xz * w, zy = xy * x + straight.data(1)[n] * y + yz * w,
                zz = xz * x + yz * y + straight.data(2)[n] * w;
    z.data(0)[n] = zx, z.data(1)[n] = zy, z.data(2)[n] = zz;
    sum += static_cast<double>(x * zx + y * zy + w * zz);
  }
  return sum;
}

}  // namespace

CoarseGrids::CoarseGrids(const Model& model, const SoftBody& body) : body_(body) {
  const Grid& grid = body.lattice.grid;
  Size size{grid.nx, grid.ny, grid.nz};
  for (int l = 1; l <= kMostLevels && std::min({size.nx, size.ny, size.nz}) > 3; ++l) {
    size = {size.nx / 2 + 1, size.ny / 2 + 1, size.nz / 2 + 1};
    Level level{size, 1 << l, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
    for (auto* numbers : {&level.mass, &level.gradient, &level.stiffness, &level.damping, &level.block})
      numbers->assign(size.count() + kPadding, 0.0F);
    for (solve::Array* array : {&level.straight, &level.mixed, &level.r, &level.z}) array->resize(size.count());
    level.plane_rz.resize(static_cast<std::size_t>(size.nz));
    add_cells(level), add_masses(model, level), add_ligaments(level);
    levels_.push_back(std::move(level));
  }
  scratch_.assign(static_cast<std::size_t>(model.threads),
                  AlignedVector<float>(static_cast<std::size_t>(grid.nx) + 2 * kPadding, 0.0F));
}

// Threads share the planes of a grid; a small one is not worth waking them.
template <typename Work>
void CoarseGrids::for_planes(ThreadTeam& team, const Size& size, const Work& work) {
  constexpr std::size_t kFew = 4000;
  const auto share = [&](int t, int threads) {
    const int end = ThreadTeam::share_begin(size.nz, t + 1, threads);
    for (int k = ThreadTeam::share_begin(size.nz, t, threads); k < end; ++k)
      work(k, scratch_[static_cast<std::size_t>(t)].data());
  };
  if (size.count() < kFew) return share(0, 1);
  team.run([&](int t) { share(t, team.size()); });
}

std::array<double, 3> CoarseGrids::place_of(std::int32_t node) const {
  const Grid& grid = body_.lattice.grid;
  return {static_cast<double>(node % grid.nx), static_cast<double>(node / grid.nx % grid.ny),
          static_cast<double>(node / grid.plane_size())};
}

template <typename Visit>
void CoarseGrids::for_hats(const Level& level, const std::array<double, 3>& place, const Visit& visit) {
  int first[3];
  double upper[3];  // share of the hat above
  const int count[3] = {level.size.nx, level.size.ny, level.size.nz};
  for (std::size_t c = 0; c < 3; ++c) {
    const double at = std::max(place[c], 0.0) / level.width;
    first[c] = std::min(static_cast<int>(at), count[c] - 2);
    upper[c] = std::min(at - first[c], 1.0);
  }
  for (int a = 0; a < kCorners; ++a) {
    const int up[3] = {a & 1, (a >> 1) & 1, a >> 2};
    std::array<double, 3> phi;
    for (std::size_t c = 0; c < 3; ++c) phi[c] = up[c] == 1 ? upper[c] : 1.0 - upper[c];
    const int node = ((first[2] + up[2]) * level.size.ny + first[1] + up[1]) * level.size.nx + first[0] + up[0];
    visit(static_cast<std::size_t>(node), phi);
  }
}

// Hats are products of three, so that their mean gradient over a cell follows from their values at its middle.
void CoarseGrids::add_cells(Level& level) const {
  const Lattice& lattice = body_.lattice;
  const double cell = lattice.grid.cell_size_m, slope = 1.0 / (level.width * cell);
  const auto add = [&](std::int32_t node, double volume) {
    std::array<double, 3> middle = place_of(node);
    for (double& c : middle) c += 0.5;
    for_hats(level, middle, [&](std::size_t hat, const std::array<double, 3>& phi) {
      const double xy = phi[0] * phi[1], xz = phi[0] * phi[2], yz = phi[1] * phi[2];
      level.gradient[hat] += static_cast<float>(volume * slope * slope * (xy * xy + xz * xz + yz * yz));
    });
  };
  for (const CellRun& run : lattice.runs)
    for (std::int32_t n = 0; n < run.count; ++n) add(run.node + n, cell * cell * cell);
  for (std::size_t c = 0; c < lattice.cut.node.size(); ++c) add(lattice.cut.node[c], lattice.cut.get(c, 0));
}

// A hat over a node that is held has no motion of its own.
void CoarseGrids::add_masses(const Model& model, Level& level) const {
  for (std::int32_t n = 0; n < body_.node_count(); ++n) {
    const auto p = static_cast<std::size_t>(body_.first_particle + n);
    if (model.mass_kg[p] == 0.0) continue;
    const bool held = model.inverse_mass_per_kg[p] == 0.0;
    for_hats(level, place_of(n), [&](std::size_t hat, const std::array<double, 3>& phi) {
      const double value = phi[0] * phi[1] * phi[2];
      if (held && value > 0.0) level.mass[hat] = -1e30F;
      level.mass[hat] += static_cast<float>(model.mass_kg[p] * value * value);
    });
  }
}

void CoarseGrids::add_ligaments(Level& level) const {
  for (std::size_t p = 0; p < body_.ligaments.size(); ++p) {
    std::array<double, 3> place = place_of(body_.ligaments.node[p]);
    for (std::size_t c = 0; c < 3; ++c) place[c] += 0.5 * (1.0 + body_.ligaments.place[p][c]);
    for_hats(level, place, [&](std::size_t hat, const std::array<double, 3>& phi) {
      const double value = phi[0] * phi[1] * phi[2];
      level.stiffness[hat] += static_cast<float>(body_.ligament_stiffness_n_m[p] * value * value);
      level.damping[hat] += static_cast<float>(body_.ligament_damping_n_s_m[p] * value * value);
    });
  }
}

void CoarseGrids::weigh(const TangentWeights& weights, double drag) {
  const ElasticModuli& moduli = body_.lattice.moduli;
  const double mu = moduli.shear_pa, lambda = moduli.lame_lambda_pa, eta = mu * body_.lattice.relaxation_time_s;
  // The mean of |grad|^2 mu + (lambda + mu) dx^2 over directions, and the same of the viscosity.
  const double stress = weights.stiffness * (mu + (lambda + mu) / 3.0) + weights.damping * eta * 4.0 / 3.0;
  used_ = 0;
  for (Level& level : levels_) {
    double mass = 0.0, elastic = 0.0;
    for (std::size_t n = 0; n < level.size.count(); ++n) {
      const double own = drag * static_cast<double>(level.mass[n]),
                   springs = stress * static_cast<double>(level.gradient[n]);
      const double held = weights.stiffness * static_cast<double>(level.stiffness[n]) +
                          weights.damping * static_cast<double>(level.damping[n]);
      level.block[n] = own > 0.0 ? static_cast<float>(own + kStressFactor * springs + kSpringFactor * held) : 0.0F;
      if (own > 0.0) mass += own, elastic += springs;
    }
    const float least = static_cast<float>(kLeastShare) * *std::max_element(level.block.begin(), level.block.end());
    for (float& block : level.block)
      if (block > 0.0F) block = std::max(block, least);
    // Where mass decides, the blocks of the particles are all there is to do.
    if (elastic < (used_ == 0 ? kWorthwhile : 1.0) * mass) break;
    ++used_;
  }
}

void CoarseGrids::clear_contacts() {
  for (std::size_t l = 0; l < used_levels(); ++l) levels_[l].straight.fill(0.0F), levels_[l].mixed.fill(0.0F);
}

void CoarseGrids::add_contact(std::int32_t node, const std::array<float, kCorners>& weight,
                              const Eigen::Matrix3f& stiffness) {
  std::array<double, 3> place = place_of(node);
  for (std::size_t a = 0; a < kCorners; ++a)
    for (std::size_t c = 0; c < 3; ++c)
      if (((a >> c) & 1U) != 0U) place[c] += static_cast<double>(weight[a]);
  for (std::size_t l = 0; l < used_levels(); ++l)
    for_hats(levels_[l], place, [&](std::size_t hat, const std::array<double, 3>& phi) {
      const auto value = static_cast<float>(phi[0] * phi[1] * phi[2]);
      const Eigen::Matrix3f k = static_cast<float>(kSpringFactor) * value * value * stiffness;
      levels_[l].straight.component[0][hat] += k(0, 0), levels_[l].straight.component[1][hat] += k(1, 1);
      levels_[l].straight.component[2][hat] += k(2, 2), levels_[l].mixed.component[0][hat] += k(0, 1);
      levels_[l].mixed.component[1][hat] += k(0, 2), levels_[l].mixed.component[2][hat] += k(1, 2);
    });
}

void CoarseGrids::invert() {
  for (std::size_t l = 0; l < used_levels(); ++l)
    solve::invert_blocks(levels_[l].block.data(), levels_[l].straight, levels_[l].mixed, 0, levels_[l].size.count());
}

double CoarseGrids::correct(ThreadTeam& team, const float* mass, const solve::Array& r, solve::Array& z) {
  const Grid& grid = body_.lattice.grid;
  const Size finest{grid.nx, grid.ny, grid.nz};
  const auto first = static_cast<std::size_t>(body_.first_particle);
  // Down: residuals of ever longer hats, and what their blocks say.
  double sum = 0.0;
  for (std::size_t l = 0; l < used_levels(); ++l) {
    Level& level = levels_[l];
    const Size& from = l == 0 ? finest : levels_[l - 1].size;
    for_planes(team, level.size, [&](int k, float* scratch) {
      for (int c = 0; c < 3; ++c) {
        const GridRows fine{l == 0 ? r.data(c) + first : levels_[l - 1].r.data(c), from.nx, from.ny, from.nz};
        for (int j = 0; j < level.size.ny; ++j)
          solve::restrict_row(rows_around(fine, j, k), static_cast<std::size_t>(from.nx),
                              static_cast<std::size_t>(level.size.nx), scratch, level.r.data(c) + level.size.row(j, k));
      }
      level.plane_rz[static_cast<std::size_t>(k)] =
          apply_blocks(level.straight, level.mixed, level.r, level.z, level.size.row(0, k), level.size.row(0, k + 1));
    });
    for (const double part : level.plane_rz) sum += part;
  }
  // Up: each adds what the coarser ones say to its own; the particles last.
  for (std::size_t l = used_levels(); l-- > 0;) {
    const Level& level = levels_[l];
    const Size& to = l == 0 ? finest : levels_[l - 1].size;
    for_planes(team, to, [&](int k, float* scratch) {
      for (int c = 0; c < 3; ++c) {
        float* const target = l == 0 ? z.data(c) + first : levels_[l - 1].z.data(c);
        const GridRows coarse{level.z.data(c), level.size.nx, level.size.ny, level.size.nz};
        for (int j = 0; j < to.ny; ++j) {
          const float* const rows[4] = {coarse.row(j / 2, k / 2), coarse.row((j + 1) / 2, k / 2),
                                        coarse.row(j / 2, (k + 1) / 2), coarse.row((j + 1) / 2, (k + 1) / 2)};
          solve::add_interpolated_row(rows, static_cast<std::size_t>(level.size.nx),
                                      l == 0 ? mass + first + to.row(j, k) : nullptr, static_cast<std::size_t>(to.nx),
                                      scratch, target + to.row(j, k));
        }
      }
    });
  }
  return sum;
}

}  // namespace distal
