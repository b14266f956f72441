#include "sinew/mesh/shares_around.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/barycentric.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/tetrahedron.h"

namespace sinew {

SharesAround shares_around(const EmbeddingSearch& search, std::span<const Vec3> points) {
  const TetrahedralMesh& mesh = search.mesh();
  // Width of the transition in barycentric weights. Tetrahedra grown by it extend less than three times as many longest
  // edges beyond their boxes.
  constexpr double width = 0.05;
  double longest = 0;
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e)
    longest = std::max(longest, longest_edge(corners_of(mesh, e)));
  const double reach = 3 * width * longest;
  const std::size_t grain = 64;
  std::vector<SharesAround> chunks((points.size() + grain - 1) / grain);
  parallel_chunks(points.size(), grain, [&](std::size_t begin, std::size_t end) {
    SharesAround& found = chunks[begin / grain];
    std::vector<int> candidates;
    for (std::size_t i = begin; i < end; ++i) {
      candidates.clear();
      const Vec3 p = points[i], margin{reach, reach, reach};
      search.tree().for_each_overlapping({p - margin, p + margin}, [&](int e) { candidates.push_back(e); });
      std::sort(candidates.begin(), candidates.end());
      double sum = 0;
      for (int e : candidates) {
        const std::array<double, 4> weights = barycentric_weights(corners_of(mesh, static_cast<std::size_t>(e)), p);
        const double share = std::min(1.0, 0.5 + *std::min_element(weights.begin(), weights.end()) / (2 * width));
        if (!(share > 0)) continue;
        found.tetrahedron.push_back(e);
        found.share.push_back(share);
        sum += share;
      }
      for (auto k = static_cast<std::size_t>(found.start.back()); sum > 1 && k < found.share.size(); ++k)
        found.share[k] /= sum;
      found.start.push_back(static_cast<int>(found.share.size()));
    }
  });
  SharesAround result;
  for (const SharesAround& chunk : chunks) {
    const int offset = result.start.back();
    for (std::size_t i = 1; i < chunk.start.size(); ++i) result.start.push_back(offset + chunk.start[i]);
    result.tetrahedron.insert(result.tetrahedron.end(), chunk.tetrahedron.begin(), chunk.tetrahedron.end());
    result.share.insert(result.share.end(), chunk.share.begin(), chunk.share.end());
  }
  return result;
}

}  // namespace sinew
