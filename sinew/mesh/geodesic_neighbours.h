// For vertices of a body, the boundary vertices that are nearest along the body, from which the motion of the interior
// is learned (Hahn et al. 2013, section 5).
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/geodesic_graph.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct GeodesicNeighbourOptions {
  int count = 20;  // per source; fewer where the source's component has fewer targets
  // False: the nearest targets, as in the paper. True: neighbours that surround the source. The sphere of directions is
  // divided into as many equal sectors as there are neighbours to find; each sector gives its nearest target, and the
  // nearest of all others make up for empty sectors.
  bool surround = true;
  // Sector targets are sought among the nearest `search` * `count` ones, which bounds the work. Sources that those do
  // not surround search up to 16 times as many.
  int search = 10;
};

// Neighbours of source i: entries start[i] to start[i + 1].
struct GeodesicNeighbours {
  std::vector<int> start{0};     // sources + 1
  std::vector<int> target;       // per entry: index into `targets`, nearest first
  std::vector<double> distance;  // per entry: along the body, metres
  std::vector<double> gap;  // per source: distance to the convex hull of its neighbours, metres; 0 (to rounding) inside
};

// With `surround`, a source outside the hull of its neighbours has far ones replaced by the nearest ones on the missing
// side, where the search met any: otherwise weights that are not negative and sum to one cannot reproduce it. Throws
// usage_error for vertices that do not exist, targets named twice, and options below their minimum. Sources are
// independent: same result for any number of threads.
GeodesicNeighbours geodesic_neighbours(const TetrahedralMesh& mesh, std::span<const int> sources,
                                       std::span<const int> targets, const GeodesicNeighbourOptions& options = {});

}  // namespace sinew
