// One key of a scene file, and the visitor that reading, checking, writing, explaining and the schema are made of.
#pragma once
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "distal/math/spatial.hpp"

namespace distal {

// Allowed values. Infinity is allowed only by a closed infinite bound, NaN never.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = true;
  bool high_open = true;

  bool contains(double x) const;  // false for NaN
  std::string text() const;       // "(0, 10]"
};
constexpr Range any_number() { return {}; }
constexpr Range within(double low, double high) { return {low, high, false, false}; }
constexpr Range above(double low, double high) { return {low, high, true, false}; }
constexpr Range below(double low, double high) { return {low, high, false, true}; }

enum class VectorRule { none, unit_quaternion, direction };

struct Field {
  std::string_view key;
  std::string_view unit;  // "" for none
  std::string_view doc;
  Range range = any_number();  // of every number of the value
  VectorRule rule = VectorRule::none;
  bool required = false;
  std::string_view when_absent = "";  // what holds when an optional number is not given
  std::string_view word = "";         // a word that stands for a number
  double word_value = 0.0;
};
constexpr Field required(Field field) {
  field.required = true;
  return field;
}
constexpr Field optional(Field field, std::string_view when_absent) {
  field.when_absent = when_absent;
  return field;
}
constexpr Field with_word(Field field, std::string_view word, double value) {
  field.word = word;
  field.word_value = value;
  return field;
}
constexpr Field ruled(Field field, VectorRule rule) {
  field.rule = rule;
  return field;
}

using Names = std::span<const std::string_view>;  // of an enum's values, by number; "" is a value not allowed here

class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;

  virtual void number(const Field& field, double& value) = 0;
  virtual void integer(const Field& field, std::int64_t& value) = 0;
  virtual void boolean(const Field& field, bool& value) = 0;
  virtual void text(const Field& field, std::string& value) = 0;
  virtual void choice(const Field& field, Names names, int& value) = 0;
  virtual void numbers(const Field& field, std::span<double> values) = 0;  // as many as there are
  virtual void list(const Field& field, std::vector<double>& values) = 0;  // any count
  virtual void points(const Field& field, std::vector<Vec3>& values) = 0;  // any count
  virtual void two_names(const Field& field, std::string& a, std::string& b) = 0;

  void operator()(const Field& field, double& value) { number(field, value); }
  void operator()(const Field& field, bool& value) { boolean(field, value); }
  void operator()(const Field& field, std::string& value) { text(field, value); }
  void operator()(const Field& field, Vec3& value) { numbers(field, {value.data(), 3}); }
  void operator()(const Field& field, Quat& value) { numbers(field, {value.coeffs().data(), 4}); }  // stored x y z w
  void operator()(const Field& field, std::vector<double>& values) { list(field, values); }
  void operator()(const Field& field, std::vector<Vec3>& values) { points(field, values); }
  template <std::integral Integer>
  void operator()(const Field& field, Integer& value) {
    std::int64_t wide = value;
    integer(field, wide);
    value = static_cast<Integer>(wide);
  }
  template <class Enum>
    requires std::is_enum_v<Enum>
  void operator()(const Field& field, Enum& value, Names names) {
    int index = static_cast<int>(value);
    choice(field, names, index);
    value = static_cast<Enum>(index);
  }
};

// "free, driven, fixed"
std::string joined(Names names);
// `metres` for m; the unit itself where there is no short word.
std::string_view unit_in_words(std::string_view unit);

}  // namespace distal
