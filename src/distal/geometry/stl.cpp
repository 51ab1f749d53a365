#include <fmt/format.h>

#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "distal/core/error.hpp"
#include "distal/geometry/solid.hpp"

namespace distal {
namespace {

constexpr std::size_t binary_header_bytes = 84;    // 80 of free text and the count of triangles
constexpr std::size_t binary_triangle_bytes = 50;  // normal, three corners, two bytes of attributes

// Joins corners of equal coordinates; triangles that have no three different corners are left out.
class Welder {
 public:
  explicit Welder(std::string file) : file_(std::move(file)) {}

  void add_corner(const Vec3& p, const char* place, std::size_t number) {
    if (!p.allFinite()) {
      throw InputError(fmt::format("{}: {} {}: a coordinate is not a finite number ({}, {}, {})", file_, place, number,
                                   p.x(), p.y(), p.z()));
    }
    // The comparison of doubles takes -0 and 0 for the same.
    const auto [found, is_new] =
        number_.try_emplace({p.x(), p.y(), p.z()}, static_cast<std::int32_t>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(p);
    corners_[count_++] = found->second;
    if (count_ < 3) return;
    count_ = 0;
    const auto [a, b, c] = corners_;
    if (a != b && b != c && c != a) mesh_.triangles.push_back(corners_);
  }

  TriangleMesh finish() {
    if (mesh_.triangles.empty()) throw InputError(fmt::format("{}: no triangles in this STL file", file_));
    return std::move(mesh_);
  }

 private:
  std::string file_;
  TriangleMesh mesh_;
  std::map<std::array<double, 3>, std::int32_t> number_;
  std::array<std::int32_t, 3> corners_{};
  int count_ = 0;
};

// The file is little-endian, whatever this machine is.
std::uint32_t read_word(std::string_view data, std::size_t at) {
  std::uint32_t word = 0;
  for (int k = 3; k >= 0; --k) word = (word << 8) | static_cast<unsigned char>(data[at + k]);
  return word;
}

TriangleMesh parse_binary(const std::string& file, std::string_view data) {
  if (data.size() < binary_header_bytes) {
    throw InputError(fmt::format("{}: truncated: {} bytes, but a binary STL file starts with a header of {}", file,
                                 data.size(), binary_header_bytes));
  }
  const std::size_t count = read_word(data, 80);
  const std::size_t expected = binary_header_bytes + binary_triangle_bytes * count;
  if (data.size() != expected) {
    throw InputError(fmt::format("{}: {}: {} triangles take {} bytes, but the file has {}", file,
                                 data.size() < expected ? "truncated" : "too long", count, expected, data.size()));
  }
  Welder welder(file);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = binary_header_bytes + binary_triangle_bytes * i + 12 * (corner + 1);
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = std::bit_cast<float>(read_word(data, at + 4 * k));
      welder.add_corner(p, "triangle", i + 1);
    }
  }
  return welder.finish();
}

// Reads words and keeps count of lines.
class AsciiReader {
 public:
  AsciiReader(const std::string& file, std::string_view data) : file_(file), data_(data) {}

  TriangleMesh parse() {
    Welder welder(file_);
    do {
      expect("solid");
      skip_line();  // the solid's name
      std::string word = next_word();
      for (; word == "facet"; word = next_word()) parse_facet(welder);
      if (word != "endsolid") fail("facet or endsolid", word);
      skip_line();
    } while (skip_space());
    return welder.finish();
  }

 private:
  void parse_facet(Welder& welder) {
    // The normal follows from the corners and is often wrong or not a number in real files.
    expect("normal");
    for (int k = 0; k < 3; ++k) next_number();
    expect("outer");
    expect("loop");
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = next_number();
      welder.add_corner(p, "line", line_);
    }
    expect("endloop");
    expect("endfacet");
  }

  // Whether anything but space is left.
  bool skip_space() {
    for (; at_ < data_.size() && std::isspace(static_cast<unsigned char>(data_[at_])); ++at_) {
      if (data_[at_] == '\n') ++line_;
    }
    return at_ < data_.size();
  }

  void skip_line() {
    while (at_ < data_.size() && data_[at_] != '\n') ++at_;
  }

  // In lower case; empty at the end of the file.
  std::string next_word() {
    std::string word;
    skip_space();
    for (; at_ < data_.size() && !std::isspace(static_cast<unsigned char>(data_[at_])); ++at_) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(data_[at_])));
    }
    return word;
  }

  void expect(const char* wanted) {
    const std::string word = next_word();
    if (word != wanted) fail(wanted, word);
  }

  double next_number() {
    const std::string word = next_word();
    const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
    const char* end = word.data() + word.size();
    double value = 0.0;
    const auto [stop, error] = std::from_chars(begin, end, value);
    if (begin == end || stop != end || error != std::errc{}) fail("a number", word);
    return value;
  }

  [[noreturn]] void fail(const char* wanted, const std::string& found) const {
    if (found.empty()) {
      throw InputError(
          fmt::format("{}: truncated: line {}: expected {}, found the end of the file", file_, line_, wanted));
    }
    throw InputError(fmt::format("{}: line {}: expected {}, found \"{}\"", file_, line_, wanted, found));
  }

  const std::string& file_;
  std::string_view data_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

// Binary files may also start with "solid", but they hold zero bytes, which text never does.
bool looks_like_text(std::string_view data) {
  const std::size_t start = data.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && data.find('\0') == std::string_view::npos &&
         (data.substr(start).starts_with("solid") || data.substr(start).starts_with("SOLID"));
}

}  // namespace

TriangleMesh load_stl(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: cannot open this STL file (missing or not readable)", file));
  std::string data;
  try {
    stream.exceptions(std::ios::badbit);
    data.assign(std::istreambuf_iterator<char>(stream), {});
  } catch (const std::ios::failure&) {
    throw InputError(fmt::format("{}: cannot read this STL file (is it a folder?)", file));
  }
  if (data.empty()) throw InputError(fmt::format("{}: this STL file is empty", file));
  return looks_like_text(data) ? AsciiReader(file, data).parse() : parse_binary(file, data);
}

}  // namespace distal
