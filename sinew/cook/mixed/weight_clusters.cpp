#include "sinew/cook/mixed/weight_clusters.h"
#include "sinew/base/index.h"

#include <vector>

namespace sinew {
namespace {

// Returns -1 if no corner has weight on a bone that poses the body.
int strongest_bone(const Tetrahedron& corners, std::span<const Influences> influences, const PosingBones& bones,
                   std::vector<double>& weight) {
  std::vector<int> touched;
  for (const int v : corners) {
    const Influences& vertex = influences[index(v)];
    for (std::size_t k = 0; k < index(vertex.count); ++k) {
      const int bone = bones.of_surface_bone[index(vertex.joint[k])];
      if (bone < 0) continue;
      weight[index(bone)] += vertex.weight[k];
      touched.push_back(bone);
    }
  }
  int best = -1;
  for (const int bone : touched)
    if (best < 0 || weight[index(bone)] > weight[index(best)] ||
        (weight[index(bone)] == weight[index(best)] && bone < best))
      best = bone;
  for (const int bone : touched) weight[index(bone)] = 0;
  return best;
}

}  // namespace

RotationClusters weight_clusters(const TetrahedralMesh& mesh, std::span<const Influences> influences,
                                 const PosingBones& bones) {
  RotationClusters clusters;
  std::vector<double> weight(bones.bones.size(), 0.0);
  for (const Tetrahedron& corners : mesh.tetrahedra) {
    clusters.bone.push_back(strongest_bone(corners, influences, bones, weight));
    clusters.boneless.push_back(clusters.bone.back() < 0);
  }
  follow_nearest_elements(mesh, clusters);
  return clusters;
}

}  // namespace sinew
