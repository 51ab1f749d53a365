#include "distal/record/frame_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "distal/core/step_back.hpp"

namespace distal {
namespace {

constexpr std::size_t kMostWaiting = 16;

void append_mesh(VtuGrid& grid, const TriangleMesh& mesh, int body) {
  const auto first = static_cast<std::int32_t>(grid.points.size());
  grid.points.insert(grid.points.end(), mesh.vertices.begin(), mesh.vertices.end());
  for (const auto& [a, b, c] : mesh.triangles) grid.triangles.push_back({first + a, first + b, first + c});
  grid.triangle_body.resize(grid.triangles.size(), body);
}

template <typename T>
void append_padded(std::vector<T>& all, const std::vector<T>& values, std::size_t total, const T& filler) {
  all.insert(all.end(), values.begin(), values.end());
  all.resize(total, filler);
}

VtuGrid soft_surfaces(std::span<const BodySnapshot> bodies) {
  VtuGrid grid;
  grid.scalars = {{"pressure_pa", {}}};
  grid.vectors = {{"displacement_m", {}}, {"contact_force_n", {}}};
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    if (bodies[body].pressure_pa.empty()) continue;
    append_mesh(grid, bodies[body].surface, static_cast<int>(body));
    const std::size_t total = grid.points.size();
    append_padded(grid.scalars[0].values, bodies[body].pressure_pa, total, 0.0);
    for (const auto& [name, values] : bodies[body].fields) {
      auto found =
          std::find_if(grid.scalars.begin(), grid.scalars.end(), [&](const auto& s) { return s.name == name; });
      if (found == grid.scalars.end()) found = grid.scalars.insert(grid.scalars.end(), {name, {}});
      found->values.resize(total - bodies[body].surface.vertices.size(), 0.0);
      append_padded(found->values, values, total, 0.0);
    }
    append_padded(grid.vectors[0].values, bodies[body].displacement_m, total, Vec3(Vec3::Zero()));
    append_padded(grid.vectors[1].values, bodies[body].contact_force_n, total, Vec3(Vec3::Zero()));
  }
  for (VtuGrid::Scalars& scalars : grid.scalars) scalars.values.resize(grid.points.size(), 0.0);
  return grid;
}

VtuGrid lattices(std::span<const BodySnapshot> bodies) {
  VtuGrid grid;
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    const BodySnapshot& snapshot = bodies[body];
    const auto first = static_cast<std::int32_t>(grid.points.size());
    grid.points.insert(grid.points.end(), snapshot.particles.begin(), snapshot.particles.end());
    for (std::int32_t i = first; i < static_cast<std::int32_t>(grid.points.size()); ++i) grid.vertices.push_back(i);
    for (const auto& [a, b] : snapshot.springs) grid.lines.push_back({first + a, first + b});
    grid.vertex_body.resize(grid.vertices.size(), static_cast<int>(body));
    grid.line_body.resize(grid.lines.size(), static_cast<int>(body));
  }
  return grid;
}

VtuGrid rigid_parts(std::span<const BodySnapshot> bodies) {
  VtuGrid grid;
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    append_mesh(grid, bodies[body].rod, static_cast<int>(body));
    if (bodies[body].pressure_pa.empty()) append_mesh(grid, bodies[body].surface, static_cast<int>(body));
  }
  return grid;
}

}  // namespace

void FrameWriter::add(std::shared_ptr<const Frame> frame) {
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { serve(stop); });
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting || problem_; });
  throw_problem();
  waiting_.push_back(std::move(frame));
  changed_.notify_all();
}

void FrameWriter::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return waiting_.empty() || problem_; });
  throw_problem();
  if (listed_ < frames_) write_index();
}

void FrameWriter::throw_problem() {
  if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
}

void FrameWriter::serve(const std::stop_token& stop) {
  step_back();
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    const std::shared_ptr<const Frame> frame = waiting_.front();
    lock.unlock();
    std::exception_ptr problem;
    try {
      write(*frame);
    } catch (...) { problem = std::current_exception(); }
    lock.lock();
    if (problem) problem_ = problem, waiting_.clear();
    if (!waiting_.empty()) waiting_.pop_front();
    changed_.notify_all();
  }
}

void FrameWriter::write(const Frame& frame) {
  folder_.folder("frames");
  std::size_t part = 0;
  const auto write_part = [&](const char* name, const VtuGrid& grid) {
    const std::size_t number = part++;
    if (grid.points.empty()) return;
    const std::string file = fmt::format("frames/{}_{:06}.vtu", name, frames_);
    KnownCells& known = known_[number];
    if (known.text.empty() || known.cells != grid) known = {grid, vtu_cells_text(grid)};
    folder_.write_file(file, vtu_text(grid, known.text));
    entries_ += fmt::format("<DataSet timestep=\"{}\" part=\"{}\" file=\"{}\"/>\n", frame.time_s, number, file);
  };
  write_part("surface", soft_surfaces(frame.bodies));
  write_part("lattice", lattices(frame.bodies));
  write_part("rigid", rigid_parts(frame.bodies));
  ++frames_;
  // Listing every frame at once would cost the square of their number; so a killed run may miss the last 1/64.
  if (frames_ - listed_ >= std::max<std::size_t>(1, frames_ / 64)) write_index();
}

void FrameWriter::write_index() {
  folder_.write_file("run.pvd",
                     "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" "
                     "byte_order=\"LittleEndian\">\n<Collection>\n" +
                         entries_ + "</Collection>\n</VTKFile>\n");
  listed_ = frames_;
}

}  // namespace distal
