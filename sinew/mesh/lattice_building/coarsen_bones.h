// Insertion of straight segments (bones) into a tetrahedral complex as chains of edges.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

// A segment of a bone to be inserted.
struct ChainSegment {
  Vec3 head, tail;  // metres
  int owner = -1;   // the joint whose segment it is; segments of an owner and of its parent meet in common vertices
  int parent = -1;  // the owner that moves this one, or -1
};

enum class ChainOutcome {
  followed,  // one chain follows it from end to end
  inside,    // chains follow it where it is inside the complex
  point,     // it is too short for an edge: a chain of one vertex
  doubled,   // it coincides with existing chains and has none of its own
  outside,   // no part that is long enough for a chain is inside
};

// Outcome of the insertion of a segment, with its chains.
struct InsertedSegment {
  ChainOutcome outcome = ChainOutcome::outside;
  std::vector<int> chains;  // indices into TetrahedralComplex::chains
};

struct ChainOptions {
  double snap = 0;      // metres: vertices this near to a segment move onto it
  double shortest = 0;  // metres: closer ends of segments become one vertex, shorter parts are left out
  double inset = 0;     // metres: a chain ends this far before its segment leaves the complex
};

// Inserts the segments in their order: walks each through the complex from vertex to vertex and splits the faces and
// edges that it crosses. Chains are straight, except that they pass through vertices of other chains within `snap`.
//
// Where the complex overlaps itself, a segment that starts at no existing chain vertex starts in the tetrahedron with
// the highest `affinity(owner, tetrahedron)`, and continues among neighbouring tetrahedra.
std::vector<InsertedSegment> insert_segments(TetrahedralComplex& complex, std::span<const ChainSegment> segments,
                                             const std::function<double(int owner, int tetrahedron)>& affinity,
                                             const ChainOptions& options);

}  // namespace sinew
