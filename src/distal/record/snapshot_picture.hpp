// Pictures of a moment, as in figures 2 and 6 of paper 1: the shaded surface, and the boundary springs with the rod.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "distal/record/history.hpp"
#include "distal/record/painter.hpp"

namespace distal {

struct Snapshot {
  std::string caption, moment;  // what it shows; its time and depth
  std::shared_ptr<const Frame> frame;
};

// Nothing in it deforms.
bool is_rigid(const History& history);
// Up to four moments that tell the story: start, first contact, half depth, deepest. Without a depth evenly spaced, and
// eight where rigid bodies touch.
std::vector<Snapshot> choose_snapshots(const History& history);

// Viewpoint, scale and colours that the pictures of a run share, so that they can be compared.
struct PictureScale {
  View view;
  double largest_displacement_m = 0.0;
  double largest_force_n = 0.0, largest_torque_n_m = 0.0;  // of the tip wrench
};
PictureScale common_scale(const std::vector<Snapshot>& snapshots);

std::string surface_picture_svg(const Snapshot& snapshot, const PictureScale& scale);
bool has_lattice(const Frame& frame);
std::string lattice_picture_svg(const Snapshot& snapshot, const PictureScale& scale);

}  // namespace distal
