#include "distal/geometry/xml_scanner.hpp"

#include <algorithm>
#include <utility>

namespace distal {
namespace {

constexpr std::string_view xml_space = " \t\r\n";

// name="value" pairs of what stands between < and >; false where they cannot be read.
bool parse_attributes(std::string_view inside, XmlTag& tag) {
  std::size_t at = inside.find_first_not_of(xml_space);
  while (at != std::string_view::npos) {
    const std::size_t equals = inside.find('=', at);
    if (equals == std::string_view::npos) return false;
    std::string_view name = inside.substr(at, equals - at);
    name = name.substr(0, name.find_first_of(xml_space));
    const std::size_t open = inside.find_first_not_of(xml_space, equals + 1);
    if (open == std::string_view::npos || (inside[open] != '"' && inside[open] != '\'')) return false;
    const std::size_t close = inside.find(inside[open], open + 1);
    if (close == std::string_view::npos) return false;
    tag.attributes.emplace(name, inside.substr(open + 1, close - open - 1));
    at = inside.find_first_not_of(xml_space, close + 1);
  }
  return true;
}

}  // namespace

std::string XmlTag::find(std::string_view attribute) const {
  const auto found = attributes.find(attribute);
  return found == attributes.end() ? std::string() : found->second;
}

XmlTag XmlScanner::next_tag() {
  XmlTag tag;
  while (true) {
    tag.begin = std::min(data_.find('<', at_), data_.size());
    if (tag.begin == data_.size()) return tag;
    const bool is_comment = data_.substr(tag.begin).starts_with("<!--");
    const std::string_view closing = is_comment ? "-->" : ">";
    const std::size_t close = data_.find(closing, tag.begin);
    if (close == std::string_view::npos) reader_at(data_.size()).fail(closing, {});
    at_ = tag.end = close + closing.size();
    if (!is_comment && data_[tag.begin + 1] != '?' && data_[tag.begin + 1] != '!') break;
  }
  std::string_view inside = data_.substr(tag.begin + 1, tag.end - tag.begin - 2);
  if (inside.ends_with('/')) inside.remove_suffix(1);
  const std::size_t name_end = std::min(inside.find_first_of(xml_space), inside.size());
  tag.name = inside.substr(0, name_end);
  if (!parse_attributes(inside.substr(name_end), tag)) {
    reader_at(tag.begin).fail("attributes like type=\"Float64\"", inside);
  }
  return tag;
}

}  // namespace distal
