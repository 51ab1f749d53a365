#include "distal/scenario/field_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "distal/core/nearest_name.hpp"

namespace distal {
namespace {

std::string with_unit(const Field& field) { return field.unit.empty() ? "" : fmt::format(" {}", field.unit); }

// Text as typed after --set serves as a string, whatever TOML would make of it.
bool is_text(const Value& value) {
  const bool single = value.kind != Value::Kind::table && value.kind != Value::Kind::array;
  return value.kind == Value::Kind::string || (value.from_override && single);
}

// Words in use for what has another name here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOtherWords = {{
    {"explicit", "semi_implicit_euler"},
    {"symplectic", "semi_implicit_euler"},
    {"implicit", "implicit_euler"},
    {"midpoint", "implicit_midpoint"},
    {"dormand_prince", "runge_kutta"},
    {"automatic", "auto"},
}};

std::string suggest_choice(std::string_view word, Names names) {
  if (std::string near = suggestion(word, names); !near.empty()) return near;
  std::vector<std::string_view> words;
  for (const auto& [other, name] : kOtherWords)
    if (std::find(names.begin(), names.end(), name) != names.end()) words.push_back(other);
  const std::string_view nearest = nearest_name(word, words);
  const auto known =
      std::find_if(kOtherWords.begin(), kOtherWords.end(), [&](const auto& w) { return w.first == nearest; });
  return nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", known->second);
}

}  // namespace

FieldReader::FieldReader(const Value& table, std::string path, Problems& problems)
    : table_(table), path_(std::move(path)), problems_(problems) {}

void FieldReader::problem(const Value& value, const Field& field, const std::string& message) {
  problems_.add(value.place, fmt::format("{}.{}", path_, field.key), message);
}

void FieldReader::wrong_type(const Value& value, const Field& field, std::string_view expected) {
  problem(value, field, fmt::format("found {}, expected {}", describe(value), expected));
}

const Value* FieldReader::take(const Field& field, std::string_view expected) {
  known_.push_back(field);
  const Value* value = table_.find(field.key);
  if (value == nullptr && field.required) {
    problem(table_, field, fmt::format("is missing; expected: {}", expected.empty() ? field.doc : expected));
  }
  return value;
}

bool FieldReader::read_number(const Field& field, const Value& value, double& result) {
  if (!field.word.empty() && is_text(value) && value.text == field.word) {
    result = field.word_value;
    return true;
  }
  if (value.kind != Value::Kind::integer && value.kind != Value::Kind::real) {
    const std::string or_word = field.word.empty() ? "" : fmt::format(" or \"{}\"", field.word);
    wrong_type(value, field, fmt::format("a number in {}{}{}", field.range.text(), with_unit(field), or_word));
    return false;
  }
  if (!field.range.contains(value.number)) {
    problem(value, field, fmt::format("found {}, allowed: {}{}", value.number, field.range.text(), with_unit(field)));
    return false;
  }
  result = value.number;
  return true;
}

void FieldReader::number(const Field& field, double& value) {
  if (const Value* given = take(field)) read_number(field, *given, value);
}

void FieldReader::integer(const Field& field, std::int64_t& value) {
  const Value* given = take(field);
  if (given == nullptr) return;
  if (given->kind != Value::Kind::integer) {
    return wrong_type(*given, field, fmt::format("a whole number in {}", field.range.text()));
  }
  if (double number = 0.0; read_number(field, *given, number)) value = given->whole_number;
}

void FieldReader::boolean(const Field& field, bool& value) {
  const Value* given = take(field);
  if (given == nullptr) return;
  if (given->kind != Value::Kind::boolean) return wrong_type(*given, field, "true or false");
  value = given->flag;
}

void FieldReader::text(const Field& field, std::string& value) {
  const Value* given = take(field);
  if (given == nullptr) return;
  if (!is_text(*given)) return wrong_type(*given, field, "a string");
  value = given->text;
}

void FieldReader::choice(const Field& field, Names names, int& value) {
  const Value* given = take(field, joined(names));
  if (given == nullptr) return;
  if (!is_text(*given)) return wrong_type(*given, field, fmt::format("one of: {}", joined(names)));
  const auto found = std::find(names.begin(), names.end(), given->text);
  if (found == names.end() || found->empty()) {
    const std::string near = suggest_choice(given->text, names);
    return problem(*given, field, fmt::format("found \"{}\", allowed: {}{}", given->text, joined(names), near));
  }
  value = static_cast<int>(found - names.begin());
}

void FieldReader::numbers(const Field& field, std::span<double> values) {
  const Value* given = take(field);
  if (given == nullptr) return;
  if (given->kind != Value::Kind::array || given->items.size() != values.size()) {
    return wrong_type(*given, field, fmt::format("an array of {} numbers{}", values.size(), with_unit(field)));
  }
  bool good = true;
  for (std::size_t i = 0; i < values.size(); ++i) good &= read_number(field, given->items[i], values[i]);
  if (good) apply_rule(field, *given, values);
}

void FieldReader::apply_rule(const Field& field, const Value& value, std::span<double> values) {
  if (field.rule == VectorRule::none) return;
  double sum = 0.0;
  for (const double x : values) sum += x * x;
  const double norm = std::sqrt(sum);
  if (field.rule == VectorRule::unit_quaternion && !(std::abs(norm - 1.0) <= 1e-6)) {
    return problem(value, field,
                   fmt::format("its norm is {}, allowed: 1 within 1e-6 (x, y, z, w in this order)", norm));
  }
  if (!(norm > 1e-150 && norm < 1e150)) {
    return problem(value, field, fmt::format("found a vector of length {}, allowed: any but zero", norm));
  }
  // What is already normalised keeps its bits, so that a resolved scene loads to itself.
  if (std::abs(norm - 1.0) <= 1e-15) return;
  for (double& x : values) x /= norm;
}

void FieldReader::list(const Field& field, std::vector<double>& values) {
  const Value* given = take(field);
  if (given == nullptr) return;
  if (given->kind != Value::Kind::array) {
    return wrong_type(*given, field, fmt::format("an array of numbers{}", with_unit(field)));
  }
  values.assign(given->items.size(), 0.0);
  for (std::size_t i = 0; i < values.size(); ++i) read_number(field, given->items[i], values[i]);
}

void FieldReader::points(const Field& field, std::vector<Vec3>& values) {
  const std::string expected = fmt::format("an array of points{}, like [[0, 0, 0.01]]", with_unit(field));
  const Value* given = take(field, expected);
  if (given == nullptr) return;
  const auto is_point = [](const Value& item) { return item.kind == Value::Kind::array && item.items.size() == 3; };
  if (given->kind != Value::Kind::array || !std::all_of(given->items.begin(), given->items.end(), is_point)) {
    return wrong_type(*given, field, expected);
  }
  values.assign(given->items.size(), Vec3::Zero());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      read_number(field, given->items[i].items[static_cast<std::size_t>(axis)], values[i][axis]);
}

void FieldReader::two_names(const Field& field, std::string& a, std::string& b) {
  const Value* given = take(field);
  if (given == nullptr) return;
  const bool two = given->kind == Value::Kind::array && given->items.size() == 2 &&
                   given->items[0].kind == Value::Kind::string && given->items[1].kind == Value::Kind::string;
  if (!two) return wrong_type(*given, field, "an array of two names, like [\"finger\", \"table\"]");
  a = given->items[0].text;
  b = given->items[1].text;
}

std::string FieldReader::unknown_key_message(std::string_view key) const {
  std::vector<std::string_view> names;
  for (const Field& field : known_) names.push_back(field.key);
  const auto same_stem = std::find_if(known_.begin(), known_.end(), [&](const Field& field) {
    return !field.unit.empty() && without_unit(field.key) == without_unit(key);
  });
  std::string near = suggestion(key, names);
  if (same_stem != known_.end()) {
    near = fmt::format("; did you mean {} ({})?", same_stem->key, unit_in_words(same_stem->unit));
  }
  return fmt::format("unknown key{}; known here: {}", near, joined(names));
}

void FieldReader::report_unknown_keys() {
  for (const auto& [key, value] : table_.members) {
    const bool known = std::any_of(known_.begin(), known_.end(), [&](const Field& f) { return f.key == key; });
    if (!known) problems_.add(value.place, fmt::format("{}.{}", path_, key), unknown_key_message(key));
  }
}

}  // namespace distal
