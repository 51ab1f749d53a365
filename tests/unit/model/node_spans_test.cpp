// Spans of nodes: in order, apart, inside their plane, and around all that is wanted, in whole vectors.
#include "distal/model/node_spans.hpp"

#include <gtest/gtest.h>

#include "distal/model/model.hpp"

namespace distal {
namespace {

TEST(NodeSpans, AreWholeVectorsAroundWhatIsWanted) {
  NodeSpans spans;
  std::vector<char> wanted(40, 0);
  wanted[17] = wanted[20] = 1;
  spans.add_plane(wanted);  // nodes 0 to 39
  wanted.assign(40, 0);
  wanted[1] = wanted[39] = 1;
  spans.add_plane(wanted);  // 40 to 79
  spans.add_plane(std::vector<char>(40, 0));
  ASSERT_EQ(spans.planes(), 3);
  ASSERT_EQ(spans.plane(0).size(), 1U);
  EXPECT_EQ(spans.plane(0)[0].begin, 16U);
  EXPECT_EQ(spans.plane(0)[0].end, 32U);
  ASSERT_EQ(spans.plane(1).size(), 2U);
  EXPECT_EQ(spans.plane(1)[0].begin, 40U) << "not before its plane";
  EXPECT_EQ(spans.plane(1)[0].end, 48U);
  EXPECT_EQ(spans.plane(1)[1].begin, 64U);
  EXPECT_EQ(spans.plane(1)[1].end, 80U);
  EXPECT_TRUE(spans.plane(2).empty());
  EXPECT_EQ(spans.shifted(100).plane(1)[1].begin, 164U);
}

// The kernels leave nothing outside of them, in either layout.
TEST(NodeSpans, HoldAllNodesOfAFingerAndNotAllOfItsBox) {
  ModelDescription description;
  MaterialDescription& rubber = description.materials["rubber"];
  rubber.youngs_modulus_pa = 1e5, rubber.poissons_ratio = 0.45;
  FingertipDescription finger;
  finger.lattice.material = "rubber";
  finger.lattice.cell_size_m = 0.0005;
  description.bodies.emplace_back("finger", finger);
  const Lattice lattice = build_model(description).soft[0].lattice;
  for (const Precision precision : {Precision::float_, Precision::double_}) {
    const NodeSpans spans = repacked(lattice, precision).spans;
    ASSERT_EQ(spans.planes(), lattice.grid.nz);
    std::vector<char> inside(lattice.mass.size(), 0);
    std::size_t held = 0;
    for (int k = 0; k < spans.planes(); ++k)
      for (const NodeSpan& span : spans.plane(k)) {
        ASSERT_GE(span.begin, static_cast<std::size_t>(k * lattice.grid.plane_size()));
        ASSERT_LE(span.end, static_cast<std::size_t>((k + 1) * lattice.grid.plane_size()));
        for (std::size_t n = span.begin; n < span.end; ++n) inside[n] = 1;
        held += span.end - span.begin;
      }
    for (std::size_t n = 0; n < inside.size(); ++n) ASSERT_TRUE(inside[n] == 1 || lattice.mass[n] == 0.0) << n;
    EXPECT_LT(held, 19 * inside.size() / 20);
  }
}

}  // namespace
}  // namespace distal
