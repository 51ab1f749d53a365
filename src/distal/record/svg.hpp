// Small pieces of SVG and HTML text, and the colours of pictures.
#pragma once
#include <Eigen/Dense>
#include <string>
#include <string_view>

namespace distal {

using Pixel = Eigen::Vector2d;  // x right, y down

struct Rgb {
  double r = 0.0, g = 0.0, b = 0.0;  // 0 to 1
};

// Frame of the plots: size of the picture, and what is left free around the axes.
inline constexpr double kPlotWidth = 560.0, kPlotHeight = 300.0;
inline constexpr double kPlotLeft = 64.0, kPlotRight = 14.0, kPlotBottom = 44.0;

// Viridis: even steps for the eye, safe for colour-blind readers and in grey. `share` from 0 to 1.
Rgb viridis(double share);
Rgb scaled(const Rgb& color, double light);
std::string hex(const Rgb& color);

std::string escaped(std::string_view text);  // for XML text and attributes
std::string coordinate(double value);        // a tenth of a pixel, as short as it goes

std::string svg_open(double width, double height, std::string_view css_class, std::string_view label);
std::string svg_text(const Pixel& at, std::string_view text, std::string_view css_class);
std::string svg_line(const Pixel& from, const Pixel& to, std::string_view css_class);

// Horizontal colour bar of 12 pixels height with its range below, from 0 to `largest`.
std::string color_bar(const Pixel& at, double width, double largest, std::string_view si_unit,
                      std::string_view caption);

}  // namespace distal
