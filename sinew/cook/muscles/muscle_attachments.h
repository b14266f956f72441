// Where the ends of a muscle are attached over an area: flesh near an end that follows the bone of that end.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/cook/muscles/muscle_file.h"
#include "sinew/deform/flesh/muscle_fibres.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Bones that stay with one end of a muscle however the joints between its ends turn: 1 for those whose way along the
// skeleton to the other end's bone passes through this end's. All 0 where both are the same bone.
std::vector<char> bones_of_end(std::span<const Bone> bones, int end, int other_end);

// A muscle's fibres, and what carries them.
struct AttachedMuscle {
  const Muscle& muscle;
  int origin = -1, insertion = -1;         // indices of bones
  std::span<const MuscleFibre> fibres;     // its own
  const TetrahedralMesh& mesh;             // the body, rest space, metres
  std::span<const Influences> influences;  // per vertex of the body
};

// Per tetrahedron, ascending, the share of the fibres' pull that an attachment takes to the bone, per volume of the
// tetrahedron: the area on which the muscle's stress acts, 1/m. `at_insertion`: of that end. Flesh takes part as far as
// it follows the end's bones, unless most of the muscle does: a belly is not attached to the bone along which it lies.
std::vector<std::pair<int, double>> attached_pull(const AttachedMuscle& attached, std::span<const Bone> bones,
                                                  bool at_insertion);

}  // namespace sinew
