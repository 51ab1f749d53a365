// Numbers for readers: units with a prefix that fits, round ticks, short text.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace distal {

// value [SI] x factor is the value in `unit`.
struct DisplayUnit {
  double factor = 1.0;
  std::string unit;
};

// The unit in which `largest` (its magnitude) is a handy number: "N" may become "mN". "m²" becomes "mm²", an empty
// unit stays.
DisplayUnit display_unit(double largest, std::string_view si_unit);

// "0.312 N", "31.2 mN"; four digits.
std::string quantity(double value, std::string_view si_unit);

// Round values that cover [low, high], about `count` of them.
std::vector<double> round_ticks(double low, double high, int count);

// The text of a tick, with the digits that its distance to the next one needs.
std::string tick_text(double value, double distance);

}  // namespace distal
