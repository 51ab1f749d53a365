// VTK's unstructured grid in XML: one piece, arrays as text or as uncompressed base64.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "distal/geometry/base64.hpp"
#include "distal/geometry/mesh_formats.hpp"
#include "distal/geometry/scalar_type.hpp"
#include "distal/geometry/xml_scanner.hpp"

namespace distal {
namespace {

constexpr int vtk_tetrahedron = 10;

// Points, lines, triangles, quadrangles and polygons, linear or curved.
bool is_vtk_surface_cell(double type) { return (type >= 0 && type <= 9) || (type >= 21 && type <= 23); }

std::optional<ScalarType> find_vtk_type(std::string_view name) {
  using Kind = ScalarType::Kind;
  for (const std::size_t bits : {8u, 16u, 32u, 64u}) {
    if (name == fmt::format("Int{}", bits)) return ScalarType{Kind::signed_integer, bits / 8};
    if (name == fmt::format("UInt{}", bits)) return ScalarType{Kind::unsigned_integer, bits / 8};
    if (bits >= 32 && name == fmt::format("Float{}", bits)) return ScalarType{Kind::real, bits / 8};
  }
  return {};
}

class VtuReader {
 public:
  VtuReader(const std::string& file, std::string_view data) : file_(file), data_(data), scanner_(file, data) {}

  TetMesh parse() {
    find_arrays();
    TetMesh mesh;
    const std::vector<double> points = read_array("Points", 3 * point_count_);
    for (std::size_t v = 0; v < point_count_; ++v) mesh.vertices.emplace_back(&points[3 * v]);
    const std::vector<double> types = read_array("types", cell_count_);
    const std::vector<double> offsets = read_array("offsets", cell_count_);
    check_offsets(offsets);
    const auto total = offsets.empty() ? 0 : static_cast<std::size_t>(offsets.back());
    const std::vector<double> corners = read_array("connectivity", total);
    for (std::size_t i = 0; i < cell_count_; ++i) {
      if (is_vtk_surface_cell(types[i])) continue;
      const auto begin = i == 0 ? 0 : static_cast<std::size_t>(offsets[i - 1]);
      const auto size = static_cast<std::size_t>(offsets[i]) - begin;
      if (types[i] != vtk_tetrahedron || size != 4) {
        fail_in("types", fmt::format("cell {}: expected a tetrahedron (type 10, four points), found type {} with {} "
                                     "points; curved and other solid cells cannot be read",
                                     i, types[i], size));
      }
      add_cell(i, &corners[begin], mesh);
    }
    return mesh;
  }

 private:
  // An array, by its name or by what it stands in.
  struct Array {
    XmlTag tag;
    std::size_t text_end;
  };

  void find_arrays() {
    XmlTag tag = scanner_.next_tag();
    if (tag.name != "VTKFile") scanner_.reader_at(0).fail("<VTKFile>", data_.substr(0, 40));
    if (tag.find("type") != "UnstructuredGrid") fail_at(tag, "type=\"UnstructuredGrid\"", tag.find("type"));
    file_tag_ = tag;
    std::string section;
    bool closed = false;
    // Behind it there may be bytes that are no XML.
    while (!closed && tag.name != "AppendedData") {
      tag = scanner_.next_tag();
      if (tag.name.empty()) scanner_.reader_at(data_.size()).fail("</VTKFile>", {});
      closed = tag.name == "/VTKFile";
      if (tag.name == "Piece") start_piece(tag);
      if (tag.name == "Points" || tag.name == "Cells" || tag.name == "PointData" || tag.name == "CellData") {
        section = tag.name;
      }
      if (tag.name != "DataArray") continue;
      const std::size_t text_end = std::min(data_.find('<', tag.end), data_.size());
      if (section == "Points") arrays_.insert_or_assign("Points", Array{tag, text_end});
      if (section == "Cells") arrays_.insert_or_assign(tag.find("Name"), Array{tag, text_end});
    }
    if (!piece_) scanner_.reader_at(file_tag_.begin).fail_with("expected a <Piece>, found none");
  }

  void start_piece(const XmlTag& tag) {
    if (piece_) fail_at(tag, "one <Piece>", "a second one");
    piece_ = true;
    point_count_ = read_count(tag, "NumberOfPoints");
    cell_count_ = read_count(tag, "NumberOfCells");
  }

  // More than the file has bytes cannot be.
  std::size_t read_count(const XmlTag& tag, const char* attribute) const {
    const TextReader reader = scanner_.reader_at(tag.begin);
    const std::string text = tag.find(attribute);
    const std::int64_t count = reader.to_integer(text.empty() ? "nothing" : text, attribute);
    if (count < 0 || static_cast<std::size_t>(count) > data_.size()) {
      reader.fail_with(fmt::format("expected {} of 0 to {}, as the file has so many bytes, found {}", attribute,
                                   data_.size(), count));
    }
    return static_cast<std::size_t>(count);
  }

  std::vector<double> read_array(const char* name, std::size_t count) const {
    const auto found = arrays_.find(name);
    if (found == arrays_.end())
      scanner_.reader_at(file_tag_.begin).fail_with(fmt::format("expected an array \"{}\", found none", name));
    const XmlTag& tag = found->second.tag;
    const auto type = find_vtk_type(tag.find("type"));
    if (!type) fail_at(tag, "a type like Float64 or Int32", tag.find("type"));
    const std::string format = tag.find("format");
    if (format == "binary") return read_base64(name, *type, count);
    if (format != "ascii") {
      fail_at(tag, "format=\"ascii\" or \"binary\" (inline; save without appended data)", format);
    }
    TextReader reader(file_, data_, tag.end, found->second.text_end);
    const std::size_t bytes = found->second.text_end - tag.end;
    if (count > (bytes + 1) / 2) {
      reader.fail_with(fmt::format("array \"{}\": expected {} numbers, but there are {} bytes", name, count, bytes));
    }
    std::vector<double> values(count);
    for (double& value : values) value = reader.next_finite();
    if (reader.skip_space()) reader.fail(fmt::format("{} numbers in array \"{}\"", count, name), "more");
    return values;
  }

  std::vector<double> read_base64(const char* name, const ScalarType& type, std::size_t count) const {
    const Array& array = arrays_.find(name)->second;
    if (!file_tag_.find("compressor").empty()) fail_at(file_tag_, "no compressor", file_tag_.find("compressor"));
    const std::string order = file_tag_.find("byte_order");
    if (order != "LittleEndian") fail_at(file_tag_, "byte_order=\"LittleEndian\"", order);
    const TextReader reader = scanner_.reader_at(array.tag.end);
    const auto text = data_.substr(array.tag.end, array.text_end - array.tag.end);
    const auto decoded = decode_base64(text);
    if (!decoded) reader.fail_with(fmt::format("array \"{}\": expected groups of four base64 digits", name));
    const std::string& bytes = *decoded;
    // The length of the data in front of it.
    const std::size_t header = file_tag_.find("header_type") == "UInt64" ? 8 : 4;
    const std::size_t said = bytes.size() < header ? 0 : read_little_endian(bytes, 0, header);
    if (bytes.size() < header || said != bytes.size() - header || said != count * type.bytes) {
      reader.fail_with(
          fmt::format("array \"{}\": expected a header of {} bytes and {} numbers of {}, found {} bytes and "
                      "a header that says {}",
                      name, header, count, type.bytes, bytes.size(), said));
    }
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = read_scalar(type, bytes, header + i * type.bytes);
      if (!std::isfinite(values[i])) fail_in(name, fmt::format("number {} is not finite", i));
    }
    return values;
  }

  // Whole numbers that grow, so that every cell has its own corners.
  void check_offsets(const std::vector<double>& offsets) const {
    double last = 0.0;
    for (const double offset : offsets) {
      if (!(offset >= last && offset <= static_cast<double>(data_.size())) || offset != std::floor(offset)) {
        fail_in("offsets", fmt::format("expected whole numbers that grow, found {} after {}", offset, last));
      }
      last = offset;
    }
  }

  void add_cell(std::size_t i, const double* corners, TetMesh& mesh) const {
    std::array<std::int32_t, 4> cell;
    for (int k = 0; k < 4; ++k) {
      if (!(corners[k] >= 0.0 && corners[k] < static_cast<double>(point_count_)) ||
          corners[k] != std::floor(corners[k])) {
        fail_in("connectivity", fmt::format("cell {}: expected points of 0 to {}, found {}", i,
                                            static_cast<std::int64_t>(point_count_) - 1, corners[k]));
      }
      cell[k] = static_cast<std::int32_t>(corners[k]);
    }
    mesh.cells.push_back(cell);
  }

  [[noreturn]] void fail_in(const char* name, const std::string& message) const {
    scanner_.reader_at(arrays_.find(name)->second.tag.begin).fail_with(fmt::format("array \"{}\": {}", name, message));
  }
  [[noreturn]] void fail_at(const XmlTag& tag, const char* wanted, const std::string& found) const {
    scanner_.reader_at(tag.begin).fail_with(fmt::format("expected {}, found {}", wanted, quote(found)));
  }

  std::string file_;
  std::string_view data_;
  XmlScanner scanner_;
  XmlTag file_tag_;
  bool piece_ = false;
  std::size_t point_count_ = 0;
  std::size_t cell_count_ = 0;
  std::map<std::string, Array, std::less<>> arrays_;
};

}  // namespace

TetMesh load_vtu(const std::string& file) {
  const std::string data = load_mesh_text(file, "VTK");
  return VtuReader(file, data).parse();
}

}  // namespace distal
