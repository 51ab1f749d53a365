#include "distal/integrator/coarse_grids.hpp"

#include <algorithm>
#include <numeric>

namespace distal {
namespace {

constexpr std::size_t kMostLevels = 8;
constexpr int kFewNodes = 4;  // along an axis: the last grid
constexpr int kLastSweeps = 4;
// Stiffness over mass of the first hats, from which on they save more iterations than they cost (measured).
constexpr double kWorthwhile = 10.0;
// The blocks of the particles answer long motions too, but too little; more weight for the grids saves iterations.
constexpr double kFactor = 2.0;

// Threads share the planes of a grid; a small one is not worth waking them.
template <typename Work>
void for_planes(ThreadTeam& team, const CoarseLevel& level, const Work& work) {
  constexpr std::size_t kSmall = 1000;
  if (level.nodes() < kSmall) return work(0, level.nz());
  team.run([&](int t) {
    work(ThreadTeam::share_begin(level.nz(), t, team.size()), ThreadTeam::share_begin(level.nz(), t + 1, team.size()));
  });
}

}  // namespace

CoarseGrids::CoarseGrids(const Model& model, const SoftBody& body) : body_(body), transfer_(body, model.threads) {
  levels_.push_back(transfer_.make_first());
  fill_first();
  while (levels_.size() < kMostLevels &&
         std::min({levels_.back().nx(), levels_.back().ny(), levels_.back().nz()}) > kFewNodes)
    levels_.push_back(levels_.back().make_coarser());
  double scale = 1.0;
  for (CoarseLevel& level : levels_) {
    for_springs(model, [&](const Vec3& place, double, double) { level.mark_spring(scale * place); });
    level.find_kinds();
    for_springs(model, [&](const Vec3& place, double k, double c) { level.add_spring(scale * place, k, c); });
    scale *= 0.5;
  }
  density_kg_m3_ = std::accumulate(body.mass_kg().begin(), body.mass_kg().end(), 0.0) / body.volume_m3();
  plane_rz_.resize(static_cast<std::size_t>(levels_[0].nz()));
}

void CoarseGrids::fill_first() {
  const double cell_m3 = transfer_.spacing_m() * transfer_.spacing_m() * transfer_.spacing_m();
  const auto add = [&](const Vec3& middle, double volume) {
    levels_[0].add_volume(transfer_.place_of(middle), volume / cell_m3);
  };
  if (body_.tet) {
    for (const auto& cell : body_.tet->mesh.cells) {
      std::array<Vec3, 4> x;
      for (std::size_t a = 0; a < 4; ++a) x[a] = body_.tet->mesh.vertices[static_cast<std::size_t>(cell[a])];
      add(0.25 * (x[0] + x[1] + x[2] + x[3]), std::abs((x[1] - x[0]).cross(x[2] - x[0]).dot(x[3] - x[0])) / 6.0);
    }
    return;
  }
  const Lattice& lattice = body_.lattice;
  const Vec3 half = Vec3::Constant(0.5 * lattice.grid.cell_size_m);
  for (const CellRun& run : lattice.runs)
    for (std::int32_t n = run.node; n < run.node + run.count; ++n)
      add(lattice.grid.rest_position(n) + half, cell_m3 / 64.0);
  for (std::size_t c = 0; c < lattice.cut.node.size(); ++c)
    add(lattice.grid.rest_position(lattice.cut.node[c]) + half, lattice.cut.get(c, 0));
}

// Calls visit(place, stiffness, damping) for what is always there: ligaments, and nodes that are held. Where a hat
// moves such a node, the cells around the node are in truth sheared and stretched over their own size.
template <typename Visit>
void CoarseGrids::for_springs(const Model& model, const Visit& visit) const {
  const ElasticModuli& moduli = body_.moduli();
  const double held_n_m = (moduli.shear_pa + (moduli.lame_lambda_pa + moduli.shear_pa) / 3.0) * body_.spacing_m();
  for (std::int32_t n = 0; n < body_.node_count(); ++n) {
    const auto p = static_cast<std::size_t>(body_.first_particle + n);
    if (model.mass_kg[p] > 0.0 && model.inverse_mass_per_kg[p] == 0.0)
      visit(transfer_.place_of(body_.rest_position(n)), held_n_m, 0.0);
  }
  for (std::size_t p = 0; p < body_.ligaments.size(); ++p) {
    Vec3 place = body_.rest_position(body_.ligaments.node[p]);
    for (int c = 0; c < 3; ++c)
      place[c] += 0.5 * body_.spacing_m() * (1.0 + body_.ligaments.place[p][static_cast<std::size_t>(c)]);
    visit(transfer_.place_of(place), body_.ligament_stiffness_n_m[p], body_.ligament_damping_n_s_m[p]);
  }
}

void CoarseGrids::weigh(const TangentWeights& weights, double drag) {
  const ElasticModuli& moduli = body_.moduli();
  const double relaxation_s = body_.tet ? body_.tet->relaxation_time_s : body_.lattice.relaxation_time_s;
  const CoarseMaterial material{moduli.shear_pa * (weights.stiffness + weights.damping * relaxation_s),
                                weights.stiffness * moduli.lame_lambda_pa, drag * density_kg_m3_, weights.stiffness,
                                weights.damping};
  used_ = 0;
  for (CoarseLevel& level : levels_) {
    level.weigh(material);
    // Where mass decides, the blocks of the particles are all there is to do.
    if (level.stiffness_over_mass() < (used_ == 0 ? kWorthwhile : 1.0)) break;
    ++used_;
  }
}

// The body's axes: the rotation in the best linear fit of where some of its nodes are now.
void CoarseGrids::place(const State& at) {
  const auto count = static_cast<std::size_t>(body_.node_count()), stride = count / 4000 + 1;
  double mass = 0.0;
  Vec3 rest_sum = Vec3::Zero(), now_sum = Vec3::Zero();
  Mat3 products = Mat3::Zero();
  for (std::size_t n = 0; n < count; n += stride) {
    const double m = body_.mass_kg()[n];
    if (m == 0.0) continue;
    const Vec3 rest = body_.rest_position(static_cast<int>(n)),
               now = at.x.get(static_cast<std::size_t>(body_.first_particle) + n);
    mass += m, rest_sum += m * rest, now_sum += m * now, products += m * now * rest.transpose();
  }
  products -= now_sum * rest_sum.transpose() / mass;
  const Eigen::JacobiSVD<Mat3> svd(products, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0.0 ? -1.0 : 1.0;
  axes_ = svd.matrixU() * Vec3(1.0, 1.0, sign).asDiagonal() * svd.matrixV().transpose();
  for (std::size_t l = 0; l < used_; ++l) levels_[l].clear_contacts();
}

void CoarseGrids::add_contact(const Vec3& rest_m, const Eigen::Matrix3f& stiffness) {
  const Mat3 along_axes = axes_.transpose() * stiffness.cast<double>() * axes_;
  Vec3 place = transfer_.place_of(rest_m);
  for (std::size_t l = 0; l < used_; ++l, place *= 0.5) levels_[l].add_contact(place, along_axes);
}

void CoarseGrids::finish() {
  for (std::size_t l = 0; l < used_; ++l) levels_[l].invert_touched();
}

// A V-cycle with one sweep before and one after: the same forwards and backwards.
void CoarseGrids::cycle(ThreadTeam& team) {
  for (std::size_t l = 0; l < used_; ++l) {
    CoarseLevel& level = levels_[l];
    for_planes(team, level, [&](int first, int last) { level.smooth_first(first, last); });
    if (l + 1 == used_) break;
    CoarseLevel& next = levels_[l + 1];
    for_planes(team, level, [&](int first, int last) { level.find_residual(first, last); });
    for_planes(team, next, [&](int first, int last) { level.restrict_to(next, first, last); });
  }
  for (std::size_t l = used_; l-- > 0;) {
    CoarseLevel& level = levels_[l];
    if (l + 1 < used_)
      for_planes(team, level, [&](int first, int last) { level.add_from(levels_[l + 1], first, last); });
    for (int sweep = 0; sweep < (l + 1 < used_ ? 1 : kLastSweeps); ++sweep) {
      for_planes(team, level, [&](int first, int last) { level.find_residual(first, last); });
      for_planes(team, level, [&](int first, int last) { level.smooth(first, last); });
    }
  }
}

double CoarseGrids::correct(ThreadTeam& team, const float* mass, const solve::Array& r, solve::Array& z) {
  if (used_ == 0) return 0.0;
  CoarseLevel& grid = levels_[0];
  transfer_.gather(team, r, axes_, grid);
  cycle(team);
  for_planes(team, grid, [&](int first, int last) {
    for (int k = first; k < last; ++k) plane_rz_[static_cast<std::size_t>(k)] = grid.dot(k, k + 1);
  });
  transfer_.hand_out(team, grid, axes_, kFactor, mass, z);
  return kFactor * std::accumulate(plane_rz_.begin(), plane_rz_.end(), 0.0);
}

}  // namespace distal
