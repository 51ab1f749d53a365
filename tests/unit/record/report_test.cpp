#include "distal/record/report.hpp"

#include <gtest/gtest.h>

#include <cctype>

#include "distal/record/coarse_mesh.hpp"
#include "distal/record/painter.hpp"
#include "distal/record/snapshot_picture.hpp"
#include "pressed_sphere.hpp"
#include "scratch_folder.hpp"
#include "xml_check.hpp"

namespace distal {
namespace {

std::string press_report(int slices) {
  const test::ScratchFolder scratch;
  Recorder recorder(OutputFolder(scratch / "out", false), test::header_for_tests());
  test::record_press(recorder, slices);
  recorder.add_curve_row({"press", 1e-3, 0, 0, 0.1, 0.003, 3e-5, 0, 0});
  recorder.add_curve_row({"twist", 1e-3, 0.05, 0, 0.1, 0.003, 3e-5, 2e-4, 0});
  recorder.add_taxels("pad", 2, 3, std::vector<double>{0, 1, 2, 3, 4, 5}, 0.5);
  recorder.finish(test::end_for_tests());
  return test::read_text(scratch / "out/report.html");
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Report, IsOneFileThatNeedsNoNetwork) {
  const std::string html = press_report(24);
  for (const char* outside : {"http:", "https:", "src=", "@import", "<link", "url(/", "url(h"})
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  EXPECT_LT(html.size(), 3000000u);
}

TEST(Report, ShowsNoBrokenNumbers) {
  const std::string html = press_report(24);
  std::string word;
  for (const char c : html) {
    if (std::isalpha(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    ASSERT_TRUE(word != "nan" && word != "inf" && word != "infinity") << word;
    word.clear();
  }
}

TEST(Report, HasEveryPart) {
  const std::string html = press_report(24);
  EXPECT_EQ(count(html, "<svg class=\"picture\""), 8);  // four moments, as surface and as springs
  for (const char* part :
       {"Press a &lt;soft&gt; ball &amp; look", "(a) start", "(b) first contact", "(c) half way", "(d) deepest",
        "Contact force against time", "Contact torque against time", "Contact force against depth",
        "Normal force against depth", "Torque against twist", "Energy against time", "Contact patch seen from below",
        "Taxel grid", "Time to compute one control period", "99.9 %", "Peak and final wrenches on finger",
        "displacement of the surface [mm]", "pressure on finger [kPa]"})
    EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(Report, EveryDrawingIsWellFormed) {
  const std::string html = press_report(24);
  for (std::size_t at = html.find("<svg"); at != std::string::npos; at = html.find("<svg", at + 1))
    EXPECT_EQ(test::xml_problem(html.substr(at, html.find("</svg>", at) + 6 - at)), "");
}

TEST(Report, StaysSmallForFineMeshes) { EXPECT_LT(press_report(150).size(), 3000000u); }

TEST(Report, ARunThatRecordedNothingStillHasOne) {
  const History history(1);
  RunStatistics statistics;
  statistics.bodies.resize(1);
  const std::string html = report_html(test::header_for_tests(), test::end_for_tests(), statistics, history);
  EXPECT_NE(html.find("Nothing was touched"), std::string::npos);
  EXPECT_NE(html.find("What was run"), std::string::npos);
}

TEST(Snapshots, TellTheStoryInOrder) {
  History history(1);
  for (int i = 0; i <= 100; ++i) {
    const double depth =
        std::min(3e-3, std::max(0.0, 1e-4 * (i - 20)));  // touches at 21, holds 3 mm from 50 to the end
    history.add_frame(std::make_shared<const Frame>(Frame{0.01 * i, depth, depth > 0.0, {}}));
  }
  const std::vector<Snapshot> chosen = choose_snapshots(history);
  ASSERT_EQ(chosen.size(), 4u);
  EXPECT_DOUBLE_EQ(chosen[0].frame->time_s, 0.0);
  EXPECT_DOUBLE_EQ(chosen[1].frame->time_s, 0.21);
  EXPECT_NEAR(chosen[2].frame->depth_m, 1.55e-3, 2.5e-4);  // the nearest frame that was kept
  EXPECT_DOUBLE_EQ(chosen[3].frame->time_s, 1.0);
}

TEST(Painter, DrawsNearFacesLastAndLeavesOutHiddenOnes) {
  View view = make_view(Vec3(0, -1, 0));
  view.pixels_per_m = 1.0;
  const auto square = [](double y, double half) {
    TriangleMesh mesh;
    mesh.vertices = {
        {50 - half, y, -50 - half}, {50 + half, y, -50 - half}, {50 + half, y, -50 + half}, {50 - half, y, -50 + half}};
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    return mesh;
  };
  Painter painter(view, {100, 100});
  painter.add(
      square(-3.0, 10.0), 1e9,
      [](const auto&) {
        return Rgb{0.8, 0, 0};
      },
      false);
  painter.add(
      square(0.0, 30.0), 1e9,
      [](const auto&) {
        return Rgb{0, 0.8, 0};
      },
      false);
  painter.add(
      square(-2.0, 5.0), 1e9,
      [](const auto&) {
        return Rgb{0, 0, 0.8};
      },
      false);
  const std::string svg = painter.svg();
  const auto red = svg.find("#cc0000"), green = svg.find("#00cc00");
  ASSERT_NE(red, std::string::npos);
  ASSERT_NE(green, std::string::npos);
  EXPECT_LT(green, red);
  EXPECT_EQ(svg.find("#0000cc"), std::string::npos);  // behind the red one
}

TEST(CoarseMesh, KeepsTheShapeWithFewerTriangles) {
  const BodySnapshot ball = test::ball_snapshot(0.0, 120);
  ColoredMesh fine{ball.surface, std::vector<double>(ball.surface.vertices.size(), 2.5)};
  const ColoredMesh coarse = coarse_mesh(fine, 2000);
  EXPECT_LT(coarse.mesh.triangles.size(), 2500u);
  EXPECT_GT(coarse.mesh.triangles.size(), 800u);
  for (const double value : coarse.values) EXPECT_NEAR(value, 2.5, 1e-12);
  Aabb before, after;
  for (const Vec3& p : fine.mesh.vertices) before.add(p);
  for (const Vec3& p : coarse.mesh.vertices) after.add(p);
  EXPECT_LT((before.min - after.min).norm(), 1e-3);
  EXPECT_LT((before.max - after.max).norm(), 1e-3);
}

}  // namespace
}  // namespace distal
