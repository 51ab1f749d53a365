// Any two shapes of any size at any pose, also the awkward ones: what must hold for all of them.
#include "convex_shapes.hpp"
#include "distal/geometry/box_mesh.hpp"
#include "distal/geometry/manifold.hpp"
#include "support/cases.hpp"
#include "support_reference.hpp"

namespace distal {
namespace {

struct Placed {
  Shape shape;
  Pose pose;
  double size_m;
};

class StressPairs {
 public:
  explicit StressPairs(unsigned seed) : random_(seed) {
    for (int i = 0; i < 6; ++i) pebbles_.push_back(make_pebble(random_, 6 + 9 * i, {1.0, 0.7, 0.4}));
  }

  Shape shape(double s) {
    const auto share = [&] { return s * random_.between(0.2, 1.0); };
    switch (random_.below(6)) {
      case 0:
        return SphereShape{share()};
      case 1:
        return BoxShape{{share(), share(), share()}};
      case 2:
        return CapsuleShape{share(), share()};
      case 3:
        return CylinderShape{share(), share()};
      case 4:
        return make_convex(make_box_mesh(2.0 * Vec3(share(), share(), share()), s));
      default: {
        TriangleMesh mesh = pebbles_[random_.below(pebbles_.size())];
        for (Vec3& v : mesh.vertices) v *= s;
        return make_convex(mesh);
      }
    }
  }

  std::pair<Placed, Placed> pair() {
    const double size = std::pow(10.0, random_.between(-4.0, 1.0)),
                 other = random_.below(3) == 0 ? size * std::pow(10.0, random_.between(-2.0, 2.0)) : size;
    Placed a{shape(size), {random_.vector(), random_.turn()}, size}, b{shape(other), {}, other};
    const std::size_t kind = random_.below(5);
    // Anywhere near; square to each other; in the same place; the same shape in the same place; faces in one plane.
    b.pose.q = kind == 0 ? random_.turn() : kind == 1 ? a.pose.q * random_.right_turn() : a.pose.q;
    b.pose.position = a.pose.position;
    if (kind < 2) b.pose.position += 1.2 * std::max(size, other) * random_.vector();
    if (kind == 3) b.shape = a.shape, b.size_m = a.size_m;
    if (kind == 4) {
      const Vec3 n = a.pose.q * Vec3::Unit(static_cast<Eigen::Index>(random_.below(3)));
      b.pose.position += (shadow(a.shape, a.pose, n) + shadow(b.shape, b.pose, -n)) * n;
    }
    return {a, b};
  }

  RandomPoses& random() { return random_; }

 private:
  RandomPoses random_;
  std::vector<TriangleMesh> pebbles_;
};

TEST(ManifoldStress, TenThousandPairsAreFoundExactlyAndSymmetrically) {
  StressPairs pairs(21);
  const std::vector<Vec3> directions = spread_directions(60);
  int overlapping = 0;
  for (int i = 0; i < test::cases(10000); ++i) {
    const auto [a, b] = pairs.pair();
    const double size = a.size_m + b.size_m, margin = 10.0 * size;
    const auto found = manifolds(a.shape, a.pose, b.shape, b.pose, margin);
    ASSERT_EQ(found.size(), 1U) << i;
    expect_sound(found[0], margin);
    const double depth = deepest(found[0]);
    // The separation is that of the shadows along the normal, and no other direction parts the shapes sooner.
    ASSERT_NEAR(depth, shadow_gap(a.shape, a.pose, b.shape, b.pose, found[0].normal), 1e-7 * size + 1e-14)
        << i << ": " << a.shape.index() << " " << b.shape.index();
    for (const Vec3& n : directions)
      ASSERT_GE(depth, shadow_gap(a.shape, a.pose, b.shape, b.pose, n) - 1e-7 * size - 1e-14)
          << i << ": " << a.shape.index() << " " << b.shape.index();
    const auto swapped = manifolds(b.shape, b.pose, a.shape, a.pose, margin);
    ASSERT_EQ(swapped.size(), 1U);
    ASSERT_NEAR(deepest(swapped[0]), depth, 1e-7 * size + 1e-14) << i;
    // Without a margin, found just when they overlap.
    if (std::abs(depth) > 1e-12 * size) {
      ASSERT_EQ(manifolds(a.shape, a.pose, b.shape, b.pose, 0.0).size(), depth < 0.0 ? 1U : 0U) << i;
    }
    const auto again = manifolds(a.shape, a.pose, b.shape, b.pose, margin);
    ASSERT_EQ(again[0].normal, found[0].normal);
    for (std::size_t k = 0; k < static_cast<std::size_t>(found[0].count); ++k)
      ASSERT_EQ(again[0].points[k].point_m, found[0].points[k].point_m);
    overlapping += depth < 0.0;
  }
  EXPECT_GT(overlapping, test::cases(5000));
}

TEST(ManifoldStress, NormalsAndPointsTurnAroundWhenShapesAreExchanged) {
  StressPairs pairs(22);
  int compared = 0, other_count = 0;
  for (int i = 0; i < test::cases(3000); ++i) {
    auto [a, b] = pairs.pair();
    b.pose.q = pairs.random().turn();
    b.pose.position = a.pose.position + 1.3 * (a.size_m + b.size_m) * pairs.random().vector();
    const double size = a.size_m + b.size_m;
    const Manifold one = manifolds(a.shape, a.pose, b.shape, b.pose, 10.0 * size)[0],
                   other = manifolds(b.shape, b.pose, a.shape, a.pose, 10.0 * size)[0];
    // Deep inside, two ways out can be as short.
    if (deepest(one) < -0.1 * std::min(a.size_m, b.size_m)) continue;
    ++compared;
    ASSERT_LT((one.normal + other.normal).norm(), 2e-5) << i << ": " << a.shape.index() << " " << b.shape.index();
    other_count += one.count != other.count;
  }
  EXPECT_GT(compared, test::cases(1500));
  // Where an edge is as high as a face, rounding may choose between them.
  EXPECT_LE(other_count, compared / 200);
}

// Along a path through each other, separations change by no more than the way gone.
TEST(ManifoldStress, SeparationIsContinuousThroughTouching) {
  StressPairs pairs(23);
  for (int i = 0; i < test::cases(60); ++i) {
    auto [a, b] = pairs.pair();
    b.pose.q = pairs.random().turn();
    const double size = a.size_m + b.size_m, step = 1e-3 * size;
    const Vec3 way = pairs.random().turn() * Vec3::UnitX();
    double before = 0.0;
    for (int k = 0; k < 800; ++k) {
      b.pose.position = a.pose.position + (step * (k - 400)) * way + 1e-4 * size * way.cross(Vec3(1.0, 2.0, 3.0));
      const double now = deepest(manifolds(a.shape, a.pose, b.shape, b.pose, 10.0 * size)[0]);
      if (k > 0) { ASSERT_LE(std::abs(now - before), step * (1.0 + 1e-4)) << i << " " << k; }
      before = now;
    }
  }
}

}  // namespace
}  // namespace distal
