// A parsed TOML value that knows where it was written. Keeps the parser out of every other file.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace distal {

struct Member;
struct Value {
  enum class Kind { table, array, string, integer, real, boolean, date_or_time };
  Kind kind = Kind::table;
  std::string place;              // "file:line:column" or "--set key=value"
  bool from_override = false;     // overrides win over rules that only compare values of the file
  std::string text;               // string: its content; other scalars of an override: as typed
  double number = 0.0;            // integer and real
  std::int64_t whole_number = 0;  // integer
  bool flag = false;              // boolean
  std::vector<Value> items;       // array
  std::vector<Member> members;    // table, in the order of writing

  const Value* find(std::string_view key) const;
  Value* find(std::string_view key);
  // The value at a path of keys, or the innermost table on the way that exists: the best place to point at.
  const Value& nearest(std::string_view dotted_path) const;
};
struct Member {
  std::string key;
  Value value;
};

// What stands there, for a message: `the string "abc"`, `the number -1.5`, `a table`.
std::string describe(const Value& value);

// Parses a TOML document; `file` is the place's first part. Throws InputError with line and column.
Value parse_toml(std::string_view text, const std::string& file);

// Applies "dotted.key=value" to a parsed scene. Text that is no TOML value is taken as a string.
void apply_override(Value& root, const std::string& override_text);

}  // namespace distal
