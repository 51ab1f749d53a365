// Gmsh's own format, versions 2.2 and 4.1 in ASCII: sections between $Name and $EndName.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "distal/core/error.hpp"
#include "distal/geometry/mesh_formats.hpp"
#include "distal/geometry/text_reader.hpp"

namespace distal {
namespace {

constexpr std::int64_t gmsh_tetrahedron = 4;

// Of points, lines, triangles and quadrangles, linear or curved.
bool is_gmsh_surface_element(std::int64_t type) {
  return (type >= 1 && type <= 3) || (type >= 8 && type <= 10) || type == 15 || type == 16 ||
         (type >= 20 && type <= 28);
}

class GmshReader {
 public:
  GmshReader(const std::string& file, std::string_view data) : reader_(file, data) {}

  TetMesh parse() {
    parse_format();
    bool has_nodes = false;
    while (reader_.skip_space()) {
      const std::string_view section = reader_.next_word();
      if (section == "$Nodes") {
        if (has_nodes) reader_.fail_with("a second $Nodes, one is allowed");
        has_nodes = true;
        is_new_ ? parse_node_blocks() : parse_nodes();
        reader_.expect("$EndNodes");
      } else if (section == "$Elements") {
        if (!has_nodes) reader_.fail("$Nodes before $Elements", section);
        is_new_ ? parse_element_blocks() : parse_elements();
        reader_.expect("$EndElements");
      } else if (section.starts_with('$') && !section.starts_with("$End")) {
        skip_section(section);
      } else {
        reader_.fail("a section like $Nodes or $Elements", section);
      }
    }
    return std::move(mesh_);
  }

 private:
  void parse_format() {
    reader_.expect("$MeshFormat");
    const std::string_view version = reader_.next_word();
    if (version != "2.2" && version != "4.1") reader_.fail("version 2.2 or 4.1 of the format", version);
    is_new_ = version == "4.1";
    const std::string_view type = reader_.next_word();
    if (type == "1") {
      reader_.fail_with(
          "a binary file, expected ASCII (type 0): save it with Mesh.Binary = 0, or without -bin on Gmsh's command "
          "line");
    }
    if (type != "0") reader_.fail("0 (ASCII)", type);
    reader_.next_integer("the size of a number");
    reader_.expect("$EndMeshFormat");
  }

  void skip_section(std::string_view section) {
    const std::string end = "$End" + std::string(section.substr(1));
    while (true) {
      const std::string_view word = reader_.next_word();
      if (word == end) return;
      if (word.empty()) reader_.fail(end, word);
    }
  }

  void add_node(std::int64_t tag, const Vec3& p) {
    if (!number_.try_emplace(tag, static_cast<std::int32_t>(mesh_.vertices.size())).second) {
      reader_.fail_with(fmt::format("node {} stands there twice", tag));
    }
    mesh_.vertices.push_back(p);
  }

  Vec3 next_point() {
    Vec3 p;
    for (int k = 0; k < 3; ++k) p[k] = reader_.next_finite();
    return p;
  }

  void add_tetrahedron() {
    std::array<std::int32_t, 4> cell;
    for (std::int32_t& v : cell) {
      const std::int64_t tag = reader_.next_integer("the number of a node");
      const auto found = number_.find(tag);
      if (found == number_.end()) reader_.fail_with(fmt::format("node {} is not among the $Nodes", tag));
      v = found->second;
    }
    mesh_.cells.push_back(cell);
  }

  [[noreturn]] void refuse_element(std::int64_t type) {
    reader_.fail_with(fmt::format(
        "expected tetrahedra of four nodes (type 4), found an element of type {}: mesh with first order and without "
        "hexahedra, prisms or pyramids",
        type));
  }

  // Version 2.2: "number x y z" and "number type tags... nodes...".
  void parse_nodes() {
    const std::size_t count = reader_.next_count("the count of nodes", 8);
    for (std::size_t i = 0; i < count; ++i) {
      const std::int64_t tag = reader_.next_integer("the number of a node");
      add_node(tag, next_point());
    }
  }

  void parse_elements() {
    const std::size_t count = reader_.next_count("the count of elements", 6);
    for (std::size_t i = 0; i < count; ++i) {
      reader_.next_integer("the number of an element");
      const std::int64_t type = reader_.next_integer("the type of an element");
      if (is_gmsh_surface_element(type)) {
        reader_.skip_line();
        continue;
      }
      if (type != gmsh_tetrahedron) refuse_element(type);
      const std::size_t tags = reader_.next_count("the count of tags", 2);
      for (std::size_t tag = 0; tag < tags; ++tag) reader_.next_integer("a tag");
      add_tetrahedron();
    }
  }

  // Version 4.1: blocks of one entity each; in a block of nodes all tags stand before all points.
  void parse_node_blocks() {
    const std::size_t blocks = reader_.next_count("the count of blocks", 8);
    reader_.next_count("the count of nodes", 8);
    for (int k = 0; k < 2; ++k) reader_.next_integer("the range of node numbers");
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::int64_t dimension = reader_.next_integer("the dimension of an entity");
      reader_.next_integer("the number of an entity");
      const bool parametric = reader_.next_integer("0 or 1 (parametric)") != 0;
      std::vector<std::int64_t> tags(reader_.next_count("the count of nodes of a block", 8));
      for (std::int64_t& tag : tags) tag = reader_.next_integer("the number of a node");
      for (const std::int64_t tag : tags) {
        add_node(tag, next_point());
        for (std::int64_t k = 0; parametric && k < std::min<std::int64_t>(dimension, 3); ++k) reader_.next_number();
      }
    }
  }

  void parse_element_blocks() {
    const std::size_t blocks = reader_.next_count("the count of blocks", 8);
    reader_.next_count("the count of elements", 4);
    for (int k = 0; k < 2; ++k) reader_.next_integer("the range of element numbers");
    for (std::size_t block = 0; block < blocks; ++block) {
      reader_.next_integer("the dimension of an entity");
      reader_.next_integer("the number of an entity");
      const std::int64_t type = reader_.next_integer("the type of the elements");
      const std::size_t count = reader_.next_count("the count of elements of a block", 4);
      if (is_gmsh_surface_element(type)) {
        for (std::size_t line = 0; line <= count; ++line) reader_.skip_line();  // the first is this one's rest
        continue;
      }
      if (type != gmsh_tetrahedron) refuse_element(type);
      for (std::size_t i = 0; i < count; ++i) {
        reader_.next_integer("the number of an element");
        add_tetrahedron();
      }
    }
  }

  TextReader reader_;
  TetMesh mesh_;
  std::unordered_map<std::int64_t, std::int32_t> number_;
  bool is_new_ = false;
};

}  // namespace

TetMesh load_gmsh(const std::string& file) {
  const std::string data = load_mesh_text(file, "Gmsh");
  return GmshReader(file, data).parse();
}

}  // namespace distal
