#include "distal/record/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "distal/record/quantity.hpp"

namespace distal {

Rgb viridis(double share) {
  // Eleven samples of the published map.
  constexpr std::array<std::array<int, 3>, 11> samples = {{{68, 1, 84},
                                                           {72, 36, 117},
                                                           {65, 68, 135},
                                                           {53, 95, 141},
                                                           {42, 120, 142},
                                                           {33, 145, 140},
                                                           {34, 168, 132},
                                                           {68, 191, 112},
                                                           {122, 209, 81},
                                                           {189, 223, 38},
                                                           {253, 231, 37}}};
  const double place = std::clamp(share, 0.0, 1.0) * (samples.size() - 1);
  const auto below = std::min(static_cast<std::size_t>(place), samples.size() - 2);
  const double rest = place - static_cast<double>(below);
  const auto mix = [&](std::size_t channel) {
    return ((1.0 - rest) * samples[below][channel] + rest * samples[below + 1][channel]) / 255.0;
  };
  return {mix(0), mix(1), mix(2)};
}

Rgb scaled(const Rgb& color, double light) { return {color.r * light, color.g * light, color.b * light}; }

std::string hex(const Rgb& color) {
  // Steps of 4 of 255: not seen, and neighbours share a colour more often, which keeps files small.
  const auto byte = [](double value) { return std::clamp(static_cast<int>(std::lround(value * 255.0)) & ~3, 0, 255); };
  return fmt::format("#{:02x}{:02x}{:02x}", byte(std::clamp(color.r, 0.0, 1.0)), byte(std::clamp(color.g, 0.0, 1.0)),
                     byte(std::clamp(color.b, 0.0, 1.0)));
}

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // No document may have control characters.
        result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? "\uFFFD" : std::string(1, c);
    }
  }
  return result;
}

std::string coordinate(double value) {
  const long tenths = std::lround(value * 10.0);
  if (tenths % 10 == 0) return fmt::format("{}", tenths / 10);
  return fmt::format("{}{}.{}", tenths < 0 ? "-" : "", std::labs(tenths) / 10, std::labs(tenths) % 10);
}

std::string svg_open(double width, double height, std::string_view css_class, std::string_view label) {
  return fmt::format("<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", css_class, width,
                     height, escaped(label));
}

std::string svg_text(const Pixel& at, std::string_view text, std::string_view css_class) {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", coordinate(at.x()), coordinate(at.y()),
                     css_class, escaped(text));
}

std::string svg_line(const Pixel& from, const Pixel& to, std::string_view css_class) {
  return fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"{}\"/>\n", coordinate(from.x()),
                     coordinate(from.y()), coordinate(to.x()), coordinate(to.y()), css_class);
}

std::string color_bar(const Pixel& at, double width, double largest, std::string_view si_unit,
                      std::string_view caption) {
  constexpr int bands = 48;
  std::string svg;
  for (int i = 0; i < bands; ++i)
    svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"12\" fill=\"{}\"/>\n",
                       coordinate(at.x() + width * i / bands), coordinate(at.y()), coordinate(width / bands + 0.6),
                       hex(viridis((i + 0.5) / bands)));
  const DisplayUnit display = display_unit(largest, si_unit);
  for (const double share : {0.0, 0.5, 1.0})
    svg +=
        svg_text(at + Pixel(width * share, 28.0), fmt::format("{:.3g}", share * largest * display.factor), "tick mid");
  svg += svg_text(at + Pixel(0.0, -6.0), fmt::format("{} [{}]", caption, display.unit), "tick");
  return svg;
}

}  // namespace distal
