#include "distal/study/point_data.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "distal/core/error.hpp"
#include "distal/core/nearest_name.hpp"

namespace distal {
namespace {

constexpr std::array<const char*, 3> kPlaces = {"x", "y", "z"}, kDisplacements = {"ux", "uy", "uz"};

bool has_any(const LabData& data, const std::array<const char*, 3>& names) {
  for (const char* name : names)
    if (data.has(name)) return true;
  return false;
}

void find_sensor(const Scene& scene, const std::string& asked, PointData& found) {
  std::vector<std::string_view> names;
  for (const auto& [name, sensor] : scene.sensors) {
    const auto* points = std::get_if<PointsDescription>(&sensor);
    if (points == nullptr) continue;
    names.push_back(name);
    if (!asked.empty() && asked != name) continue;
    found.sensor = name;
    found.description = points;
  }
  if (names.empty())
    throw InputError(
        "the data have points, and the scene no [sensor.NAME] with type = \"points\" that says where on the body they "
        "are");
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  if (found.description == nullptr)
    throw InputError(fmt::format("--sensor {}: the scene has no such sensor of type = \"points\"{}; it has: {}", asked,
                                 suggestion(asked, names), list));
  if (asked.empty() && names.size() > 1)
    throw InputError(fmt::format("which sensor's points were measured? Choose with --sensor NAME: {}", list));
}

std::vector<std::size_t> read_numbers(const LabData& data, const PointData& found) {
  const std::size_t count = found.description->points_m.size();
  if (!data.has("point")) {
    if (count != 1)
      throw InputError(
          fmt::format("the data have displacements of points and no column that says of which: --columns point=HEADER, "
                      "0 to {} for points_m of sensor.{}",
                      count - 1, found.sensor));
    const auto& any = has_any(data, kDisplacements) ? kDisplacements : kPlaces;
    for (const char* name : any)
      if (data.has(name)) return std::vector<std::size_t>(data.values(name).size(), 0);
  }
  std::vector<std::size_t> points;
  const std::vector<double> values = data.values("point");
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (!(values[row] >= 0.0 && values[row] < static_cast<double>(count) && values[row] == std::floor(values[row])))
      throw InputError(fmt::format("{}: point {}, allowed: 0 to {}, as in points_m of sensor.{}; nearest: {}",
                                   data.place(row), values[row], count - 1, found.sensor,
                                   std::lround(std::min(std::max(values[row], 0.0), static_cast<double>(count - 1)))));
    points.push_back(static_cast<std::size_t>(values[row]));
  }
  return points;
}

}  // namespace

std::unique_ptr<PointData> read_point_data(const Scene& scene, const LabData& data, const std::string& sensor) {
  const bool displacements = has_any(data, kDisplacements), places = has_any(data, kPlaces);
  if (!data.has("point") && !displacements) return nullptr;  // x alone may be anything
  if (displacements == places)
    throw InputError(fmt::format("the data have {}: choose with --columns; {}",
                                 places ? "places (x, y, z) and displacements (ux, uy, uz) of points"
                                        : "points without places (x, y, z) or displacements (ux, uy, uz)",
                                 data.description()));
  auto found = std::make_unique<PointData>();
  find_sensor(scene, sensor, *found);
  found->points = read_numbers(data, *found);
  for (int axis = 0; axis < 3; ++axis) {
    const char* name = (displacements ? kDisplacements : kPlaces)[static_cast<std::size_t>(axis)];
    if (!data.has(name)) continue;
    PointColumn column{axis, fmt::format("{}_m", kDisplacements[static_cast<std::size_t>(axis)]), data.values(name)};
    for (std::size_t row = 0; places && row < column.displacement_m.size(); ++row)
      column.displacement_m[row] -= found->description->points_m[found->points[row]][axis];
    found->columns.push_back(std::move(column));
  }
  return found;
}

void PointData::add(std::size_t row, const std::string& over, double abscissa,
                    std::vector<Observation>& observations) const {
  for (const PointColumn& column : columns)
    observations.push_back(
        {column.name, over, abscissa, column.displacement_m[row], 1.0, static_cast<int>(points[row])});
}

int axis_of_point(const Observation& one) { return one.name[1] - 'x'; }

}  // namespace distal
