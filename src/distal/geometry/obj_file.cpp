// Wavefront OBJ: "v x y z" and "f a b c ...", where a corner may be a, a/t, a//n or a/t/n, and negative counts back.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "distal/geometry/mesh_formats.hpp"
#include "distal/geometry/text_reader.hpp"
#include "distal/geometry/welder.hpp"

namespace distal {
namespace {

// Says nothing about the shape.
constexpr std::array<std::string_view, 19> ignored_obj_words{
    "vt", "vn",  "vp",     "g",          "o",         "s",     "mg",       "usemtl",   "mtllib", "usemap",
    "l",  "lod", "maplib", "shadow_obj", "trace_obj", "bevel", "c_interp", "d_interp", "p"};

std::size_t to_obj_vertex(const TextReader& reader, std::string_view corner, std::size_t count) {
  const std::int64_t number = reader.to_integer(corner.substr(0, corner.find('/')), "the number of a vertex");
  const auto most = static_cast<std::int64_t>(count);
  if (number == 0 || number > most || number < -most) {
    reader.fail(fmt::format("one of the {} vertices so far, counted from 1, or back from -1", most), corner);
  }
  return static_cast<std::size_t>(number > 0 ? number - 1 : most + number);
}

}  // namespace

TriangleMesh load_obj(const std::string& file) {
  const std::string data = load_mesh_text(file, "OBJ");
  TextReader reader(file, data, '#');
  Welder welder(file);
  std::vector<Vec3> points;
  std::vector<std::size_t> corners;
  while (reader.skip_space()) {
    const std::string_view word = reader.next_word();
    if (word == "v") {
      Vec3 p;
      for (int k = 0; k < 3; ++k) {
        const std::string_view number = reader.next_word_of_line();
        if (number.empty()) reader.fail_with(fmt::format("expected three coordinates, found {}", k));
        p[k] = reader.to_number(number);
      }
      points.push_back(p);
    } else if (word == "f") {
      corners.clear();
      for (auto corner = reader.next_word_of_line(); !corner.empty(); corner = reader.next_word_of_line()) {
        corners.push_back(to_obj_vertex(reader, corner, points.size()));
      }
      if (corners.size() < 3) {
        reader.fail_with(fmt::format("expected a face of at least three corners, found {}", corners.size()));
      }
      for (std::size_t k = 2; k < corners.size(); ++k) {
        for (const std::size_t v : {corners[0], corners[k - 1], corners[k]}) {
          welder.add_corner(points[v], "line", reader.line());
        }
      }
    } else if (std::find(ignored_obj_words.begin(), ignored_obj_words.end(), word) == ignored_obj_words.end()) {
      reader.fail("v, f or another word of polygons", word);
    }
    // What follows, such as weights, colours and names, is not needed.
    while (!reader.next_word_of_line().empty()) continue;
  }
  return welder.finish("OBJ");
}

}  // namespace distal
