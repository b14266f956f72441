#include "sinew/anatomy/surface_pieces.h"

#include <algorithm>

#include "sinew/mesh/surface/weld.h"
#include "sinew/mesh/topology.h"

namespace sinew {
int only_bone(const Influences& influences) {
  return influences.count > 0 && influences.weight[0] > one_bone ? influences.joint[0] : -1;
}

double SurfacePiece::extent() const {
  const Vec3 size = high - low;
  return std::max({size.x, size.y, size.z});
}

SurfacePieces surface_pieces(const SimulationSurface& surface) {
  const std::vector<Vec3>& positions = surface.rest.positions;
  WeldOptions options;
  options.tolerance = same_place * longest_side(surface);
  const std::vector<int> place = weld(positions, options).welded;

  DisjointSets sets(positions.size());
  std::vector<char> named(positions.size(), 0);
  for (const Triangle& triangle : surface.rest.triangles)
    for (int v : triangle) {
      named[static_cast<std::size_t>(v)] = 1;
      sets.unite(place[static_cast<std::size_t>(triangle[0])], place[static_cast<std::size_t>(v)]);
    }

  SurfacePieces result;
  result.of_vertex.assign(positions.size(), -1);
  std::vector<int> piece_of_set(positions.size(), -1);
  for (std::size_t v = 0; v < positions.size(); ++v) {
    if (!named[v]) continue;
    int& piece = piece_of_set[static_cast<std::size_t>(sets.find(place[v]))];
    const int bone = only_bone(surface.influences[v]);
    if (piece < 0) {
      piece = static_cast<int>(result.pieces.size());
      result.pieces.push_back({{}, bone, positions[v], positions[v]});
    }
    SurfacePiece& of = result.pieces[static_cast<std::size_t>(piece)];
    of.vertices.push_back(static_cast<int>(v));
    if (of.bone != bone) of.bone = -1;
    of.low = min(of.low, positions[v]);
    of.high = max(of.high, positions[v]);
    result.of_vertex[v] = piece;
  }
  return result;
}

}  // namespace sinew
