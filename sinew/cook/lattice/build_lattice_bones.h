// Skeletons in the building of a control lattice: segments that its chains follow, notes about bones without a chain,
// and chains for parts that have no bone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/mesh/lattice_building/coarsen_bones.h"
#include "sinew/mesh/lattice_building/coarsen_complex.h"

namespace sinew {

// Segments of all bones except helpers: parents before children, longer ones first.
std::vector<ChainSegment> bone_segments(std::span<const Bone> bones);

// Share, [0, 1], of a bone in the skin weights of a tetrahedron. `influences` are per vertex of the mesh that the
// complex was made from, or empty.
double bone_affinity(const TetrahedralComplex& complex, std::span<const Influences> influences, int bone,
                     int tetrahedron);

// A bone that a chain of the complex follows.
struct FollowedBone {
  int bone = -1, chain = -1;
};

// Adds a chain through the corners of one tetrahedron to every connected part of the complex that has none, for the
// bone that moves most of the part. Adds a sentence for each to `notes`.
std::vector<FollowedBone> hold_boneless_parts(TetrahedralComplex& complex, std::span<const Bone> bones,
                                              std::span<const Influences> influences, std::vector<std::string>& notes);

// Sentences about bones that no chain follows, or follows only partly.
std::vector<std::string> bone_notes(std::span<const Bone> bones, std::span<const ChainSegment> segments,
                                    std::span<const InsertedSegment> inserted);

}  // namespace sinew
