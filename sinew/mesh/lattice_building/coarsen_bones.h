// Straight segments (bones) made chains of edges of a tetrahedral complex.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

struct ChainSegment {
  Vec3 head, tail;  // metres
  int owner = -1;   // whose segment it is; segments of one owner and of its parent meet in common vertices
  int parent = -1;  // the owner that moves this one, or -1
};

enum class ChainOutcome {
  followed,  // by one chain from end to end
  inside,    // by chains where it is inside the complex; elsewhere it is not
  point,     // too short for an edge: a chain of one vertex
  doubled,   // it runs along chains that are there already, and has none of its own
  outside,   // no stretch worth a chain is inside
};

struct InsertedSegment {
  ChainOutcome outcome = ChainOutcome::outside;
  std::vector<int> chains;  // indices into TetrahedralComplex::chains
};

struct ChainOptions {
  double snap = 0;      // metres: vertices so near to a segment move onto it
  double shortest = 0;  // metres: ends of segments nearer to each other are one vertex, shorter stretches are left out
  double inset = 0;     // metres: where a segment leaves the complex, its chain ends so far before
};

// Inserts the segments in their order, walking each through the complex from vertex to vertex and splitting the faces
// and edges that it crosses. Chains are straight but for vertices of other chains that they are led through where they
// pass them within `snap`.
//
// Where the complex overlaps itself, a segment that begins at no vertex of another begins in the tetrahedron with the
// highest `affinity(owner, tetrahedron)`; from there on it stays among tetrahedra that are neighbours.
std::vector<InsertedSegment> insert_segments(TetrahedralComplex& complex, std::span<const ChainSegment> segments,
                                             const std::function<double(int owner, int tetrahedron)>& affinity,
                                             const ChainOptions& options);

}  // namespace sinew
