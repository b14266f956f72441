// Binds a body to its skeleton: extends skin weights and painted values smoothly from the surface into the volume, and
// finds the rigid cores of bones (docs/binding.md).
#pragma once

#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Values of embedded points extended to the vertices of the mesh: the minimiser of
//   sum_s |sum_k b_k w_k - value_s|^2 + smoothness / c int |grad w|^2,
// c the mean edge length, so that the balance does not depend on size. `columns` values per point,
// row by row; the result has `columns` values per mesh vertex. Vertices of components without points get 0.
// Throws simulation_error if elements are too badly shaped for a solution, and Stopped when `progress` asks for it.
std::vector<double> extend_into_volume(const TetrahedralMesh& mesh, const Embedding& embedding,
                                       std::span<const double> values, int columns, const Progress& progress = {});

// Skin weights of every body vertex.
std::vector<Influences> body_influences(const TetrahedralMesh& mesh, const Embedding& embedding,
                                        const SimulationSurface& surface, const Progress& progress = {});

struct FleshMapOptions {
  std::vector<double> core_fraction;  // per bone: the core's radius as a share of the flesh's local thickness
  double core_weight = 0.9;           // least weight of a core vertex's first bone; no effect below 1 / max_influences
};

// Distances and depths that separate bone from flesh.
struct FleshMap {
  std::vector<char> core;              // per body vertex: 1 inside a bone's core
  std::vector<double> bone_proximity;  // per body vertex: 1 at the core, falling smoothly to 0 near the skin
  std::vector<double> bone_distance;   // per body vertex: distance to the nearest bone, metres; infinite: no bones
  std::vector<double>
      thickness;  // per body vertex: distance from its bone to the nearest skin, metres; 0: no solid around it
  std::vector<double> solid_depth;  // per body vertex: greatest depth below the skin in the solid around it, metres
  std::vector<double> depth;  // per surface vertex: distance from skin to core, at most the solid's thickness, metres
};

FleshMap map_flesh(const TetrahedralMesh& mesh, std::span<const Influences> influences,
                   const SimulationSurface& surface, const FleshMapOptions& options);

// Limits FleshMap::depth to the local thickness of the solid: skin far out on a fin is far from its bone, but not deep.
void limit_depth(const TetrahedralMesh& mesh, const Embedding& embedding, FleshMap& map);

}  // namespace sinew
