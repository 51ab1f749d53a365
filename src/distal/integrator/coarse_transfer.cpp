#include "distal/integrator/coarse_transfer.hpp"

#include <algorithm>
#include <cmath>

namespace distal {
namespace {

constexpr double kSpacings = 4.0;  // of the body, in one of the grid: finer ones cost more than they save (measured)

constexpr std::size_t kRoom = 16;  // behind arrays that are read by whole vectors

// Calls work(n) for [0, count), shared by the threads.
template <typename Work>
void for_each(ThreadTeam& team, int count, const Work& work) {
  team.run([&](int t) {
    const int end = ThreadTeam::share_begin(count, t + 1, team.size());
    for (int n = ThreadTeam::share_begin(count, t, team.size()); n < end; ++n) work(n, static_cast<std::size_t>(t));
  });
}

using Vector = CoarseLevel::Vector;
Vector turned(const Eigen::Array<float, 4, 3>& axes, const Vector& v) {
  return axes.col(0) * v[0] + axes.col(1) * v[1] + axes.col(2) * v[2];
}

Eigen::Array<float, 4, 3> as_columns(const Mat3& matrix) {
  Eigen::Array<float, 4, 3> columns = Eigen::Array<float, 4, 3>::Zero();
  columns.topRows<3>() = matrix.cast<float>().array();
  return columns;
}

}  // namespace

CoarseTransfer::CoarseTransfer(const SoftBody& body, int threads) : body_(body) {
  if (body.tet) {
    const std::vector<Vec3>& vertices = body.tet->mesh.vertices;
    spacing_m_ = kSpacings * std::cbrt(body.volume_m3() / static_cast<double>(vertices.size()));
    Vec3 high = origin_m_ = vertices.front();
    for (const Vec3& vertex : vertices) origin_m_ = origin_m_.cwiseMin(vertex), high = high.cwiseMax(vertex);
    const Vec3 cells = (high - origin_m_) / spacing_m_;
    const auto nodes = [&](int c) { return std::max(2, static_cast<int>(std::ceil(cells[c] - 1e-6)) + 1); };
    size_ = {nodes(0), nodes(1), nodes(2)};
    sort_vertices();
    return;
  }
  const Grid& grid = body.lattice.grid;
  spacing_m_ = kSpacings * grid.cell_size_m, origin_m_ = grid.origin_m;
  lattice_ = {grid.nx, grid.ny, grid.nz};
  half_size_ = {grid.nx / 2 + 1, grid.ny / 2 + 1, grid.nz / 2 + 1};
  size_ = {half_size_.nx / 2 + 1, half_size_.ny / 2 + 1, half_size_.nz / 2 + 1};
  half_.resize(half_size_.row(0, half_size_.nz)), first_x_.resize(size_.row(0, size_.nz));
  scratch_.assign(static_cast<std::size_t>(threads),
                  AlignedVector<float>(4 * (static_cast<std::size_t>(grid.nx) + 2 * kPadding), 0.0F));
}

CoarseLevel CoarseTransfer::make_first() const { return {size_.nx, size_.ny, size_.nz, spacing_m_}; }

void CoarseTransfer::sort_vertices() {
  const CoarseLevel first = make_first();
  const std::vector<Vec3>& rest = body_.tet->mesh.vertices;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // cell, vertex
  for (std::size_t v = 0; v < rest.size(); ++v)
    first.for_hats(place_of(rest[v]), [&](int a, std::size_t node, double) {
      if (a == 0) order.emplace_back(node, v);
    });
  std::sort(order.begin(), order.end());
  cell_at_.assign(first.x.size(), -1);
  for (const auto& [node, v] : order) {
    if (cells_.empty() || cells_.back().node != node) {
      cell_at_[node] = static_cast<std::int32_t>(cells_.size());
      cells_.push_back({node, vertices_.size(), vertices_.size()});
    }
    std::array<float, 3> place{};
    first.for_hats(place_of(rest[v]), [&](int a, std::size_t, double weight) {
      for (std::size_t c = 0; c < 3; ++c)
        if (((a >> c) & 1) != 0) place[c] += static_cast<float>(weight);
    });
    vertices_.push_back(body_.first_particle + static_cast<std::int32_t>(v));
    for (std::size_t c = 0; c < 3; ++c) place_[c].push_back(place[c]);
    ++cells_.back().end;
  }
  vertices_.resize(vertices_.size() + kRoom, body_.first_particle);
  for (std::vector<float>& place : place_) place.resize(vertices_.size());
  corner_sums_.assign(8 * cells_.size(), Vector::Zero());
}

CellVertices CoarseTransfer::vertices_in(const Cell& cell) const {
  return {&vertices_[cell.begin], &place_[0][cell.begin], &place_[1][cell.begin], &place_[2][cell.begin],
          cell.end - cell.begin};
}

void CoarseTransfer::gather(ThreadTeam& team, const solve::Array& r, const Mat3& axes, CoarseLevel& first) {
  const Axes to_body = as_columns(axes.transpose());
  body_.tet ? gather_vertices(team, r, to_body, first) : gather_lattice(team, r, to_body, first);
}

void CoarseTransfer::hand_out(ThreadTeam& team, const CoarseLevel& first, const Mat3& axes, double factor,
                              const float* mass, solve::Array& z) {
  const Axes to_world = as_columns(factor * axes);
  body_.tet ? hand_out_vertices(team, first, to_world, mass, z) : hand_out_lattice(team, first, to_world, mass, z);
}

namespace {

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

}  // namespace

void CoarseTransfer::gather_lattice(ThreadTeam& team, const solve::Array& r, const Axes& to_body, CoarseLevel& first) {
  const auto begin = static_cast<std::size_t>(body_.first_particle);
  const auto fine = static_cast<std::size_t>(lattice_.nx), half = static_cast<std::size_t>(half_size_.nx),
             coarse = static_cast<std::size_t>(size_.nx), room = fine + 2 * kPadding;
  for_each(team, half_size_.nz, [&](int k, std::size_t t) {
    for (int c = 0; c < 3; ++c)
      for (int j = 0; j < half_size_.ny; ++j)
        solve::restrict_row(rows_around({r.data(c) + begin, lattice_.nx, lattice_.ny, lattice_.nz}, j, k), fine, half,
                            scratch_[t].data(), half_.data(c) + half_size_.row(j, k));
  });
  for_each(team, size_.nz, [&](int k, std::size_t t) {
    float* const scratch = scratch_[t].data();
    for (int j = 0; j < size_.ny; ++j) {
      for (int c = 0; c < 3; ++c)
        solve::restrict_row(rows_around({half_.data(c), half_size_.nx, half_size_.ny, half_size_.nz}, j, k), half,
                            coarse, scratch, scratch + static_cast<std::size_t>(c + 1) * room);
      const std::size_t node = first.index(0, j, k);
      for (std::size_t i = 0; i < coarse; ++i)
        first.r[node + i] = turned(to_body, {scratch[room + i], scratch[2 * room + i], scratch[3 * room + i], 0.0F});
    }
  });
}

void CoarseTransfer::interpolate_plane(int k, const solve::Array& from, const Size& coarse, const Size& to,
                                       const float* mass, solve::Array& out, std::size_t begin) {
  for (int c = 0; c < 3; ++c) {
    const GridRows grid{from.data(c), coarse.nx, coarse.ny, coarse.nz};
    for (int j = 0; j < to.ny; ++j) {
      const float* const rows[4] = {grid.row(j / 2, k / 2), grid.row((j + 1) / 2, k / 2), grid.row(j / 2, (k + 1) / 2),
                                    grid.row((j + 1) / 2, (k + 1) / 2)};
      const std::size_t at = begin + to.row(j, k);
      solve::add_interpolated_row(rows, mass ? mass + at : nullptr, static_cast<std::size_t>(to.nx), out.data(c) + at);
    }
  }
}

void CoarseTransfer::hand_out_lattice(ThreadTeam& team, const CoarseLevel& first, const Axes& to_world,
                                      const float* mass, solve::Array& z) {
  const std::size_t start = first.index(0, 0, 0);
  for_each(team, size_.nz, [&](int k, std::size_t) {
    for (std::size_t node = first.index(0, 0, k); node < first.index(0, 0, k + 1); ++node) {
      const Vector in_world = turned(to_world, first.x[node]);
      for (int c = 0; c < 3; ++c) first_x_.data(c)[node - start] = in_world[c];
    }
  });
  for_each(team, half_size_.nz, [&](int k, std::size_t) {
    for (int c = 0; c < 3; ++c)
      std::fill(half_.data(c) + half_size_.row(0, k), half_.data(c) + half_size_.row(0, k + 1), 0.0F);
    interpolate_plane(k, first_x_, size_, half_size_, nullptr, half_, 0);
  });
  const auto begin = static_cast<std::size_t>(body_.first_particle);
  for_each(team, lattice_.nz,
           [&](int k, std::size_t) { interpolate_plane(k, half_, half_size_, lattice_, mass, z, begin); });
}

// First each cell for its eight corners, then each node from the cells around it.
void CoarseTransfer::gather_vertices(ThreadTeam& team, const solve::Array& r, const Axes& to_body, CoarseLevel& first) {
  for_each(team, static_cast<int>(cells_.size()), [&](int n, std::size_t) {
    const Cell& cell = cells_[static_cast<std::size_t>(n)];
    CellField moments;
    solve::sum_moments(vertices_in(cell), r, moments);
    Vector sum[8];
    for (std::size_t a = 0; a < 8; ++a) sum[a] = {moments[0][a], moments[1][a], moments[2][a], 0.0F};
    for (std::size_t axis = 1; axis < 8; axis *= 2)
      for (std::size_t a = 0; a < 8; ++a)
        if ((a & axis) == 0) sum[a] -= sum[a + axis];
    std::copy_n(sum, 8, corner_sums_.begin() + 8 * n);
  });
  for_each(team, size_.nz, [&](int k, std::size_t) {
    for (std::size_t node = first.index(0, 0, k); node < first.index(0, 0, k + 1); ++node) {
      Vector sum = Vector::Zero();
      for (std::size_t a = 0; a < 8; ++a) {
        const std::int32_t cell = cell_at_[node - first.offset(a)];
        if (cell >= 0) sum += corner_sums_[8 * static_cast<std::size_t>(cell) + a];
      }
      first.r[node] = turned(to_body, sum);
    }
  });
}

void CoarseTransfer::hand_out_vertices(ThreadTeam& team, const CoarseLevel& first, const Axes& to_world,
                                       const float* mass, solve::Array& z) {
  for_each(team, static_cast<int>(cells_.size()), [&](int n, std::size_t) {
    const Cell& cell = cells_[static_cast<std::size_t>(n)];
    Vector x[8];
    for (std::size_t a = 0; a < 8; ++a) x[a] = turned(to_world, first.x[cell.node + first.offset(a)]);
    for (std::size_t axis = 1; axis < 8; axis *= 2)
      for (std::size_t a = 0; a < 8; ++a)
        if ((a & axis) == 0) x[a + axis] -= x[a];
    CellField field;
    for (std::size_t a = 0; a < 8; ++a)
      for (std::size_t c = 0; c < 3; ++c) field[c][a] = x[a][static_cast<int>(c)];
    solve::add_field(vertices_in(cell), field, mass, z);
  });
}

}  // namespace distal
