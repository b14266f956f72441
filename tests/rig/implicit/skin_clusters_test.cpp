// Groups of neighbouring vertices: each vertex that has a part is in one of that part's, near the others of its group.
#include "sinew/rig/implicit/skin_clusters.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sinew {
namespace {

TEST(SkinClusters, AreSmallAndHoldEachVertexOfAPartOnce) {
  std::vector<Vec3> line;
  for (int k = 0; k < 1000; ++k) line.push_back({k / 1000.0, 0, 0});
  // Two halves, without every tenth vertex.
  const auto part_of = [](std::size_t v) { return v % 10 == 0 ? -1 : v < 500 ? 0 : 1; };
  const SkinClusters clusters = skin_clusters(line, 2, part_of);
  std::vector<int> found(line.size());
  for (const SkinClusters::Cluster& cluster : clusters.clusters) {
    const std::span<const std::size_t> vertices = clusters.of(cluster);
    ASSERT_FALSE(vertices.empty());
    EXPECT_LE(vertices.size(), most_in_cluster);
    for (const std::size_t v : vertices) {
      ++found[v];
      EXPECT_EQ(part_of(v), cluster.part);
      EXPECT_LT(distance(line[v], line[vertices.front()]), 0.011) << "half of 16 and of those left out";
    }
  }
  for (std::size_t v = 0; v < line.size(); ++v) EXPECT_EQ(found[v], part_of(v) < 0 ? 0 : 1) << v;
  EXPECT_TRUE(skin_clusters(line, 1, [](std::size_t) { return -1; }).clusters.empty());
}

}  // namespace
}  // namespace sinew
