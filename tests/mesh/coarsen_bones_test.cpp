// Segments that become chains of edges.
#include <gtest/gtest.h>

#include "coarsen_blocks.h"
#include "sinew/mesh/lattice_building/coarsen_bones.h"
#include "sinew/mesh/lattice_building/coarsen_collapse.h"

namespace sinew {
namespace {

using test::expect_sound;

const ChainOptions options{0.15, 0.1, 0.2};
double no_affinity(int, int) { return 0; }

double distance_to_line(const Vec3& p, const Vec3& a, const Vec3& b) { return norm(cross(p - a, b - a)) / norm(b - a); }

// At many places, in many directions: the chain begins and ends where the segment does, and is straight.
TEST(CoarsenBones, ChainsFollowSegmentsExactly) {
  for (int n = 0; n < 40; ++n) {
    SCOPED_TRACE(n);
    TetrahedralComplex complex(test::block(4, 4, 4));
    const Vec3 head = Vec3{2, 2, 2} + 1.3 * test::direction(2 * n),
               tail = Vec3{2, 2, 2} + 1.5 * test::direction(2 * n + 1);
    const double before = test::complex_volume(complex);
    const std::vector<InsertedSegment> inserted =
        insert_segments(complex, std::vector<ChainSegment>{{head, tail, 0, -1}}, no_affinity, options);
    ASSERT_EQ(inserted[0].outcome, ChainOutcome::followed);
    ASSERT_EQ(inserted[0].chains.size(), 1u);
    const std::vector<int>& chain = complex.chains[0];
    EXPECT_LT(distance(complex.positions[std::size_t(chain.front())], head), 1e-12);
    EXPECT_LT(distance(complex.positions[std::size_t(chain.back())], tail), 1e-12);
    for (int v : chain) EXPECT_LT(distance_to_line(complex.positions[std::size_t(v)], head, tail), 1e-9);
    EXPECT_NEAR(test::complex_volume(complex), before, 1e-9);
    expect_sound(complex);
  }
}

TEST(CoarsenBones, BonesOfOneJointShareItsVertex) {
  TetrahedralComplex complex(test::block(4, 4, 4));
  const Vec3 joint{2.1, 1.9, 2.2};
  const std::vector<ChainSegment> segments{
      {{0.7, 0.8, 0.9}, joint, 0, -1}, {joint, {3.2, 2.5, 1.1}, 1, 0}, {joint, {1.2, 3.3, 2.9}, 2, 0}};
  const auto inserted = insert_segments(complex, segments, no_affinity, options);
  for (const InsertedSegment& s : inserted) ASSERT_EQ(s.outcome, ChainOutcome::followed);
  EXPECT_EQ(complex.chains[0].back(), complex.chains[1].front());
  EXPECT_EQ(complex.chains[0].back(), complex.chains[2].front());
  expect_sound(complex);
}

TEST(CoarsenBones, LeavingEnteringAndOutside) {
  TetrahedralComplex complex(test::block(3, 3, 3));
  const std::vector<ChainSegment> segments{{{1.5, 1.4, 1.3}, {1.6, 1.5, 6}, 0, -1},
                                           {{-2, 0.9, 0.8}, {1.1, 0.7, 0.9}, 1, -1},
                                           {{5, 5, 5}, {7, 7, 7}, 2, -1},
                                           {{2.3, 2.4, 0.6}, {2.3, 2.4, 0.62}, 3, -1}};
  const auto inserted = insert_segments(complex, segments, no_affinity, options);
  EXPECT_EQ(inserted[0].outcome, ChainOutcome::inside);
  EXPECT_EQ(inserted[1].outcome, ChainOutcome::inside);
  EXPECT_EQ(inserted[2].outcome, ChainOutcome::outside);
  EXPECT_EQ(inserted[3].outcome, ChainOutcome::point);
  ASSERT_EQ(complex.chains.size(), 3u);
  for (int v : complex.chains[0]) EXPECT_LE(complex.positions[std::size_t(v)].z, 3);
  EXPECT_GT(complex.positions[std::size_t(complex.chains[0].back())].z, 2.4);
  EXPECT_LT(complex.positions[std::size_t(complex.chains[1].front())].x, 0.5);
  EXPECT_EQ(complex.chains[2].size(), 1u);
  expect_sound(complex);
}

TEST(CoarsenBones, ASegmentAlongAnotherHasNoChain) {
  TetrahedralComplex complex(test::block(4, 4, 4));
  const Vec3 head{0.6, 0.7, 0.8}, tail{3.1, 3.2, 2.9};
  const std::vector<ChainSegment> segments{{head, tail, 0, -1}, {head, head + 0.5 * (tail - head), 1, 0}};
  const auto inserted = insert_segments(complex, segments, no_affinity, options);
  EXPECT_EQ(inserted[0].outcome, ChainOutcome::followed);
  EXPECT_EQ(inserted[1].outcome, ChainOutcome::doubled);
  EXPECT_EQ(complex.chains.size(), 1u);
  expect_sound(complex);
}

// Joints stay, what is between them may go, and the chain stays straight.
TEST(CoarsenBones, CoarseningKeepsChains) {
  const TriangleMesh surface = test::wavy_tube();
  VolumeMesh body;
  TetrahedralComplex complex = test::complex_of(surface, 3000, body);
  enclose_points(complex, 0.01 * body.cell_size);
  const std::vector<Vec3> joint{{0.02, 0.3, 0}, {0.09, 1.0, 0.03}, {0.03, 1.7, 0.01}};
  const double a = body.cell_size;
  const auto inserted =
      insert_segments(complex, std::vector<ChainSegment>{{joint[0], joint[1], 0, -1}, {joint[1], joint[2], 1, 0}},
                      no_affinity, {0.25 * a, 0.5 * a, 0.5 * a});
  ASSERT_EQ(inserted[1].outcome, ChainOutcome::followed);
  const std::size_t before = complex.chains[0].size() + complex.chains[1].size();
  CoarsenOptions coarsening;
  coarsening.target_tetrahedra = 150;
  coarsen(complex, std::vector<double>(complex.positions.size(), 0.4), coarsening);
  EXPECT_LT(complex.chains[0].size() + complex.chains[1].size(), before);
  for (std::size_t b = 0; b < 2; ++b) {
    const std::vector<int>& chain = complex.chains[b];
    EXPECT_LT(distance(complex.positions[std::size_t(chain.front())], joint[b]), 1e-12);
    EXPECT_LT(distance(complex.positions[std::size_t(chain.back())], joint[b + 1]), 1e-12);
    for (int v : chain) EXPECT_LT(distance_to_line(complex.positions[std::size_t(v)], joint[b], joint[b + 1]), 1e-9);
  }
  EXPECT_EQ(farthest_outside(complex), 0);
  expect_sound(complex);
}

}  // namespace
}  // namespace sinew
