// One coarse grid over a soft body, for the preconditioner of implicit steps: cubic cells that the body fills wholly,
// partly or not at all, and a hat function around every node. The system of the hats is that of linear elasticity with
// the material at rest, in the body's own axes, each cell as stiff and heavy as it is filled; springs of ligaments, of
// held nodes and of contacts come on top. A node whose cells are all full has the same row as all others of that kind.
#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

// What a cell of a grid is made of, for one step.
struct CoarseMaterial {
  double shear_pa = 0.0, lambda_pa = 0.0;  // times the weight of the stiffness, viscosity included
  double density_kg_m3 = 0.0;              // with drag
  double stiffness = 0.0, damping = 0.0;   // weights of springs
};

class CoarseLevel {
 public:
  using Vector = Eigen::Array4f;  // three components and a zero
  using Vectors = std::vector<Vector>;

  CoarseLevel(int nx, int ny, int nz, double spacing_m);
  CoarseLevel make_coarser() const;  // of cells twice as large, filled like these

  // Building, in this order. Places are in cells from the first node; shares of a cell's volume.
  void add_volume(const Vec3& place, double share);
  void mark_spring(const Vec3& place);
  void find_kinds();
  void add_spring(const Vec3& place, double stiffness_n_m, double damping_n_s_m);

  // Rows for a step, then, at every linearisation, with what holds points of the skin.
  void weigh(const CoarseMaterial& material);
  void clear_contacts();
  void add_contact(const Vec3& place, const Mat3& stiffness);  // along the body's axes
  void invert_touched();

  // On planes of nodes [first, last):
  void smooth_first(int first, int last);                             // x from 0
  void smooth(int first, int last);                                   // x from t, the residual
  void find_residual(int first, int last);                            // t = r - A x
  void restrict_to(CoarseLevel& coarser, int first, int last) const;  // t, to planes of the coarser one's r
  void add_from(const CoarseLevel& coarser, int first, int last);     // its x, to planes of our x
  double dot(int first, int last) const;                              // r.x

  int nx() const { return nx_; }
  int ny() const { return ny_; }
  int nz() const { return nz_; }
  std::size_t nodes() const { return static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_ * nz_); }
  std::size_t index(int i, int j, int k) const {
    return margin_ +
           (static_cast<std::size_t>(k) * static_cast<std::size_t>(ny_) + static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(nx_) +
           static_cast<std::size_t>(i);
  }
  std::size_t offset(std::size_t corner) const {  // of a cell's corner from its lowest
    return (corner & 1) + ((corner >> 1) & 1) * static_cast<std::size_t>(nx_) +
           (corner >> 2) * static_cast<std::size_t>(nx_ * ny_);
  }
  bool is_active(std::size_t node) const { return kind_[node] >= 0; }
  double stiffness_over_mass() const { return stiffness_over_mass_; }
  // Calls visit(corner, node, weight) for the hats over a place.
  template <typename Visit>
  void for_hats(const Vec3& place, const Visit& visit) const;

  Vectors r, x, t;

 private:
  static constexpr int kCorners = 8, kAround = 27, kOwn = 13;
  using Block = Eigen::Array<float, 4, 3>;  // columns of a 3x3 matrix, and zeros below
  using Row = std::array<Block, kAround>;
  using Element = Eigen::Matrix<double, 24, 24>;
  struct Springs {
    std::array<float, kAround> stiffness{}, damping{};
  };
  static int place_around(int from, int to);  // of a cell's corner `to` around its corner `from`
  Element make_element(const CoarseMaterial& material);
  void sum_row(std::size_t node, std::size_t kind);
  void invert(std::size_t kind);
  Vector smoothed(std::size_t node, const Vector& residual) const;

  int nx_, ny_, nz_;
  double spacing_m_;
  std::size_t margin_;                 // of nodes that are none on both sides of the arrays
  std::vector<float> fill_;            // per cell, at its lowest corner
  std::vector<std::int32_t> kind_;     // of a node's row; 0: all cells full, -1: no cell
  std::vector<std::size_t> node_;      // per kind: where, if it is one node's
  std::vector<Row> rows_;              // per kind
  std::vector<Eigen::Matrix3f> held_;  // per kind: what springs to other nodes add to the block that is inverted
  std::vector<Block> inverse_;         // per kind
  std::vector<Springs> springs_;       // per kind
  std::vector<std::int32_t> touched_;  // kinds with contacts
  std::vector<char> is_touched_;       // per kind
  std::array<std::ptrdiff_t, kAround> around_{};
  CoarseMaterial material_;
  Element element_;
  float smoothing_ = 0.0F;
  double stiffness_over_mass_ = 0.0;
};

template <typename Visit>
void CoarseLevel::for_hats(const Vec3& place, const Visit& visit) const {
  const int count[3] = {nx_, ny_, nz_};
  int first[3];
  double upper[3];  // share of the hat above
  for (int c = 0; c < 3; ++c) {
    first[c] = std::clamp(static_cast<int>(place[c]), 0, count[c] - 2);
    upper[c] = std::clamp(place[c] - first[c], 0.0, 1.0);
  }
  for (int a = 0; a < kCorners; ++a) {
    double weight = 1.0;
    for (int c = 0; c < 3; ++c) weight *= ((a >> c) & 1) != 0 ? upper[c] : 1.0 - upper[c];
    visit(a, index(first[0] + (a & 1), first[1] + ((a >> 1) & 1), first[2] + (a >> 2)), weight);
  }
}

}  // namespace distal
