#include "distal/view/recorded_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "distal/core/error.hpp"
#include "distal/model/expand_hands.hpp"
#include "distal/record/contact_table.hpp"
#include "distal/record/series_table.hpp"
#include "distal/view/patches.hpp"
#include "distal/view/pointer.hpp"

namespace distal {
namespace {

struct BodyWords {
  const char* kind;
  bool soft, moves;
};

BodyWords words_of(const FingertipDescription&) { return {"fingertip", true, true}; }
BodyWords words_of(const BlockDescription&) { return {"block", true, false}; }
BodyWords words_of(const TetDescription&) { return {"tet", true, false}; }
BodyWords words_of(const StrandDescription&) { return {"strand", true, false}; }
BodyWords words_of(const PlaneDescription&) { return {"plane", false, false}; }
BodyWords words_of(const RigidDescription& d) { return {"rigid", false, d.mount != Mount::fixed}; }
BodyWords words_of(const HandDescription&) { return {"hand", false, true}; }

// As with_pointer() makes it. Where it is parked, far away, nobody wants to see it.
bool is_pointer(const std::string& name, const BodyDescription& body) {
  const auto* rigid = std::get_if<RigidDescription>(&body);
  return rigid != nullptr && name.starts_with(kPointerName) && rigid->mount == Mount::driven &&
         rigid->shape == RigidShapeKind::sphere;
}

// Points of a file belong to one body after the other; a body begins with the first point of its cells.
std::vector<std::int32_t> bodies_of_points(std::size_t points, const auto& cells,
                                           const std::vector<std::int32_t>& body_of_cell) {
  std::vector<std::int32_t> body_of_point(points, body_of_cell.empty() ? 0 : body_of_cell.front());
  std::map<std::int32_t, std::int32_t> first_point;
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (const std::int32_t point : cells[c]) {
      const auto found = first_point.try_emplace(body_of_cell[c], point).first;
      found->second = std::min(found->second, point);
    }
  for (const auto& [body, first] : first_point) std::fill(body_of_point.begin() + first, body_of_point.end(), body);
  return body_of_point;
}

// The square of a file that stands for a plane, made wide enough for what stands on it.
void widen_ground(std::vector<Vec3>& square, const Aabb& things) {
  if (square.empty() || things.min.x() > things.max.x()) return;
  Vec3 centre = Vec3::Zero();
  for (const Vec3& p : square) centre += p / static_cast<double>(square.size());
  double half = 0.0;
  for (const Vec3& p : square) half = std::max(half, (p - centre).cwiseAbs().maxCoeff());
  const double wanted =
      (things.max - things.min).maxCoeff() + (0.5 * (things.min + things.max) - centre).head<2>().norm();
  if (half <= 0.0 || half >= wanted) return;
  for (Vec3& p : square) p = centre + wanted / half * (p - centre);
}

}  // namespace

RecordedRun::RecordedRun(const std::filesystem::path& folder, const std::string& version) {
  if (!std::filesystem::exists(folder / "run.pvd"))
    throw InputError(fmt::format(
        "{}: holds no frames of a run (run.pvd); record.frames_per_s says how many are written", folder.string()));
  Scene scene = load_scene(folder / "scene.toml");
  scene.model = expand_hands(scene.model);
  files_ = load_frame_list(folder);
  leave_out_missing(folder);
  scene_.program = "distal " + version;
  scene_.title = scene.model.title.empty() ? folder.filename().string() : scene.model.title;
  scene_.mode = ViewMode::recorded;
  scene_.period_s = scene.run.control_period_s;
  scene_.duration_s = files_.back().time_s;
  scene_.gravity_m_s2 = scene.model.gravity_m_s2;
  for (const FrameFiles& frame : files_) scene_.times_s.push_back(frame.time_s);
  const Bodies bodies = add_bodies(scene);
  if (!files_.front().surface.empty()) add_surfaces(bodies);
  add_fields(scene);
  if (!files_.front().lattice.empty()) add_lattices(bodies);
  if (!files_.front().rigid.empty()) add_rigid(bodies);
  read_series(folder);
}

void RecordedRun::leave_out_missing(const std::filesystem::path& folder) {
  missing_ = std::erase_if(files_, [](const FrameFiles& frame) {
    const auto gone = [](const std::filesystem::path& file) {
      std::error_code ignored;
      return !file.empty() && !std::filesystem::exists(file, ignored);
    };
    return gone(frame.surface) || gone(frame.lattice) || gone(frame.rigid);
  });
  if (files_.empty())
    throw InputError(
        fmt::format("{}: none of the {} frames that it lists is there", (folder / "run.pvd").string(), missing_));
}

// Viewers see bodies that move first, as in a live scene; files number soft bodies first.
RecordedRun::Bodies RecordedRun::add_bodies(const Scene& scene) {
  Bodies soft, others;
  for (const bool block : {false, true})
    for (const auto& [name, body] : scene.model.bodies) {
      const BodyWords words = std::visit([](const auto& d) { return words_of(d); }, body);
      if (block != (words.soft && !words.moves)) continue;
      scene_.bodies.push_back({name, words.kind, words.moves, false});
      initial_pose_.push_back(std::visit(
          [](const auto& d) {
            return Pose{d.placement.position_m, d.placement.q_xyzw};
          },
          body));
    }
  for (const auto& [name, body] : scene.model.bodies) {
    const BodyWords words = std::visit([](const auto& d) { return words_of(d); }, body);
    const auto place =
        std::find_if(scene_.bodies.begin(), scene_.bodies.end(), [&](const ViewBody& b) { return b.name == name; });
    const auto index = static_cast<std::size_t>(place - scene_.bodies.begin());
    (words.soft ? soft : others).push_back(index);
    if (is_pointer(name, body))
      scene_.pointer = ViewPointer{static_cast<int>(index), std::get<RigidDescription>(body).radius_m};
  }
  soft.insert(soft.end(), others.begin(), others.end());
  return soft;
}

void RecordedRun::add_part(ViewPart part, PartSource source) {
  part.vertices = source.chosen.size();
  scene_.parts.push_back(std::move(part));
  sources_.push_back(std::move(source));
}

void RecordedRun::add_meshes(const VtuGrid& grid, const Bodies& bodies, std::filesystem::path FrameFiles::*file) {
  const auto body_of_point = bodies_of_points(grid.points.size(), grid.triangles, grid.triangle_body);
  Aabb things;
  for (std::size_t p = 0; p < grid.points.size(); ++p) {
    const auto number = static_cast<std::size_t>(body_of_point[p]);
    if (number >= bodies.size()) continue;
    const std::size_t body = bodies[number];
    const bool parked = scene_.pointer && scene_.pointer->body == static_cast<int>(body);
    if (scene_.bodies[body].kind != "plane" && !parked) things.add(grid.points[p]);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    PartSource source{file, grid.points.size(), {}, {}};
    std::vector<std::uint32_t> place(grid.points.size());
    for (std::size_t p = 0; p < grid.points.size(); ++p) {
      place[p] = static_cast<std::uint32_t>(source.chosen.size());
      if (body_of_point[p] == static_cast<std::int32_t>(b)) source.chosen.push_back(p);
    }
    if (source.chosen.empty()) continue;
    ViewPart part;
    part.body = static_cast<int>(bodies[b]);
    for (std::size_t t = 0; t < grid.triangles.size(); ++t)
      if (grid.triangle_body[t] == static_cast<std::int32_t>(b))
        for (const std::int32_t point : grid.triangles[t])
          part.indices.push_back(place[static_cast<std::size_t>(point)]);
    const std::string& kind = scene_.bodies[bodies[b]].kind;
    part.has_colours = file == &FrameFiles::surface;
    part.role = part.has_colours      ? ViewRole::surface
                : kind == "fingertip" ? ViewRole::rod
                : kind == "plane"     ? ViewRole::ground
                                      : ViewRole::rigid;
    if (part.indices.empty()) part.shape = ViewShape::points_and_lines;
    if (kind == "plane") {
      part.motion = ViewMotion::fixed;
      for (const std::size_t p : source.chosen) part.rest_m.push_back(grid.points[p]);
      widen_ground(part.rest_m, things);
    }
    add_part(std::move(part), std::move(source));
  }
}

void RecordedRun::add_surfaces(const Bodies& bodies) {
  add_meshes(load_vtu(files_.front().surface), bodies, &FrameFiles::surface);
}

// The first field of every body, as in a live scene.
void RecordedRun::add_fields(const Scene& scene) {
  for (std::size_t p = 0; p < sources_.size(); ++p) {
    const std::string& body = scene_.bodies[static_cast<std::size_t>(scene_.parts[p].body)].name;
    const auto& fields = scene.model.fields;
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.second.body == body; });
    if (found == fields.end()) continue;
    sources_[p].field = found->first;
    scene_.parts[p].field = name_with_unit(found->first);
  }
}

void RecordedRun::add_rigid(const Bodies& bodies) {
  add_meshes(load_vtu(files_.front().rigid), bodies, &FrameFiles::rigid);
}

// Of the particles only those that springs connect: the boundary.
void RecordedRun::add_lattices(const Bodies& bodies) {
  const VtuGrid grid = load_vtu(files_.front().lattice);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    PartSource source{&FrameFiles::lattice, grid.points.size(), {}, {}};
    std::map<std::int32_t, std::uint32_t> place;
    ViewPart part;
    for (std::size_t l = 0; l < grid.lines.size(); ++l) {
      if (grid.line_body[l] != static_cast<std::int32_t>(b)) continue;
      for (const std::int32_t point : grid.lines[l]) {
        const auto [found, fresh] = place.try_emplace(point, static_cast<std::uint32_t>(source.chosen.size()));
        if (fresh) source.chosen.push_back(static_cast<std::size_t>(point));
        part.indices.push_back(found->second);
      }
    }
    if (source.chosen.empty()) continue;
    part.body = static_cast<int>(bodies[b]);
    part.role = ViewRole::lattice;
    part.shape = ViewShape::points_and_lines;
    add_part(std::move(part), std::move(source));
  }
}

void RecordedRun::read_series(const std::filesystem::path& folder) {
  std::vector<std::string> names;
  std::vector<std::size_t> commanded;
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    if (!scene_.bodies[b].commanded) continue;
    names.push_back(scene_.bodies[b].name);
    commanded.push_back(b);
  }
  const std::vector<std::string> files = series_file_names(names);
  for (std::size_t i = 0; i < files.size(); ++i)
    series_[commanded[i]] = load_series_at(folder / "series" / files[i], scene_.times_s);
  energy_residual_ = load_energy_residual_at(folder / "energy.csv", scene_.times_s);
  read_patches(folder / "contacts.csv");
}

void RecordedRun::read_patches(const std::filesystem::path& file) {
  patches_.resize(files_.size());
  scene_.has_patches = std::filesystem::exists(file);
  if (!scene_.has_patches) return;
  const auto number = [&](const std::string& name) {
    const auto body =
        std::find_if(scene_.bodies.begin(), scene_.bodies.end(), [&](const ViewBody& one) { return one.name == name; });
    if (body == scene_.bodies.end())
      throw InputError(fmt::format("{}: the scene has no body \"{}\"", file.string(), name));
    return static_cast<int>(body - scene_.bodies.begin());
  };
  const auto rows = load_contacts_at(file, scene_.times_s);
  for (std::size_t f = 0; f < rows.size(); ++f)
    for (const ContactRow& row : rows[f])
      patches_[f].push_back(make_view_patch(row.contact, row.use, number(row.body_a), number(row.body_b)));
}

std::size_t RecordedRun::frame_at(double time_s) const {
  constexpr double kRounding_s = 1e-9;
  const auto after = std::upper_bound(scene_.times_s.begin(), scene_.times_s.end(), time_s + kRounding_s);
  return after == scene_.times_s.begin() ? 0 : static_cast<std::size_t>(after - scene_.times_s.begin()) - 1;
}

bool RecordedRun::parked(const ViewMoment& moment, std::size_t part) const {
  const auto body = static_cast<std::size_t>(scene_.parts[part].body);
  return scene_.pointer && scene_.parts[part].body == scene_.pointer->body &&
         moment.bodies[body].reading.feedback.pose.position == initial_pose_[body].position;
}

ViewMoment RecordedRun::numbers(std::size_t frame) const {
  ViewMoment moment;
  moment.time_s = files_[frame].time_s;
  moment.standing.energy_residual = energy_residual_[frame];
  moment.bodies.resize(scene_.bodies.size());
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    moment.bodies[b].reading.feedback.pose = initial_pose_[b];
    const auto rows = series_.find(b);
    if (rows == series_.end()) continue;
    const SeriesRow& row = rows->second[frame];
    moment.bodies[b].reading = row.reading;
    moment.bodies[b].command = row.command.wrench;
    if (row.reading.feedback.time_s + scene_.period_s < moment.time_s)
      moment.standing.message = fmt::format("The numbers of {} end at {} s: those of this moment are missing.",
                                            scene_.bodies[b].name, row.reading.feedback.time_s);
  }
  moment.parts.resize(scene_.parts.size());
  moment.patches = patches_[frame];
  add_patch_forces(scene_, moment);
  return moment;
}

ViewMoment RecordedRun::load(std::size_t frame) const {
  const FrameFiles& files = files_[frame];
  ViewMoment moment = numbers(frame);
  for (const auto file : {&FrameFiles::surface, &FrameFiles::lattice, &FrameFiles::rigid}) {
    if ((files.*file).empty()) continue;
    const VtuGrid grid = load_vtu(files.*file);
    for (std::size_t p = 0; p < sources_.size(); ++p) {
      const PartSource& source = sources_[p];
      if (source.file != file || parked(moment, p)) continue;
      if (grid.points.size() != source.points)
        throw InputError(fmt::format("{}: has other points than the first frame", (files.*file).string()));
      ViewPartMoment& part = moment.parts[p];
      const auto field = std::find_if(grid.scalars.begin(), grid.scalars.end(),
                                      [&](const auto& scalars) { return scalars.name == source.field; });
      for (const std::size_t point : source.chosen) {
        part.positions_m.push_back(grid.points[point]);
        if (!grid.scalars.empty()) part.pressure_pa.push_back(grid.scalars[0].values[point]);
        if (field != grid.scalars.end()) part.field.push_back(field->values[point]);
        if (!grid.vectors.empty()) part.displacement_m.push_back(grid.vectors[0].values[point].norm());
      }
    }
    if (file == &FrameFiles::surface && grid.vectors.size() == 2)
      for (std::size_t p = 0; p < grid.points.size(); ++p)
        if (grid.vectors[1].values[p] != Vec3::Zero())
          moment.contacts.push_back({grid.points[p], grid.vectors[1].values[p]});
  }
  return moment;
}

}  // namespace distal
