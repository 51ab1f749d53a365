// Which moments of a run are shown, and the scale they share.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "distal/record/picture_size.hpp"
#include "distal/record/quantity.hpp"
#include "distal/record/snapshot_picture.hpp"

namespace distal {
namespace {

using FramePointer = std::shared_ptr<const Frame>;

// The kept frame between two others that best splits the way from one to the other.
FramePointer half_way(const History& history) {
  const Frame& from = *history.first_contact;
  const Frame& to = *history.deepest;
  FramePointer best;
  double best_error = 1e300;
  for (const FramePointer& frame : history.frames.values()) {
    if (frame->time_s <= from.time_s || frame->time_s >= to.time_s) continue;
    const double error = std::abs(frame->depth_m - 0.5 * (from.depth_m + to.depth_m));
    if (error < best_error) {
      best_error = error;
      best = frame;
    }
  }
  return best;
}

Snapshot make_snapshot(const char* caption, const FramePointer& frame) {
  std::string moment = fmt::format("t = {:.4g} s", frame->time_s);
  if (frame->depth_m > 0.0) moment += ", depth " + quantity(frame->depth_m, "m");
  return {caption, moment, frame};
}

std::vector<Snapshot> evenly_spaced(const std::vector<FramePointer>& frames, std::size_t most) {
  std::vector<Snapshot> chosen;
  const std::size_t count = std::min(most, frames.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = count == 1 ? 0 : i * (frames.size() - 1) / (count - 1);
    chosen.push_back(make_snapshot(i == 0 ? "start" : i + 1 == count ? "end" : "under way", frames[at]));
  }
  return chosen;
}

}  // namespace

bool is_rigid(const History& history) {
  const auto& frames = history.frames.values();
  const auto rigid = [](const BodySnapshot& body) { return body.kind == "plane" || body.kind == "rigid"; };
  return !frames.empty() && std::all_of(frames.front()->bodies.begin(), frames.front()->bodies.end(), rigid);
}

std::vector<Snapshot> choose_snapshots(const History& history) {
  const auto& frames = history.frames.values();
  if (frames.empty()) return {};
  if (!history.first_contact || history.deepest->depth_m == 0.0)
    return evenly_spaced(frames, history.pair_names.empty() ? 4 : 8);
  std::vector<Snapshot> chosen;
  const auto add = [&](const char* what, const FramePointer& frame) {
    if (frame && (chosen.empty() || chosen.back().frame->time_s < frame->time_s))
      chosen.push_back(make_snapshot(what, frame));
  };
  add("start", frames.front());
  add("first contact", history.first_contact);
  add("half way", half_way(history));
  add("deepest", history.deepest);
  if (chosen.size() < 4) add("end", history.last);
  return chosen;
}

PictureScale common_scale(const std::vector<Snapshot>& snapshots) {
  PictureScale scale;
  scale.view = make_view(0.5, 14.0 * std::numbers::pi / 180.0);
  std::vector<Vec3> points;
  for (const Snapshot& snapshot : snapshots)
    for (const BodySnapshot& body : snapshot.frame->bodies) {
      if (body.kind == "plane") continue;
      points.insert(points.end(), body.surface.vertices.begin(), body.surface.vertices.end());
      points.insert(points.end(), body.rod.vertices.begin(), body.rod.vertices.end());
      for (const Vec3& displacement : body.displacement_m)
        scale.largest_displacement_m = std::max(scale.largest_displacement_m, displacement.norm());
      if (body.kind != "fingertip") continue;
      scale.largest_force_n = std::max(scale.largest_force_n, body.feedback.tip.force.norm());
      scale.largest_torque_n_m = std::max(scale.largest_torque_n_m, body.feedback.tip.torque.norm());
    }
  // A torque that is nothing beside the force at this size is rounding, and gets no long arrow.
  Aabb bounds;
  for (const Vec3& point : points) bounds.add(point);
  if (!points.empty())
    scale.largest_torque_n_m =
        std::max(scale.largest_torque_n_m, 1e-3 * (bounds.max - bounds.min).norm() * scale.largest_force_n);
  // Room above for the arrows and their numbers.
  fit_view(scale.view, points, {picture_width, picture_height - arrow_room}, picture_margin);
  scale.view.origin.y() += arrow_room;
  return scale;
}

}  // namespace distal
