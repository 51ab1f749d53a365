#include <fmt/format.h>

#include <cmath>
#include <map>
#include <utility>

#include "distal/controller/channel.hpp"
#include "distal/scenario/fields.hpp"
#include "distal/scenario/scene_checks.hpp"

namespace distal {
namespace {

bool is_driven(const Scene& scene, const std::string& name) {
  for (const auto& [known, body] : scene.model.bodies) {
    if (known != name) continue;
    if (const auto* tip = std::get_if<FingertipDescription>(&body)) return tip->mount == Mount::driven;
    if (const auto* rigid = std::get_if<RigidDescription>(&body)) return rigid->mount == Mount::driven;
  }
  return false;
}

bool changes_forces(const ChannelDescription& channel) {
  const auto changes = [](const Imperfection& i) {
    return i.noise > 0.0 || !i.bias.isZero(0.0) || i.quantisation > 0.0 || std::isfinite(i.limit) ||
           std::isfinite(i.rate);
  };
  return changes(channel.linear) || changes(channel.angular) || std::isfinite(channel.filter_hz);
}

}  // namespace

void check_channels(const Scene& scene, PlacedProblems& problems) {
  std::map<std::pair<std::string, Signal>, std::string> seen;
  for (const auto& [name, channel] : scene.channels) {
    const std::string path = "channel." + name;
    const auto [other, is_first] = seen.emplace(std::pair(channel.body, channel.signal), name);
    if (!is_first) {
      problems.add(path,
                   fmt::format("channel.{} already carries the {} of body.{}, allowed: one channel each", other->second,
                               channel_types()[static_cast<std::size_t>(channel.signal)], channel.body));
    }
    const double late_s = channel.latency_s + channel.jitter_s,
                 longest_s = kMostPeriodsInFlight * scene.run.control_period_s;
    if (late_s > longest_s) {
      problems.add(path + ".latency_s",
                   fmt::format("latency_s + jitter_s is {} s, allowed: at most {:.0f} control periods, {} s", late_s,
                               kMostPeriodsInFlight, longest_s),
                   {path + ".jitter_s", "run.control_period_s"});
    }
    // The motion of a driven body is imposed: no force of a command could be limited or noisy.
    if (channel.signal == Signal::command && changes_forces(channel) && is_driven(scene, channel.body)) {
      problems.add(path,
                   fmt::format("body.{} is driven, so its command has no force to change; allowed: latency_s, "
                               "jitter_s, drop_out_share",
                               channel.body),
                   {path + ".body"});
    }
  }
}

}  // namespace distal
