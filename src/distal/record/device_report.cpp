#include "distal/record/device_report.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "distal/core/error.hpp"
#include "distal/record/line_plot.hpp"
#include "distal/record/quantity.hpp"
#include "distal/record/report_plots.hpp"

namespace distal {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kShownUpTo_hz = 20.0;

Json checked(double value) {
  DISTAL_ASSERT(std::isfinite(value));
  return value;
}

Json loop_json(const LoopReport& loop) {
  return {{"loop", loop.name},
          {"period_s", checked(loop.period_s)},
          {"rate_hz", checked(loop.rate_hz)},
          {"periods", loop.periods},
          {"on_time", checked(loop.on_time())},
          {"real_time_priority", loop.real_time_priority},
          {"start_delay_s",
           {{"median", checked(loop.start_delay_p50_s)},
            {"p99_9", checked(loop.start_delay_p999_s)},
            {"worst", checked(loop.start_delay_worst_s)}}}};
}

std::string vector_figure(const DeviceReport& device, std::string title, PlotAxis axis, Vec3 HandInstant::*part) {
  LinePlot plot{std::move(title), {"time", "s"}, std::move(axis), {}};
  constexpr std::array names = {"x", "y", "z"};
  for (int a = 0; a < 3; ++a) {
    PlotLine line{names[static_cast<std::size_t>(a)], a, false, false, {}};
    for (const HandInstant& instant : device.history) line.points.emplace_back(instant.time_s, (instant.*part)[a]);
    plot.lines.push_back(std::move(line));
  }
  return figure(plot.title, "", line_plot_svg(plot));
}

std::string spectrum_figure(const Tremor& tremor) {
  if (tremor.spectrum.segments == 0) return {};
  LinePlot plot{"Spectrum of the hand's way", {"frequency", "Hz"}, {"amplitude of a sine", "m"}, {}};
  PlotLine line{"", 0, false, false, {}};
  // The amplitude that a sine under the window would need, so that a tremor is read off its peak.
  const double bandwidth_hz = 1.5 * tremor.spectrum.step_hz;
  for (std::size_t bin = 1; bin < tremor.spectrum.density.size(); ++bin) {
    const double frequency = tremor.spectrum.frequency_hz(bin);
    // What is slower is the way itself and would hide the rest.
    if (frequency < 0.5 * kTremorLow_hz || frequency > kShownUpTo_hz) continue;
    line.points.emplace_back(frequency, std::sqrt(2.0 * tremor.spectrum.density[bin] * bandwidth_hz));
  }
  if (line.points.size() < 2) return {};
  plot.lines = {std::move(line)};
  return figure(plot.title, fmt::format("Welch, {} segments under a Hann window", tremor.spectrum.segments),
                line_plot_svg(plot));
}

std::string rows_html(const DeviceReport& device) {
  std::string html = "<table><tbody>";
  const auto row = [&](std::string_view what, const std::string& value) {
    html += fmt::format("<tr><th>{}</th><td class=\"n\">{}</td></tr>\n", what, value);
  };
  if (device.tremor.spectrum.segments > 0) {
    row("tremor, strongest from 3 to 12 Hz", fmt::format("{:.2f} Hz", device.tremor.frequency_hz));
    row("its amplitude", quantity(device.tremor.amplitude_m, "m"));
    row("mean square of the way from 3 to 12 Hz", fmt::format("{:.3g} mm²", 1e6 * device.tremor.band_power_m2));
  }
  row("largest force shown", quantity(device.most_force_n, "N"));
  row("largest change within a period", quantity(device.most_jump_n, "N"));
  row("energy put in by the hand, at the end", quantity(device.energy_j, "J"));
  row("the least of it", quantity(device.least_energy_j, "J"));
  row("taken by the passivity controller", quantity(device.damped_j, "J"));
  row("periods with a hand", fmt::format("{} of {}", device.connected, device.periods));
  row("samples refused: no numbers, jumps", fmt::format("{}, {}", device.not_numbers, device.jumps));
  row("times unplugged", fmt::format("{}", device.unplugged));
  for (const LoopReport& loop : device.loops)
    row(fmt::format("{} loop", loop.name),
        fmt::format("{:.1f} Hz; {} of {} periods late; start delay {} median, {} at 99.9 %, {} worst", loop.rate_hz,
                    loop.late, loop.periods, quantity(loop.start_delay_p50_s, "s"),
                    quantity(loop.start_delay_p999_s, "s"), quantity(loop.start_delay_worst_s, "s")));
  return html + "</tbody></table>\n";
}

}  // namespace

void add_devices(Json& summary, const std::vector<DeviceReport>& devices) {
  if (devices.empty()) return;
  Json all = Json::object();
  for (const DeviceReport& device : devices) {
    Json json = {{"type", device.type},
                 {"peak_force_n", checked(device.most_force_n)},
                 {"largest_force_change_n", checked(device.most_jump_n)},
                 {"energy_j", checked(device.energy_j)},
                 {"least_energy_j", checked(device.least_energy_j)},
                 {"damped_j", checked(device.damped_j)},
                 {"periods", device.periods},
                 {"connected", device.connected},
                 {"refused", {{"not_numbers", device.not_numbers}, {"jumps", device.jumps}}},
                 {"unplugged", device.unplugged}};
    if (device.tremor.spectrum.segments > 0)
      json["tremor"] = {{"frequency_hz", checked(device.tremor.frequency_hz)},
                        {"amplitude_m", checked(device.tremor.amplitude_m)},
                        {"band_power_m2", checked(device.tremor.band_power_m2)}};
    for (const LoopReport& loop : device.loops) json["loops"].push_back(loop_json(loop));
    all[device.name] = std::move(json);
  }
  summary["devices"] = std::move(all);
}

std::string device_note(const DeviceReport& device) {
  return fmt::format("A device of type {}; force of what it holds or touches on the hand, along the world's axes.",
                     device.type);
}

std::string device_figures(const DeviceReport& device) {
  if (device.history.empty()) return {};
  return "<div class=\"grid two\">\n" +
         vector_figure(device, "Place of the hand against time", {"place", "m", false}, &HandInstant::place_m) +
         vector_figure(device, "Force on the hand against time", {"force", "N"}, &HandInstant::force_n) +
         spectrum_figure(device.tremor) + "<div>" + rows_html(device) + "</div></div>\n";
}

}  // namespace distal
