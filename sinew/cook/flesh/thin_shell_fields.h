// Thin shells of the anatomy in a body of tetrahedra: ears, fins, wings and capes bend but do not stretch.
#pragma once

#include <vector>

#include "sinew/anatomy/anatomy.h"
#include "sinew/character/body_binding.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

struct ThinShellFields {
  // One entry per body vertex; all empty if there are no shells.
  std::vector<double> share;     // [0, 1]: how much of a shell the vertex belongs to, rising from the shell's root
  std::vector<double> out;       // [0, 1]: distance from the shell's root, relative to its length
  std::vector<double> distance;  // distance from the shell's root, metres

  bool none() const { return share.empty(); }
};

// Fields of the shells on the surface, carried into the volume.
ThinShellFields thin_shell_fields(const TetrahedralMesh& mesh, const Embedding& embedding,
                                  const std::vector<ThinShell>& shells);

// Removes the core from shells: a shell hangs on its root, from where its skin is also allowed to move, and no flesh in
// it is deeper than its thickness.
void clear_thin_shells(const ThinShellFields& fields, const std::vector<ThinShell>& shells, FleshMap& map);

// Replaces `stiffness`, multipliers per body vertex, in shells: they get the fixed high stretching stiffness times
// `factor`, whatever their bones have.
void stiffen_thin_shells(const ThinShellFields& fields, const std::vector<double>& factor,
                         std::vector<double>& stiffness);

// Factor by which stiffen_thin_shells() multiplies, per tetrahedron. Springs that hold shells are not multiplied.
std::vector<double> thin_shell_stiffening(const TetrahedralMesh& mesh, const ThinShellFields& fields);

// Strength, [0, 1] per tetrahedron, by which a thin part is held: `thin`, and for shells 1 at the root, falling
// towards the end, so that they swing by bending.
std::vector<double> held_parts(const TetrahedralMesh& mesh, const ThinShellFields& fields,
                               const std::vector<double>& thin);

// `thin` per tetrahedron, with all of the shells added.
std::vector<double> with_thin_shells(const TetrahedralMesh& mesh, const ThinShellFields& fields,
                                     std::vector<double> thin);

}  // namespace sinew
