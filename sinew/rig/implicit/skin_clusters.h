// Neighbouring vertices of one part of the skin in small groups, for which what is far away is found once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/base/function_ref.h"
#include "sinew/linalg/small.h"

namespace sinew {

inline constexpr std::size_t most_in_cluster = 16;

struct SkinClusters {
  struct Cluster {
    int part = -1;
    std::size_t begin = 0, end = 0;  // into `vertex`; the first one is in the middle
  };
  std::vector<std::size_t> vertex;  // cluster by cluster
  std::vector<Cluster> clusters;    // part by part

  std::span<const std::size_t> of(const Cluster& cluster) const {
    return std::span(vertex).subspan(cluster.begin, cluster.end - cluster.begin);
  }
};

// `rest`: positions of the skin at rest. `part_of`: a vertex's part, or -1 for vertices to leave out. `parts`: their
// number.
SkinClusters skin_clusters(std::span<const Vec3> rest, std::size_t parts, FunctionRef<int(std::size_t)> part_of);

}  // namespace sinew
