// The only file that sees toml++, which is slow to compile.
// Some malformed files run into its assertions, which would abort the program or, without them, let it go astray: here
// they throw, in every build.
#undef NDEBUG
namespace distal {
struct ParserStopped {};
[[noreturn]] static void stop_parser() { throw ParserStopped(); }
}  // namespace distal
#define TOML_ASSERT(condition) ((condition) ? static_cast<void>(0) : ::distal::stop_parser())
#define TOML_HEADER_ONLY 1
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <tuple>

#include "distal/core/error.hpp"
#include "distal/scenario/value.hpp"

namespace distal {
namespace {

std::string place_of(const toml::source_region& region, const std::string& file) {
  return fmt::format("{}:{}:{}", file, region.begin.line, region.begin.column);
}

Value convert(const toml::node& node, const std::string& file);

// toml++ sorts a table by key; bodies must keep the order of the file.
void add_members(Value& value, const toml::table& table, const std::string& file) {
  std::vector<std::tuple<toml::source_position, const toml::key*, const toml::node*>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(key.source().begin, &key, &node);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const auto& a, const auto& b) { return std::get<0>(a) < std::get<0>(b); });
  for (const auto& [position, key, node] : entries) {
    Value member = convert(*node, file);
    member.place = place_of(key->source(), file);
    value.members.push_back({std::string(key->str()), std::move(member)});
  }
}

Value convert(const toml::node& node, const std::string& file) {
  Value value;
  value.place = place_of(node.source(), file);
  if (const auto* table = node.as_table()) {
    value.kind = Value::Kind::table;
    add_members(value, *table, file);
  } else if (const auto* array = node.as_array()) {
    value.kind = Value::Kind::array;
    for (const toml::node& item : *array) value.items.push_back(convert(item, file));
  } else if (const auto* text = node.as_string()) {
    value.kind = Value::Kind::string;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = Value::Kind::integer;
    value.whole_number = integer->get();
    value.number = static_cast<double>(integer->get());
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = Value::Kind::real;
    value.number = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = Value::Kind::boolean;
    value.flag = boolean->get();
  } else {
    value.kind = Value::Kind::date_or_time;
  }
  return value;
}

bool stops_parser(std::string_view text) {
  try {
    static_cast<void>(toml::parse(text));
    return false;
  } catch (const toml::parse_error&) { return false; } catch (const ParserStopped&) {
    return true;
  }
}

// An assertion has no position, but a text that ends before it does not meet it.
int find_stopping_line(std::string_view text) {
  std::vector<std::size_t> ends;  // of the first n + 1 lines
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ends.push_back(i + 1);
  }
  const auto first = std::partition_point(ends.begin(), ends.end(),
                                          [&](std::size_t end) { return !stops_parser(text.substr(0, end)); });
  return static_cast<int>(first - ends.begin()) + 1;
}

// A level of a key is a level of recursion, in the parser and here; thousands of them would use up the stack. The
// parser counts brackets, and not the levels of a dotted key.
void refuse_deep_keys(std::string_view text, const std::string& file) {
  constexpr int kMostDots = 1000;
  constexpr std::string_view kEnds = "=[]{},#\n";
  int dots = 0, line = 1;
  for (const char c : text) {
    if (c == '.' && ++dots > kMostDots)
      throw InputError(fmt::format("{}:{}: not valid TOML: a key of more than {} levels", file, line, kMostDots));
    if (kEnds.find(c) != std::string_view::npos) dots = 0;
    if (c == '\n') ++line;
  }
}

}  // namespace

Value parse_toml(std::string_view text, const std::string& file) {
  refuse_deep_keys(text, file);
  try {
    const toml::table table = toml::parse(text, file);
    Value root = convert(table, file);
    root.place = file;
    return root;
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}: not valid TOML: {}", place_of(error.source(), file), error.description()));
  } catch (const ParserStopped&) {
    throw InputError(fmt::format("{}:{}: not valid TOML", file, find_stopping_line(text)));
  }
}

}  // namespace distal
