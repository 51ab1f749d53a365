// PLY: a header that lists elements and their properties, then the values, as text or as little-endian bytes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/geometry/mesh_formats.hpp"
#include "distal/geometry/scalar_type.hpp"
#include "distal/geometry/text_reader.hpp"
#include "distal/geometry/welder.hpp"

namespace distal {
namespace {

struct PlyProperty {
  std::string name;
  ScalarType type;
  std::optional<ScalarType> count_type;  // of a list
};

struct PlyElement {
  std::string name;
  std::size_t count;
  std::vector<PlyProperty> properties;

  // A list of length 0 still takes its count; one character and a space at least, as text.
  std::size_t least_bytes(bool binary) const {
    std::size_t bytes = 0;
    for (const PlyProperty& property : properties) {
      bytes += binary ? property.count_type.value_or(property.type).bytes : 2;
    }
    return bytes;
  }
};

std::optional<ScalarType> find_ply_type(std::string_view name) {
  using Kind = ScalarType::Kind;
  if (name == "char" || name == "int8") return ScalarType{Kind::signed_integer, 1};
  if (name == "uchar" || name == "uint8") return ScalarType{Kind::unsigned_integer, 1};
  if (name == "short" || name == "int16") return ScalarType{Kind::signed_integer, 2};
  if (name == "ushort" || name == "uint16") return ScalarType{Kind::unsigned_integer, 2};
  if (name == "int" || name == "int32") return ScalarType{Kind::signed_integer, 4};
  if (name == "uint" || name == "uint32") return ScalarType{Kind::unsigned_integer, 4};
  if (name == "float" || name == "float32") return ScalarType{Kind::real, 4};
  if (name == "double" || name == "float64") return ScalarType{Kind::real, 8};
  return {};
}

class PlyReader {
 public:
  PlyReader(const std::string& file, std::string_view data) : file_(file), data_(data), reader_(file, data) {}

  TriangleMesh parse() {
    parse_header();
    Welder welder(file_);
    for (const PlyElement& element : elements_) {
      check_size_of(element);
      for (std::size_t i = 0; i < element.count; ++i) parse_record(element, i, welder);
    }
    return welder.finish("PLY");
  }

 private:
  void parse_header() {
    reader_.expect("ply");
    reader_.expect("format");
    const std::string_view format = reader_.next_word();
    if (format != "ascii" && format != "binary_little_endian") reader_.fail("ascii or binary_little_endian", format);
    binary_ = format != "ascii";
    reader_.expect("1.0");
    while (true) {
      const std::string_view word = reader_.next_word();
      if (word == "end_header") break;
      if (word == "element") {
        const std::string name(reader_.next_word());
        // A record may be empty: what it takes is known when its properties are.
        elements_.push_back({name, reader_.next_count("the count of an element", 1), {}});
      } else if (word == "property") {
        parse_property();
      } else if (word == "comment" || word == "obj_info") {
        reader_.skip_line();
      } else {
        reader_.fail("element, property, comment or end_header", word);
      }
    }
    for (const PlyElement& element : elements_) {
      if (element.name == "vertex" && !has_coordinates(element)) reader_.fail_with("expected vertices with x, y and z");
    }
    reader_.skip_line();
    at_ = reader_.at();
  }

  static bool has_coordinates(const PlyElement& element) {
    return std::count_if(element.properties.begin(), element.properties.end(), is_coordinate) == 3;
  }
  static bool is_coordinate(const PlyProperty& property) {
    return !property.count_type && (property.name == "x" || property.name == "y" || property.name == "z");
  }

  ScalarType next_type() {
    const std::string_view word = reader_.next_word();
    const auto type = find_ply_type(word);
    if (!type) reader_.fail("a type like float or uchar", word);
    return *type;
  }

  void parse_property() {
    if (elements_.empty()) reader_.fail("element", "property");
    PlyProperty property{};
    const std::string_view word = reader_.next_word();
    if (word == "list") {
      property.count_type = next_type();
      property.type = next_type();
    } else {
      const auto type = find_ply_type(word);
      if (!type) reader_.fail("list or a type like float", word);
      property.type = *type;
    }
    property.name = reader_.next_word();
    elements_.back().properties.push_back(std::move(property));
  }

  void check_size_of(const PlyElement& element) const {
    const std::size_t left = data_.size() - position() + (binary_ ? 0 : 1);
    const std::size_t each = element.least_bytes(binary_);
    if (each == 0 || element.count <= left / each) return;
    throw InputError(fmt::format("{}: truncated: {} records \"{}\" take at least {} bytes each, but {} are left", file_,
                                 element.count, element.name, each, left));
  }

  std::size_t position() const { return binary_ ? at_ : reader_.at(); }

  double next_value(const ScalarType& type) {
    if (!binary_) return reader_.next_number();
    if (data_.size() - at_ < type.bytes) {
      throw InputError(fmt::format("{}: truncated: the {} bytes end inside a record", file_, data_.size()));
    }
    at_ += type.bytes;
    return read_scalar(type, data_, at_ - type.bytes);
  }

  // A whole number of 0 to most - 1.
  std::size_t next_index(const ScalarType& type, std::size_t most, const char* wanted, std::size_t record) {
    const double value = next_value(type);
    if (!(value >= 0.0 && value < static_cast<double>(most)) || value != std::floor(value)) {
      throw InputError(fmt::format("{}: {}: expected {} below {}, found {}", file_, name_place("record", record),
                                   wanted, most, value));
    }
    return static_cast<std::size_t>(value);
  }

  std::string name_place(const char* kind, std::size_t record) const {
    return binary_ ? fmt::format("{} {}", kind, record) : fmt::format("line {}", reader_.line());
  }

  void parse_record(const PlyElement& element, std::size_t record, Welder& welder) {
    Vec3 point = Vec3::Constant(std::nan(""));
    for (const PlyProperty& property : element.properties) {
      if (!property.count_type) {
        const double value = next_value(property.type);
        if (is_coordinate(property)) point[property.name[0] - 'x'] = value;
        continue;
      }
      const std::size_t count = next_index(*property.count_type, data_.size(), "the length of a list", record);
      const bool is_face =
          element.name == "face" && (property.name == "vertex_indices" || property.name == "vertex_index");
      if (is_face) {
        parse_face(property.type, count, record, welder);
      } else {
        for (std::size_t k = 0; k < count; ++k) next_value(property.type);
      }
    }
    if (element.name == "vertex") points_.push_back(point);
  }

  void parse_face(const ScalarType& type, std::size_t count, std::size_t record, Welder& welder) {
    std::array<std::size_t, 3> corners{};
    for (std::size_t k = 0; k < count; ++k) {
      corners[std::min<std::size_t>(k, 2)] = next_index(type, points_.size(), "the number of a vertex", record);
      if (k < 2) continue;
      for (const std::size_t v : corners) welder.add_corner(points_[v], "face", record);
      corners[1] = corners[2];
    }
  }

  const std::string& file_;
  std::string_view data_;
  TextReader reader_;
  bool binary_ = false;
  std::size_t at_ = 0;  // in binary data
  std::vector<PlyElement> elements_;
  std::vector<Vec3> points_;
};

}  // namespace

TriangleMesh load_ply(const std::string& file) {
  const std::string data = load_mesh_text(file, "PLY");
  return PlyReader(file, data).parse();
}

}  // namespace distal
