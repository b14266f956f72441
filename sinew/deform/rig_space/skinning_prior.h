// What volumetric skinning knows without any example: how the inside of a body follows when its boundary moves anyhow.
#pragma once

#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Fields over the vertices of a body, of mean square one over the boundary, row by row: `count` numbers per vertex.
struct HarmonicFields {
  int count = 0;
  std::vector<double> value;  // vertices x count
};

// Random values on the boundary that are smooth along it, by turns over a few edges and over many, and their harmonic
// extension inside: K_qq f_q = -K_qb f_b with the stiffness of linear elements. Roughly what each coordinate of a
// displacement does in an elastic body. `boundary`: different vertices; every piece of the body has some. The same for
// any number of threads. Throws simulation_error where elements have no volume; Stopped where `progress` asks for it.
HarmonicFields harmonic_fields(const TetrahedralMesh& mesh, std::span<const int> boundary, int count,
                               const Progress& progress = {});

}  // namespace sinew
