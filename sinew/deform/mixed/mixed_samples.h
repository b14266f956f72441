// Where the strain of a mixed body is measured (docs/mixed_fem.md, section 15), and the rotations that go with it.
#pragma once

#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// For Element::linear, strain_samples(). For Element::patch the tetrahedra first, in their order, with what is theirs
// of the shear and no resistance to change of volume besides it (lambda = 0), then the patches (cluster_tetrahedra())
// with all the rest: the moduli of each patch are those of its tetrahedra, and the volume part has a row for each patch
// only.
StrainSamples mixed_samples(const TetrahedralMesh& mesh, Element element, const ElementFields& fields);

// Weights of the samples' rotations from those of the tetrahedra: their own, and for patches their means by volume. For
// blend_rotations(). Throws usage_error where the weights are not the mesh's.
RotationWeights sample_weights(const TetrahedralMesh& mesh, Element element, RotationWeights tetrahedra);

}  // namespace sinew
