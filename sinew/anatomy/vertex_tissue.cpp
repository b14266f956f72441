#include "sinew/anatomy/vertex_tissue.h"

#include "sinew/base/index.h"

namespace sinew {

std::vector<Tissue> tissue_of_vertices(const SimulationSurface& surface, const Anatomy& anatomy) {
  std::vector<Tissue> tissue(surface.rest.positions.size(), Tissue::flesh);
  for (std::size_t v = 0; v < tissue.size(); ++v) {
    const Influences& influences = surface.influences[v];
    if (influences.count == 0) continue;
    const auto bone = index(influences.joint[0]);  // the heaviest comes first
    if (bone < anatomy.bones.size()) tissue[v] = anatomy.bones[bone].tissue;
  }
  for (const ThinShell& shell : anatomy.shells)
    for (const int v : shell.vertices) tissue[index(v)] = Tissue::shell;
  for (const RigidPart& part : anatomy.rigid)
    for (const int v : part.vertices) tissue[index(v)] = Tissue::rigid;
  return tissue;
}

}  // namespace sinew
