#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "distal/record/heat_map.hpp"
#include "distal/record/report_style.hpp"
#include "distal/study/plot_names.hpp"
#include "distal/study/sweep.hpp"

namespace distal {
namespace {

constexpr std::size_t kMostRows = 500;  // of the page's table; the file has them all

std::optional<double> number_of(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct Varied {
  std::string key;
  std::vector<double> by_run;  // of every run
  std::vector<double> values;  // increasing, each once
};

// The varied keys, where they are one or two and all their values are numbers.
std::vector<Varied> plotted_keys(const SweepGrid& grid) {
  const std::vector<std::size_t> places = grid.varied_keys();
  if (places.empty() || places.size() > 2) return {};
  std::vector<Varied> keys;
  for (const std::size_t place : places) {
    Varied key{grid.keys()[place], {}, {}};
    for (std::size_t run = 0; run < grid.size(); ++run) {
      const auto number = number_of(grid.values(run)[place]);
      if (!number) return {};
      key.by_run.push_back(*number);
    }
    key.values = key.by_run;
    std::sort(key.values.begin(), key.values.end());
    key.values.erase(std::unique(key.values.begin(), key.values.end()), key.values.end());
    keys.push_back(std::move(key));
  }
  return keys;
}

std::string sweep_line_svg(const Varied& key, const std::string& measure, const RunRecords& records) {
  LinePlot plot{measure, plot_axis(key.key, false), plot_axis(measure), {}};
  const bool is_log = key.values.front() > 0.0 && key.values.back() >= 50.0 * key.values.front();
  if (is_log) plot.x = {"log10 of " + key.key, "", false};
  PlotLine line{measure, 0, false, true, {}};
  for (const auto& [run, record] : records)
    if (const auto found = record.measures.find(measure); found != record.measures.end())
      line.points.emplace_back(is_log ? std::log10(key.by_run[run]) : key.by_run[run], found->second);
  std::stable_sort(line.points.begin(), line.points.end(),
                   [](const Pixel& a, const Pixel& b) { return a.x() < b.x(); });
  if (line.points.empty()) return "";
  plot.lines.push_back(std::move(line));
  return line_plot_svg(plot);
}

std::string sweep_map_svg(const Varied& x, const Varied& y, const std::string& measure, const RunRecords& records) {
  HeatMap map{measure, plot_axis(x.key), plot_axis(y.key), plot_axis(measure), x.values, y.values, {}, false, {}};
  map.values.assign(x.values.size() * y.values.size(), NAN);
  const auto place = [](const Varied& key, double value) {
    return static_cast<std::size_t>(std::lower_bound(key.values.begin(), key.values.end(), value) - key.values.begin());
  };
  for (const auto& [run, record] : records)
    if (const auto found = record.measures.find(measure); found != record.measures.end())
      map.values[place(y, y.by_run[run]) * x.values.size() + place(x, x.by_run[run])] = found->second;
  return heat_map_svg(map);
}

std::string plots_html(const SweepGrid& grid, const RunRecords& records, const std::vector<std::string>& measures) {
  const std::vector<Varied> keys = plotted_keys(grid);
  if (keys.empty()) return "<p class=\"muted\">Plots are drawn where one or two keys with numbers are varied.</p>\n";
  std::string html = "<div class=\"grid two\">\n";
  for (const std::string& measure : measures) {
    const std::string svg = keys.size() == 1 ? sweep_line_svg(keys[0], measure, records)
                                             : sweep_map_svg(keys[0], keys[1], measure, records);
    if (!svg.empty()) html += fmt::format("<figure><figcaption>{}</figcaption>{}</figure>\n", escaped(measure), svg);
  }
  return html + "</div>\n";
}

std::string table_html(const SweepGrid& grid, const RunRecords& records, const std::vector<std::string>& measures) {
  const auto cell = [](const char* tag, std::string_view text) {
    return fmt::format("<{0}>{1}</{0}>", tag, escaped(text));
  };
  std::string html = "<div class=\"scroll\"><table><thead><tr><th>run</th>";
  for (const std::string& key : grid.keys()) html += cell("th", key);
  html += "<th>status</th>";
  for (const std::string& measure : measures) html += cell("th", measure);
  html += "<th></th></tr></thead><tbody>\n";
  std::size_t rows = 0;
  for (const auto& [run, record] : records) {
    if (++rows > kMostRows) break;
    html += fmt::format("<tr><th>{}</th>", run);
    for (const std::string& value : grid.values(run)) html += cell("td", value);
    html += cell("td", record.status);
    for (const std::string& measure : measures) {
      const auto found = record.measures.find(measure);
      html += fmt::format("<td class=\"n\">{}</td>",
                          found == record.measures.end() ? "" : fmt::format("{:.5g}", found->second));
    }
    html += cell("td", record.message) + "</tr>\n";
  }
  html += "</tbody></table></div>\n";
  if (records.size() > kMostRows)
    html +=
        fmt::format("<p class=\"muted\">The first {} of {} rows; table.csv has all.</p>\n", kMostRows, records.size());
  return html;
}

}  // namespace

std::string sweep_page_html(const std::string& title, const SweepGrid& grid, const RunRecords& records,
                            const std::vector<std::string>& measures) {
  const auto failed =
      std::count_if(records.begin(), records.end(), [](const auto& entry) { return entry.second.status != "done"; });
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Sweep: {0}</title><style>{1}</style>"
      "</head><body><main>\n<h1>Sweep: {0}</h1>\n<p class=\"muted\">{2} of {3} runs finished, {4} of them not "
      "done.</p>\n<h2>Measures</h2>\n{5}<h2>Runs</h2>\n{6}</main><script>{7}</script></body></html>\n",
      escaped(title), report_style, records.size(), grid.size(), failed, plots_html(grid, records, measures),
      table_html(grid, records, measures), report_script);
}

}  // namespace distal
