// Whether a text is well-formed XML, as far as our writers use it: one root, nested tags, quoted attributes.
#pragma once
#include <cctype>
#include <string>
#include <vector>

namespace distal::test {

// Empty if well-formed, else what is wrong.
inline std::string xml_problem(const std::string& text) {
  std::vector<std::string> open;
  bool had_root = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '<') {
      const auto c = static_cast<unsigned char>(text[at]);
      if (c == '>' || (c < 32 && c != '\n' && c != '\t')) return "stray character at " + std::to_string(at);
      if (c == '&' && text.find(';', at) > at + 6) return "bare & at " + std::to_string(at);
      if (open.empty() && !std::isspace(c)) return "text outside the root";
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
      if (text[end] == '<') return "'<' inside a tag at " + std::to_string(end);
    }
    if (end == text.size()) return "tag without end at " + std::to_string(at);
    const std::string tag = text.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag[0] == '?') continue;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected </" + tag.substr(1) + ">";
      open.pop_back();
      continue;
    }
    if (open.empty() && had_root) return "second root <" + tag + ">";
    had_root = true;
    if (tag.back() != '/') open.push_back(tag.substr(0, tag.find_first_of(" \n")));
  }
  if (!open.empty()) return "<" + open.back() + "> is not closed";
  return had_root ? "" : "no root";
}

}  // namespace distal::test
