#include "distal/record/frame_writer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <set>
#include <thread>

#include "distal/core/error.hpp"
#include "distal/record/vtu.hpp"
#include "pressed_sphere.hpp"
#include "scratch_folder.hpp"
#include "xml_check.hpp"

namespace distal {
namespace {

std::string base64(std::string_view text) {
  std::string result;
  append_base64(result, std::as_bytes(std::span(text.data(), text.size())));
  return result;
}

// The values of one array of a VTU file, decoded again.
template <typename T>
std::vector<T> array_of(const std::string& vtu, const std::string& name) {
  const std::size_t start = vtu.find('>', vtu.find("Name=\"" + name + "\"")) + 1;
  const std::string digits = vtu.substr(start, vtu.find('<', start) - start);
  std::string bytes;
  std::uint32_t group = 0;
  int bits = 0;
  for (const char c : digits) {
    const auto digit = std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string_view::npos) break;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits >= 8) bytes += static_cast<char>(group >> (bits -= 8) & 255);
  }
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data(), sizeof size);
  EXPECT_EQ(bytes.size(), size + sizeof size) << name;
  std::vector<T> values(size / sizeof(T));
  std::memcpy(values.data(), bytes.data() + sizeof size, size);
  return values;
}

TEST(Base64, MatchesTheStandardsExamples) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Vtu, HoldsPointsCellsAndValues) {
  VtuGrid grid;
  grid.points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0.5}};
  grid.triangles = {{0, 1, 2}};
  grid.triangle_body = {7};
  grid.lines = {{1, 2}};
  grid.line_body = {8};
  grid.vertices = {2};
  grid.vertex_body = {9};
  grid.scalars = {{"pressure_pa", {1.0, 2.0, 3.5}}};
  grid.vectors = {{"displacement_m", {{0, 0, 0}, {0, 0, 1}, {4, 5, 6}}}};
  const std::string vtu = vtu_text(grid);
  EXPECT_EQ(test::xml_problem(vtu), "");
  EXPECT_NE(vtu.find("NumberOfPoints=\"3\" NumberOfCells=\"3\""), std::string::npos);
  EXPECT_EQ(array_of<float>(vtu, "Points"), (std::vector<float>{0, 0, 0, 1, 0, 0, 0, 2, 0.5f}));
  EXPECT_EQ(array_of<float>(vtu, "pressure_pa"), (std::vector<float>{1, 2, 3.5f}));
  EXPECT_EQ(array_of<float>(vtu, "displacement_m"), (std::vector<float>{0, 0, 0, 0, 0, 1, 4, 5, 6}));
  EXPECT_EQ(array_of<std::int32_t>(vtu, "connectivity"), (std::vector<std::int32_t>{0, 1, 2, 1, 2, 2}));
  EXPECT_EQ(array_of<std::int32_t>(vtu, "offsets"), (std::vector<std::int32_t>{3, 5, 6}));
  EXPECT_EQ(array_of<std::uint8_t>(vtu, "types"), (std::vector<std::uint8_t>{5, 3, 1}));
  EXPECT_EQ(array_of<std::int32_t>(vtu, "body"), (std::vector<std::int32_t>{7, 8, 9}));
}

std::shared_ptr<const Frame> frame_of(double time_s, const std::vector<BodySnapshot>& bodies) {
  return std::make_shared<const Frame>(Frame{time_s, 0.0, false, bodies});
}

TEST(FrameWriter, FramesAreListedAndReadable) {
  const test::ScratchFolder scratch;
  FrameWriter writer(OutputFolder(scratch.path(), false));
  const std::vector<BodySnapshot> bodies = {test::ball_snapshot(0.9, 12), test::table_snapshot()};
  for (int frame = 0; frame < 3; ++frame) {
    writer.add(frame_of(0.1 * frame, bodies));
    writer.finish();
    const std::string index = test::read_text(scratch / "run.pvd");
    EXPECT_EQ(test::xml_problem(index), "");
    EXPECT_NE(index.find("frames/surface_00000" + std::to_string(frame) + ".vtu"), std::string::npos);
  }
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(scratch / "frames")) {
    files.insert(entry.path().filename().string());
    EXPECT_EQ(test::xml_problem(test::read_text(entry.path())), "") << entry.path();
  }
  EXPECT_EQ(files.size(), 9u);  // surface, lattice and rigid of three frames, nothing unfinished
  const std::string surface = test::read_text(scratch / "frames/surface_000002.vtu");
  EXPECT_EQ(array_of<float>(surface, "pressure_pa").size(), bodies[0].surface.vertices.size());
  const std::string rigid = test::read_text(scratch / "frames/rigid_000002.vtu");
  EXPECT_EQ(array_of<std::uint8_t>(rigid, "types").size(),
            bodies[0].rod.triangles.size() + bodies[1].surface.triangles.size());
}

TEST(FrameWriter, EveryFrameHasItsOwnCells) {
  const test::ScratchFolder scratch;
  FrameWriter writer(OutputFolder(scratch.path(), false));
  // The same cells, moved; others; and the first ones again.
  const std::vector<BodySnapshot> frames = {test::ball_snapshot(0.1, 12), test::ball_snapshot(0.9, 12),
                                            test::ball_snapshot(0.9, 18), test::ball_snapshot(0.1, 12)};
  for (std::size_t frame = 0; frame < frames.size(); ++frame) {
    writer.add(frame_of(static_cast<double>(frame), {frames[frame]}));
    writer.finish();
    const std::string name = "frames/surface_00000" + std::to_string(frame) + ".vtu";
    const TriangleMesh& mesh = frames[frame].surface;
    std::vector<std::int32_t> corners;
    for (const auto& triangle : mesh.triangles) corners.insert(corners.end(), triangle.begin(), triangle.end());
    std::vector<float> points;
    for (const Vec3& vertex : mesh.vertices)
      for (const double value : vertex) points.push_back(static_cast<float>(value));
    const std::string vtu = test::read_text(scratch / name.c_str());
    EXPECT_EQ(array_of<std::int32_t>(vtu, "connectivity"), corners) << name;
    EXPECT_EQ(array_of<float>(vtu, "Points"), points) << name;
  }
}

TEST(FrameWriter, LongRunsAreListedInFullAtTheEnd) {
  const test::ScratchFolder scratch;
  FrameWriter writer(OutputFolder(scratch.path(), false));
  for (int frame = 0; frame < 199; ++frame) writer.add(frame_of(frame, {test::table_snapshot()}));
  const auto count = [&] {
    const std::string index = test::read_text(scratch / "run.pvd");
    std::size_t found = 0;
    for (std::size_t at = index.find("<DataSet"); at != std::string::npos; at = index.find("<DataSet", at + 1)) ++found;
    return found;
  };
  while (!std::filesystem::exists(scratch / "frames/rigid_000198.vtu")) std::this_thread::yield();
  EXPECT_GE(count(), 193u);
  EXPECT_LT(count(), 199u);  // or the end has nothing to do
  writer.finish();
  EXPECT_EQ(count(), 199u);
}

TEST(FrameWriter, WritesWhatWaitsBeforeItGoes) {
  const test::ScratchFolder scratch;
  {
    FrameWriter writer(OutputFolder(scratch.path(), false));
    for (int frame = 0; frame < 10; ++frame) writer.add(frame_of(frame, {test::table_snapshot()}));
  }
  EXPECT_TRUE(std::filesystem::exists(scratch / "frames/rigid_000009.vtu"));
}

TEST(FrameWriter, SaysOnceThatAFrameCannotBeWritten) {
  const test::ScratchFolder scratch;
  FrameWriter writer(OutputFolder(scratch.path(), false));
  std::ofstream(scratch / "frames") << "a file where the folder should be";
  writer.add(frame_of(0.0, {test::table_snapshot()}));
  EXPECT_THROW(writer.finish(), OutputError);
  std::filesystem::remove(scratch / "frames");
  writer.add(frame_of(1.0, {test::table_snapshot()}));
  writer.finish();
  EXPECT_TRUE(std::filesystem::exists(scratch / "run.pvd"));
}

}  // namespace
}  // namespace distal
