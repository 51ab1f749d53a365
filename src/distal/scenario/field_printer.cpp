#include "distal/scenario/field_printer.hpp"

#include <fmt/format.h>

#include <cmath>

namespace distal {
namespace {

std::string toml_array(std::span<const double> values) {
  std::string result = "[";
  for (const double value : values) result += (result.size() > 1 ? ", " : "") + toml_text(value);
  return result + "]";
}

std::string allowed_numbers(const Field& field) {
  if (field.rule == VectorRule::unit_quaternion) return "unit length";
  if (field.rule == VectorRule::direction) return "not zero";
  return field.range.text();
}

}  // namespace

// The shortest text that reads back to the same bits, and that TOML takes for a float.
std::string toml_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string toml_text(std::string_view value) {
  std::string result = "\"";
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (code < 0x20 || code == 0x7f) {
      result += fmt::format("\\u{:04X}", code);
    } else {
      result += c;
    }
  }
  return result + '"';
}

void FieldPrinter::number(const Field& field, double& value) {
  const std::string or_word = field.word.empty() ? "" : fmt::format(" or \"{}\"", field.word);
  print(field, std::isnan(value) ? "" : toml_text(value), field.range.text() + or_word);
}

void FieldPrinter::integer(const Field& field, std::int64_t& value) {
  print(field, fmt::format("{}", value), fmt::format("[{:.0f}, {:.0f}] whole", field.range.low, field.range.high));
}

void FieldPrinter::boolean(const Field& field, bool& value) { print(field, value ? "true" : "false", "true, false"); }

void FieldPrinter::text(const Field& field, std::string& value) { print(field, toml_text(value), "string"); }

void FieldPrinter::choice(const Field& field, Names names, int& value) {
  print(field, toml_text(names[static_cast<std::size_t>(value)]), joined(names));
}

void FieldPrinter::numbers(const Field& field, std::span<double> values) {
  print(field, toml_array(values), allowed_numbers(field));
}

void FieldPrinter::list(const Field& field, std::vector<double>& values) {
  print(field, toml_array(values), "any count in " + allowed_numbers(field));
}

void FieldPrinter::points(const Field& field, std::vector<Vec3>& values) {
  std::string text = "[";
  for (const Vec3& value : values) text += (text.size() > 1 ? ", " : "") + toml_array({value.data(), 3});
  print(field, text + "]", "any count of points in " + allowed_numbers(field));
}

void FieldPrinter::two_names(const Field& field, std::string& a, std::string& b) {
  print(field, fmt::format("[{}, {}]", toml_text(a), toml_text(b)), "two names");
}

}  // namespace distal
