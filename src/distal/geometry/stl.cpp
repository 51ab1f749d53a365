#include <fmt/format.h>

#include <cctype>
#include <string_view>

#include "distal/core/error.hpp"
#include "distal/geometry/scalar_type.hpp"
#include "distal/geometry/solid.hpp"
#include "distal/geometry/text_reader.hpp"
#include "distal/geometry/welder.hpp"

namespace distal {
namespace {

constexpr std::size_t binary_header_bytes = 84;    // 80 of free text and the count of triangles
constexpr std::size_t binary_triangle_bytes = 50;  // normal, three corners, two bytes of attributes

TriangleMesh parse_binary(const std::string& file, std::string_view data) {
  if (data.size() < binary_header_bytes) {
    throw InputError(fmt::format("{}: truncated: {} bytes, but a binary STL file starts with a header of {}", file,
                                 data.size(), binary_header_bytes));
  }
  const std::size_t count = read_little_endian(data, 80, 4);
  const std::size_t expected = binary_header_bytes + binary_triangle_bytes * count;
  if (data.size() != expected) {
    throw InputError(fmt::format("{}: {}: {} triangles take {} bytes, but the file has {}. Is it an STL file?", file,
                                 data.size() < expected ? "truncated" : "too long", count, expected, data.size()));
  }
  Welder welder(file);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t at = binary_header_bytes + binary_triangle_bytes * i + 12 * (corner + 1);
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = read_scalar({ScalarType::Kind::real, 4}, data, at + 4 * k);
      welder.add_corner(p, "triangle", i + 1);
    }
  }
  return welder.finish("STL");
}

// Words in small letters, as both cases are in use.
class AsciiReader {
 public:
  AsciiReader(const std::string& file, std::string_view data) : reader_(file, data), welder_(file) {}

  TriangleMesh parse() {
    do {
      expect("solid");
      reader_.skip_line();  // the solid's name
      std::string word = next_word();
      for (; word == "facet"; word = next_word()) parse_facet();
      if (word != "endsolid") reader_.fail("facet or endsolid", word);
      while (!reader_.next_word_of_line().empty()) continue;
    } while (reader_.skip_space());
    return welder_.finish("STL");
  }

 private:
  void parse_facet() {
    // The normal follows from the corners and is often wrong or not a number in real files.
    expect("normal");
    for (int k = 0; k < 3; ++k) reader_.next_number();
    expect("outer");
    expect("loop");
    for (int corner = 0; corner < 3; ++corner) {
      expect("vertex");
      Vec3 p;
      for (int k = 0; k < 3; ++k) p[k] = reader_.next_number();
      welder_.add_corner(p, "line", reader_.line());
    }
    expect("endloop");
    expect("endfacet");
  }

  std::string next_word() {
    std::string word(reader_.next_word());
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return word;
  }

  void expect(const char* wanted) {
    const std::string word = next_word();
    if (word != wanted) reader_.fail(wanted, word);
  }

  TextReader reader_;
  Welder welder_;
};

// Binary files may also start with "solid", but they hold zero bytes, which text never does.
bool looks_like_text(std::string_view data) {
  const std::size_t start = data.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && data.find('\0') == std::string_view::npos &&
         (data.substr(start).starts_with("solid") || data.substr(start).starts_with("SOLID"));
}

}  // namespace

TriangleMesh load_stl(const std::string& file) {
  const std::string data = load_mesh_text(file, "STL");
  return looks_like_text(data) ? AsciiReader(file, data).parse() : parse_binary(file, data);
}

}  // namespace distal
