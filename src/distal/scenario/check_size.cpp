#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "distal/core/error.hpp"
#include "distal/geometry/solid.hpp"
#include "distal/model/strand_body.hpp"
#include "distal/scenario/doubts.hpp"
#include "distal/scenario/scene_checks.hpp"

namespace distal {
namespace {

constexpr double kMostParticles = 20e6;
constexpr double kBytesPerParticle = 500.0;
constexpr double kFittingBytes = 4.0 * 1024.0 * 1024.0 * 1024.0;

// Lattice nodes in a box.
double count_particles(const Vec3& extent_m, double cell_size_m) {
  return (extent_m / cell_size_m).array().ceil().operator+(1.0).prod();
}

// The smallest cell size whose particles fit, rounded up to two digits.
double find_fitting_cell_size(const Vec3& extent_m) {
  const double most = kFittingBytes / kBytesPerParticle;
  double cell = std::cbrt(extent_m.prod() / most);
  while (count_particles(extent_m, cell) > most) cell *= 1.005;
  const double unit = std::pow(10.0, std::floor(std::log10(cell)) - 1.0);
  return std::ceil(cell / unit) * unit;
}

std::string in_bytes(double bytes) {
  const char* units[] = {"MB", "GB", "TB", "PB"};
  double value = bytes / 1e6;
  int unit = 0;
  while (value >= 1000.0 && unit < 3) {
    value /= 1000.0;
    ++unit;
  }
  return fmt::format("{:.3g} {}", value, units[unit]);
}

Vec3 find_mesh_extent(const std::string& key, const FingertipDescription& tip, PlacedProblems& problems) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(tip.file, ignored)) return Vec3::Zero();
  try {
    Aabb bounds;
    for (const Vec3& vertex : load_stl(tip.file).vertices) bounds.add(vertex);
    return (bounds.max - bounds.min).cwiseMax(Vec3::Zero());
  } catch (const InputError& error) {
    problems.add(key, error.what());
    return Vec3::Zero();
  }
}

struct SizedBody {
  std::string name;
  Vec3 extent_m;
  double cell_size_m;
  double particles;
  const char* key;  // of the cell size
};

// Nothing for files, which are as large as they are.
Vec3 find_tet_extent(const TetDescription& tet) {
  const double width = 2.0 * tet.radius_m;
  switch (tet.shape) {
    case TetShape::cuboid:
      return tet.size_m;
    case TetShape::cylinder:
      return {width, width, tet.height_m};
    case TetShape::sphere:
      return Vec3::Constant(width);
    case TetShape::capsule:
      return {width, width, tet.height_m + width};
    default:
      return Vec3::Zero();
  }
}

// As long as its centre line, and as thick as makes its nodes fill it.
Vec3 find_strand_extent(const StrandDescription& strand) {
  const double width = 5.0 * find_strand_spacing(strand);
  return {find_strand_length(strand), width, width};
}

std::vector<SizedBody> find_soft_bodies(const Scene& scene, PlacedProblems& problems) {
  std::vector<SizedBody> bodies;
  for (const auto& [name, body] : scene.model.bodies) {
    if (const auto* block = std::get_if<BlockDescription>(&body)) {
      bodies.push_back({name, block->size_m, block->lattice.cell_size_m, 0.0, "cell_size_m"});
    } else if (const auto* tet = std::get_if<TetDescription>(&body)) {
      bodies.push_back({name, find_tet_extent(*tet), tet->edge_m, 0.0, "edge_m"});
    } else if (const auto* strand = std::get_if<StrandDescription>(&body)) {
      bodies.push_back({name, find_strand_extent(*strand), find_strand_spacing(*strand), 0.0, "spacing_m"});
    } else if (const auto* tip = std::get_if<FingertipDescription>(&body)) {
      const double width = 2.0 * tip->tip_radius_m;
      const Vec3 extent = tip->shape == FingertipShape::mesh
                              ? find_mesh_extent(fmt::format("body.{}.file", name), *tip, problems)
                              : Vec3(width, width, tip->tip_length_m + tip->tip_radius_m);
      bodies.push_back({name, extent, tip->lattice.cell_size_m, 0.0, "cell_size_m"});
    }
  }
  for (SizedBody& body : bodies) body.particles = count_particles(body.extent_m, body.cell_size_m);
  return bodies;
}

}  // namespace

void check_size(const Scene& scene, PlacedProblems& problems) {
  const std::vector<SizedBody> bodies = find_soft_bodies(scene, problems);
  double total = 0.0;
  const SizedBody* largest = nullptr;
  for (const SizedBody& body : bodies) {
    total += body.particles;
    if (largest == nullptr || body.particles > largest->particles) largest = &body;
  }
  if (largest == nullptr || total <= kMostParticles) return;
  // Where a length looks like millimetres, the cell is not what is wrong.
  for (const std::string& doubt : find_doubts(scene)) {
    const std::size_t key_end = doubt.find(" = ");
    if (doubt.starts_with(fmt::format("body.{}.", largest->name)) && doubt.find(kIsThatMeant) != std::string::npos)
      problems.add(doubt.substr(0, key_end), "found " + doubt.substr(key_end + 3));
  }
  problems.add(fmt::format("body.{}.{}", largest->name, largest->key),
               fmt::format("found {} m, which makes {:.3g} particles and needs about {} of memory; allowed: {:.0e} "
                           "particles; {} = {:.2g} is the smallest that fits 4 GiB",
                           largest->cell_size_m, total, in_bytes(total * kBytesPerParticle), kMostParticles,
                           largest->key, find_fitting_cell_size(largest->extent_m)),
               {fmt::format("body.{}.size_m", largest->name), fmt::format("body.{}.tip_radius_m", largest->name),
                fmt::format("body.{}.tip_length_m", largest->name), fmt::format("body.{}.radius_m", largest->name),
                fmt::format("body.{}.height_m", largest->name)});
}

}  // namespace distal
