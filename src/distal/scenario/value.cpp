#include "distal/scenario/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "distal/core/error.hpp"

namespace distal {

const Value* Value::find(std::string_view key) const {
  const auto found = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

Value* Value::find(std::string_view key) { return const_cast<Value*>(std::as_const(*this).find(key)); }

const Value& Value::nearest(std::string_view dotted_path) const {
  const Value* value = this;
  while (!dotted_path.empty()) {
    const std::size_t dot = std::min(dotted_path.find('.'), dotted_path.size());
    const Value* next = value->find(dotted_path.substr(0, dot));
    if (next == nullptr) break;
    value = next;
    dotted_path.remove_prefix(std::min(dot + 1, dotted_path.size()));
  }
  return *value;
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::table:
      return "a table";
    case Value::Kind::array:
      return fmt::format("an array of {}", value.items.size());
    case Value::Kind::string:
      return fmt::format("the string \"{}\"", value.text);
    case Value::Kind::integer:
      return fmt::format("the number {}", value.whole_number);
    case Value::Kind::real:
      return fmt::format("the number {}", value.number);
    case Value::Kind::boolean:
      return value.flag ? "true" : "false";
    case Value::Kind::date_or_time:
      return "a date or time";
  }
  return "nothing";
}

namespace {

// An override has one place, whatever it contains; scalars keep what was typed, for keys that want a string.
void mark_as_override(Value& value, const std::string& place, const std::string& typed) {
  value.place = place;
  value.from_override = true;
  const bool holds_others = value.kind == Value::Kind::table || value.kind == Value::Kind::array;
  if (!holds_others && value.kind != Value::Kind::string) value.text = typed;
  for (Value& item : value.items) mark_as_override(item, place, "");
  for (auto& [key, member] : value.members) mark_as_override(member, place, typed);
}

// Tables merge, anything else is replaced where it stands; what is new goes last.
void merge(Value& into, Value&& from, const std::string& path) {
  for (auto& [key, value] : from.members) {
    const std::string key_path = path.empty() ? key : path + "." + key;
    Value* present = into.find(key);
    if (present == nullptr) {
      into.members.push_back({key, std::move(value)});
    } else if (present->kind == Value::Kind::table && value.kind == Value::Kind::table) {
      merge(*present, std::move(value), key_path);
    } else if (present->kind == Value::Kind::table || value.kind == Value::Kind::table) {
      throw InputError(fmt::format("{}: {}: found {}, but the scene has {} there", value.place, key_path,
                                   describe(value), describe(*present)));
    } else {
      *present = std::move(value);
    }
  }
}

// One line is one assignment: a line break would let an override smuggle in more keys than it names.
std::optional<Value> parse_assignment(const std::string& text) {
  if (text.find('\n') != std::string::npos) return std::nullopt;
  try {
    return parse_toml(text, "override");
  } catch (const InputError&) { return std::nullopt; }
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

}  // namespace

void apply_override(Value& root, const std::string& override_text) {
  const std::string place = "--set " + override_text;
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == override_text.size()) {
    throw InputError(place + ": expected key=value, for example --set body.finger.cell_size_m=0.002");
  }
  const std::string key = override_text.substr(0, equals);
  const std::string typed = override_text.substr(equals + 1);
  constexpr std::size_t kLongestKey = 1000;
  if (key.size() > kLongestKey)
    throw InputError(fmt::format("--set {}...: found a key of {} characters, allowed: at most {}", key.substr(0, 40),
                                 key.size(), kLongestKey));
  if (typed.find_first_of("\r\n") != std::string::npos)
    throw InputError(
        fmt::format("--set {}: found a value with a line break, allowed: one line (\\n between double "
                    "quotes is a line break)",
                    key));
  if (key.front() == '[' || key.front() == '#')
    throw InputError(fmt::format("{}: \"{}\" is not a dotted key", place, key));
  // A '#' would start a comment and drop the rest of the value; such text is meant as a string.
  std::optional<Value> parsed;
  if (typed.find('#') == std::string::npos || typed.front() == '"' || typed.front() == '\'') {
    parsed = parse_assignment(key + " = " + typed);
  }
  if (!parsed) parsed = parse_assignment(key + " = " + distal::quoted(typed));
  if (!parsed) throw InputError(fmt::format("{}: \"{}\" is not a dotted key", place, key));
  mark_as_override(*parsed, place, typed);
  merge(root, std::move(*parsed), "");
}

}  // namespace distal
