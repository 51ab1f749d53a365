#include <fmt/format.h>

#include <map>

#include "distal/scenario/fields.hpp"
#include "distal/scenario/scene_checks.hpp"

namespace distal {
namespace {

void check_path(const std::string& path, const HandPathDescription& p, PlacedProblems& problems) {
  if (!p.times_s.empty() && p.times_s.size() != p.points_m.size()) {
    return problems.add(
        path + ".times_s",
        fmt::format("found {} values, allowed: as many as points_m has, {}", p.times_s.size(), p.points_m.size()),
        {path + ".points_m"});
  }
  for (std::size_t i = 1; i < p.times_s.size(); ++i) {
    if (p.times_s[i] > p.times_s[i - 1]) continue;
    return problems.add(path + ".times_s",
                        fmt::format("times must rise, but {} s follows {} s", p.times_s[i], p.times_s[i - 1]));
  }
}

}  // namespace

void check_devices(const Scene& scene, PlacedProblems& problems) {
  std::map<int, std::string> ports;
  for (const auto& [name, device] : scene.devices) {
    const std::string path = "device." + name;
    if (device.body.empty() == device.touches.empty()) {
      problems.add(path, device.body.empty() ? "holds and touches nothing, expected: body or touches"
                                             : "body and touches are both given, allowed: one of the two");
    }
    if (device.kind == DeviceKind::scripted && device.path.points_m.empty())
      problems.add(path + ".points_m", "found an empty array, allowed: one point or more");
    check_path(path, device.path, problems);
    if (const auto problem = file_problem(device.file); device.kind == DeviceKind::replay && problem)
      problems.add(path + ".file", *problem);
    if (device.kind == DeviceKind::network && device.port != 0) {
      const auto [other, is_first] = ports.emplace(device.port, name);
      if (!is_first)
        problems.add(path + ".port", fmt::format("device.{} listens at {} too", other->second, device.port));
    }
    // Equation (5) is that integrator's.
    if (!device.touches.empty() && scene.model.integrator.kind != IntegratorKind::semi_implicit_euler) {
      problems.add("integrator.kind",
                   fmt::format("must be \"semi_implicit_euler\", since {}.touches moves points of a skin", path),
                   {path + ".touches"});
    }
  }
}

}  // namespace distal
