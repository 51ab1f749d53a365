#include "distal/run/soft_measures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "distal/core/error.hpp"
#include "distal/sensor/body_measures.hpp"
#include "distal/sensor/skin.hpp"

namespace distal {
namespace {

std::size_t soft_index_of(const Model& model, const std::string& sensor, const std::string& body) {
  const auto found =
      std::find_if(model.soft.begin(), model.soft.end(), [&](const SoftBody& s) { return s.name == body; });
  if (found == model.soft.end()) throw InputError(fmt::format("sensor.{}.body: '{}' is not a soft body", sensor, body));
  return static_cast<std::size_t>(found - model.soft.begin());
}

std::vector<std::string> series_headings(std::size_t points) {
  std::vector<std::string> headings = {"time_s"};
  for (std::size_t i = 0; i < points; ++i)
    for (const char* value : {"x", "y", "z", "ux", "uy", "uz"}) headings.push_back(fmt::format("{}_{}_m", value, i));
  return headings;
}

PointsAtState look_at_points(const Model& model, std::size_t soft, const SurfacePoints& points, const State& state) {
  const SoftBody& body = model.soft[soft];
  const Pose carrying = carrying_pose(model, body, state);
  PointsAtState now;
  now.frame = carrying;
  now.positions_m = find_point_positions(body, points, state);
  for (std::size_t i = 0; i < points.size(); ++i)
    now.displacements_m.push_back(now.positions_m[i] - carrying.to_world(points.rest_m[i]));
  return now;
}

}  // namespace

SoftMeasures::SoftMeasures(const Scene& scene, const Model& model) {
  if (scene.motion) direction_ = scene.motion->direction.normalized();
  for (const auto& [name, sensor] : scene.sensors) add_sensor(model, name, sensor);
  for (std::size_t s = 0; s < model.soft.size(); ++s)
    if (const std::optional<double> rest = measure_rest_volume(model.soft[s])) {
      volumes_.push_back(s);
      empty_.volumes.push_back({model.soft[s].name, *rest, *rest});
    }
  results_ = empty_;
}

void SoftMeasures::add_sensor(const Model& model, const std::string& name, const SensorDescription& sensor) {
  const std::string where = "sensor." + name;
  if (const auto* d = std::get_if<PointsDescription>(&sensor)) {
    const std::size_t soft = soft_index_of(model, name, d->body);
    Points points{soft, find_surface_points(model.soft[soft], d->points_m, where + ".points_m"), std::nullopt,
                  find_length(model.soft[soft])};
    if (!d->measured_file.empty()) points.measured = load_measured_points(d->measured_file, d->points_m.size());
    points_.push_back(std::move(points));
    empty_.points.push_back({name, d->body, {}});
  } else if (const auto* d = std::get_if<ContourDescription>(&sensor)) {
    cuts_.push_back({soft_index_of(model, name, d->body), d->point_m, d->normal.normalized()});
    empty_.contours.push_back({name, d->body, Vec3::Zero(), {}, {}});
  } else if (const auto* d = std::get_if<CompressionDescription>(&sensor)) {
    const SoftBody& body = model.soft[soft_index_of(model, name, d->body)];
    const PressedSide side = find_pressed_side(body, body.initial_pose.q.conjugate() * direction_, where);
    empty_.compressions.push_back({name, d->body, side.area_m2, side.height_m, {}, {}});
  }
}

void SoftMeasures::clear() { results_ = empty_; }

void SoftMeasures::open(const OutputFolder& folder) {
  clear();
  series_.clear();
  points_table_.reset();
  contour_table_.reset();
  for (std::size_t i = 0; i < points_.size(); ++i)
    series_.emplace_back(folder.folder("series") / (file_name_of(results_.points[i].name) + ".csv"),
                         series_headings(points_[i].points.size()));
  if (!points_.empty())
    points_table_.emplace(folder.path() / "points.csv",
                          std::vector<std::string>{"sensor", "state", "phase", "force_n", "depth_m", "point", "x_m",
                                                   "y_m", "z_m", "ux_m", "uy_m", "uz_m"});
  if (!cuts_.empty())
    contour_table_.emplace(folder.path() / "contour.csv",
                           std::vector<std::string>{"sensor", "state", "line", "x_m", "y_m", "z_m"});
}

void SoftMeasures::add_period(const Model& model, const State& state) {
  for (std::size_t i = 0; i < series_.size(); ++i) {
    const PointsAtState now = look_at_points(model, points_[i].soft, points_[i].points, state);
    series_[i].add(state.time_s);
    for (std::size_t p = 0; p < now.positions_m.size(); ++p) {
      series_[i].add(now.positions_m[p]);
      series_[i].add(now.displacements_m[p]);
    }
    series_[i].end_row();
  }
}

void SoftMeasures::add_state(const Model& model, const State& state, const SettledState& settled) {
  results_.states.push_back(settled);
  for (std::size_t i = 0; i < points_.size(); ++i) add_points(i, model, state, settled);
  for (std::size_t i = 0; i < cuts_.size(); ++i) add_contour(i, model, state);
  for (CompressionResult& test : results_.compressions) {
    test.strain.push_back(settled.depth_m / test.height_m);
    test.stress_pa.push_back(settled.force_n / test.area_m2);
    test.youngs_modulus_pa = initial_slope(test.strain, test.stress_pa);
  }
  update_volumes(model, state);
}

void SoftMeasures::add_points(std::size_t sensor, const Model& model, const State& state, const SettledState& settled) {
  const Points& set = points_[sensor];
  PointsAtState now = look_at_points(model, set.soft, set.points, state);
  if (set.measured)
    compare_points(set.measured->of_state(results_.states.size(), settled.force_n), set.measured->are_displacements,
                   set.points.rest_m, now.frame, set.length_m, now);
  for (std::size_t p = 0; points_table_ && p < now.positions_m.size(); ++p) {
    points_table_->add(std::string_view(results_.points[sensor].name));
    points_table_->add(results_.states.size());
    points_table_->add(std::string_view(settled.phase));
    points_table_->add(settled.force_n);
    points_table_->add(settled.depth_m);
    points_table_->add(p);
    points_table_->add(now.positions_m[p]);
    points_table_->add(now.displacements_m[p]);
    points_table_->end_row();
  }
  results_.points[sensor].states.push_back(std::move(now));
}

void SoftMeasures::add_contour(std::size_t sensor, const Model& model, const State& state) {
  const Cut& cut = cuts_[sensor];
  const SoftBody& body = model.soft[cut.soft];
  const Pose carrying = carrying_pose(model, body, state);
  const Vec3 point = carrying.to_world(cut.point_m), normal = carrying.q * cut.normal;
  TriangleMesh surface{{}, body.skin_triangles};
  ContourResult& result = results_.contours[sensor];
  if (result.states.empty()) {
    for (const Vec3& rest : body.skin_rest_m) surface.vertices.push_back(carrying.to_world(rest));
    result.normal = normal;
    result.rest = find_contour(surface, point, normal);
    add_contour_rows(result.name, 0, result.rest);
  }
  SkinView view;
  find_skin_positions(body, state, view);
  surface.vertices = view.positions;
  result.states.push_back(find_contour(surface, point, normal));
  add_contour_rows(result.name, result.states.size(), result.states.back());
}

void SoftMeasures::add_contour_rows(const std::string& name, std::size_t state, const std::vector<Polyline>& lines) {
  for (std::size_t line = 0; contour_table_ && line < lines.size(); ++line)
    for (const Vec3& point : lines[line]) {
      contour_table_->add(std::string_view(name));
      contour_table_->add(state);
      contour_table_->add(line);
      contour_table_->add(point);
      contour_table_->end_row();
    }
}

void SoftMeasures::update_volumes(const Model& model, const State& state) {
  for (std::size_t i = 0; i < volumes_.size(); ++i) {
    VolumeResult& volume = results_.volumes[i];
    volume.volume_m3 = *measure_volume(model.soft[volumes_[i]], state);
    volume.largest_error = std::max(volume.largest_error, volume.error());
  }
}

MeasureResults SoftMeasures::finish(const Model& model, const State& state) {
  if (results_.states.empty()) add_state(model, state, {state.time_s, "end"});
  update_volumes(model, state);
  return results_;
}

std::vector<std::string> SoftMeasures::missing() const {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!points_[i].measured) continue;
    double last = -1.0;
    for (const MeasuredPoint& row : points_[i].measured->rows) {
      bool found = row.at == last;
      last = row.at;
      for (std::size_t s = 0; s < results_.states.size() && !found; ++s)
        for (const MeasuredPoint& of : points_[i].measured->of_state(s + 1, results_.states[s].force_n))
          found = found || of.at == row.at;
      if (!found)
        notes.push_back(fmt::format("sensor.{}: the run has no settled state for the measured {} {}",
                                    results_.points[i].name, points_[i].measured->by_force ? "force_n" : "state",
                                    row.at));
    }
  }
  return notes;
}

}  // namespace distal
