// The part of building a control lattice that knows about skeletons: which segments its chains follow, what to say
// about bones that have none, and what holds parts without a bone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/lattice_building/coarsen_bones.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

// Segments of all bones but helpers: parents before children, longer ones first.
std::vector<ChainSegment> bone_segments(std::span<const Bone> bones);

// How much of the skin weights in a tetrahedron is a bone's; `influences` per vertex that the complex was made with, or
// none.
double bone_affinity(const TetrahedralComplex& complex, std::span<const Influences> influences, int bone,
                     int tetrahedron);

// A chain of the complex and the bone that it follows.
struct BoneChain {
  int bone = -1, chain = -1;
};

// Chains through the corners of one tetrahedron of each connected part of the complex that has no chain, so that the
// bone that moves most of it holds it. A sentence for each is added to `notes`.
std::vector<BoneChain> hold_boneless_parts(TetrahedralComplex& complex, std::span<const Bone> bones,
                                           std::span<const Influences> influences, std::vector<std::string>& notes);

// Sentences about bones that no chain follows, or not all the way.
std::vector<std::string> bone_notes(std::span<const Bone> bones, std::span<const ChainSegment> segments,
                                    std::span<const InsertedSegment> inserted);

}  // namespace sinew
