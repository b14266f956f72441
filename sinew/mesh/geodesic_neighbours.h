// For vertices in a body those of its boundary that are near along the body: what the motion of the inside is learned
// from (Hahn et al. 2013, section 5).
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/geodesic_graph.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct GeodesicNeighbourOptions {
  int count = 20;  // per source; fewer where the piece of the body has fewer targets
  // False: the nearest ones, as in the paper. True: they are to surround the source: of as many sectors of directions
  // as there are to be neighbours, evenly spread over the sphere, each gives its nearest target, and the nearest of all
  // make up for sectors that have none.
  bool surround = true;
  // A sector's target has to be among so many times `count` nearest ones: bounds the work. Sources that those do not
  // surround look up to 16 times as far.
  int search = 10;
};

// Row i belongs to source i.
struct GeodesicNeighbours {
  std::vector<int> start{0};     // sources + 1
  std::vector<int> target;       // per entry: index into `targets`, nearest first
  std::vector<double> distance;  // per entry: along the body, metres
  std::vector<double> gap;  // per source: from it to the convex hull of its neighbours, metres; 0 to rounding inside
};

// Where they are to surround, a source that lies outside of its neighbours' hull has far ones replaced by the nearest
// ones on the missing side, where the search met any: weights that are not negative and sum to one cannot reach it
// otherwise. Throws usage_error for vertices that do not exist, targets named twice, and options below their least
// values. Sources are independent: the same for any number of threads.
GeodesicNeighbours geodesic_neighbours(const TetrahedralMesh& mesh, std::span<const int> sources,
                                       std::span<const int> targets, const GeodesicNeighbourOptions& options = {});

}  // namespace sinew
