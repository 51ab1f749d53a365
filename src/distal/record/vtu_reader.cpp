#include "distal/record/vtu_reader.hpp"

#include <cstring>

#include "distal/record/row_reader.hpp"

namespace distal {
namespace {

// The value of an attribute in the text of a tag.
std::string_view attribute(std::string_view tag, std::string_view name) {
  const std::string key = fmt::format(" {}=\"", name);
  const std::size_t at = tag.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = tag.substr(at + key.size());
  return rest.substr(0, rest.find('"'));
}

class VtuText {
 public:
  explicit VtuText(const std::filesystem::path& file) : place_(file.string()), text_(load_whole_file(file)) {
    if (text_.find("<VTKFile type=\"UnstructuredGrid\"") == std::string::npos) refuse("is no frame of a run");
  }

  // The values of the array of that name; nothing where there is none.
  template <typename T>
  std::vector<T> array(std::string_view name, std::string_view type) const {
    const std::size_t at = text_.find(fmt::format("<DataArray type=\"{}\" Name=\"{}\"", type, name));
    if (at == std::string::npos) return {};
    const std::size_t begin = text_.find('>', at), end = text_.find("</DataArray>", at);
    std::vector<std::byte> bytes;
    std::uint64_t size = 0;
    if (begin == std::string::npos || end == std::string::npos ||
        !decode_base64(std::string_view(text_).substr(begin + 1, end - begin - 1), bytes) || bytes.size() < sizeof size)
      refuse(fmt::format("array {} is damaged", name));
    std::memcpy(&size, bytes.data(), sizeof size);
    if (size != bytes.size() - sizeof size || size % sizeof(T) != 0) refuse(fmt::format("array {} is cut off", name));
    std::vector<T> values(size / sizeof(T));
    if (size > 0) std::memcpy(values.data(), bytes.data() + sizeof size, size);
    for (const T value : values)
      if (!std::isfinite(static_cast<double>(value))) refuse(fmt::format("array {} holds what is no number", name));
    return values;
  }
  std::vector<Vec3> vectors(std::string_view name) const {
    const std::vector<float> values = array<float>(name, "Float32");
    if (values.size() % 3 != 0) refuse(fmt::format("array {} is cut off", name));
    std::vector<Vec3> result;
    for (std::size_t i = 0; i < values.size(); i += 3)
      result.emplace_back(static_cast<double>(values[i]), static_cast<double>(values[i + 1]),
                          static_cast<double>(values[i + 2]));
    return result;
  }
  // Names of all arrays with one number a point.
  std::vector<std::string> scalars() const {
    constexpr std::string_view kBegin = "<DataArray type=\"Float32\" Name=\"";
    std::vector<std::string> names;
    for (std::size_t at = text_.find(kBegin); at != std::string::npos; at = text_.find(kBegin, at + 1)) {
      const std::string_view tag = std::string_view(text_).substr(at, text_.find('>', at) - at);
      if (tag.find("NumberOfComponents=\"1\"") == std::string_view::npos) continue;
      const std::string_view name = tag.substr(kBegin.size());
      names.emplace_back(name.substr(0, name.find('"')));
    }
    return names;
  }
  [[noreturn]] void refuse(const std::string& what) const { throw InputError(fmt::format("{}: {}", place_, what)); }

 private:
  std::string place_, text_;
};

void read_cells(const VtuText& text, VtuGrid& grid) {
  const auto corners = text.array<std::int32_t>("connectivity", "Int32");
  const auto ends = text.array<std::int32_t>("offsets", "Int32");
  const auto bodies = text.array<std::int32_t>("body", "Int32");
  const auto count = static_cast<std::int32_t>(grid.points.size());
  if (bodies.size() != ends.size()) text.refuse("cells without bodies");
  for (const std::int32_t corner : corners)
    if (corner < 0 || corner >= count) text.refuse("a cell with a point that is not there");
  std::size_t begin = 0;
  for (std::size_t c = 0; c < ends.size(); ++c) {
    const auto end = static_cast<std::size_t>(ends[c]);
    if (ends[c] < 0 || end < begin || end > corners.size()) text.refuse("cells out of order");
    if (end - begin == 3) {
      grid.triangles.push_back({corners[begin], corners[begin + 1], corners[begin + 2]});
      grid.triangle_body.push_back(bodies[c]);
    } else if (end - begin == 2) {
      grid.lines.push_back({corners[begin], corners[begin + 1]});
      grid.line_body.push_back(bodies[c]);
    } else if (end - begin == 1) {
      grid.vertices.push_back(corners[begin]);
      grid.vertex_body.push_back(bodies[c]);
    }
    begin = end;
  }
}

int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

bool decode_base64(std::string_view text, std::vector<std::byte>& bytes) {
  bytes.clear();
  if (text.size() % 4 != 0) return false;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool last = i + 4 == text.size();
    const std::size_t padding = last && text[i + 3] == '=' ? (text[i + 2] == '=' ? 2 : 1) : 0;
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const int digit = j < 4 - padding ? digit_of(text[i + j]) : 0;
      if (digit < 0) return false;
      group = group << 6 | static_cast<std::uint32_t>(digit);
    }
    for (std::size_t j = 0; j < 3 - padding; ++j) bytes.push_back(static_cast<std::byte>(group >> (16 - 8 * j) & 255));
  }
  return true;
}

VtuGrid load_vtu(const std::filesystem::path& file) {
  const VtuText text(file);
  VtuGrid grid;
  grid.points = text.vectors("Points");
  read_cells(text, grid);
  for (const std::string& name : text.scalars()) {
    const auto values = text.array<float>(name, "Float32");
    if (!values.empty()) grid.scalars.push_back({name, {values.begin(), values.end()}});
  }
  for (const char* name : {"displacement_m", "contact_force_n"})
    if (auto values = text.vectors(name); !values.empty()) grid.vectors.push_back({name, std::move(values)});
  for (const auto& scalars : grid.scalars)
    if (scalars.values.size() != grid.points.size()) text.refuse("has values for other points than it has");
  for (const auto& vectors : grid.vectors)
    if (vectors.values.size() != grid.points.size()) text.refuse("has values for other points than it has");
  return grid;
}

std::vector<FrameFiles> load_frame_list(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "run.pvd";
  const std::string text = load_whole_file(file);
  if (text.find("<Collection>") == std::string::npos || text.find("</Collection>") == std::string::npos)
    throw InputError(fmt::format("{}: is damaged: it is no whole list of frames", file.string()));
  std::vector<FrameFiles> frames;
  for (std::size_t at = text.find("<DataSet"); at != std::string::npos; at = text.find("<DataSet", at + 1)) {
    const std::string_view tag = std::string_view(text).substr(at, text.find('>', at) - at);
    const std::string_view time = attribute(tag, "timestep");
    const std::filesystem::path path(attribute(tag, "file"));
    double time_s = 0.0;
    const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), time_s);
    // Only files that a run writes: a list made by somebody else must not lead out of the folder.
    if (error != std::errc() || end != time.data() + time.size() || !std::isfinite(time_s) ||
        path.parent_path() != "frames")
      throw InputError(fmt::format("{}: a damaged entry: {}", file.string(), tag));
    if (!frames.empty() && time_s < frames.back().time_s)
      throw InputError(fmt::format("{}: its times do not rise", file.string()));
    if (frames.empty() || time_s > frames.back().time_s) frames.push_back({time_s, {}, {}, {}});
    const std::string name = path.filename().string();
    if (name.starts_with("surface")) frames.back().surface = folder / path;
    if (name.starts_with("lattice")) frames.back().lattice = folder / path;
    if (name.starts_with("rigid")) frames.back().rigid = folder / path;
  }
  if (frames.empty())
    throw InputError(fmt::format("{}: the run wrote no frames; record.frames_per_s says how many", file.string()));
  return frames;
}

}  // namespace distal
