// Strain samples of a mixed body (docs/mixed_fem.md, limits), and their rotations.
#pragma once

#include "sinew/deform/mixed/rotation_field.h"
#include "sinew/elastic/strain_samples.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// Element::linear: strain_samples(). Element::patch: first the tetrahedra, in their order, with their part of the shear
// modulus and lambda = 0; then the patches (cluster_tetrahedra()) with the rest. The moduli of a patch are those of its
// tetrahedra, and only patches resist change of volume.
StrainSamples mixed_samples(const TetrahedralMesh& mesh, Element element, const ElementFields& fields);

// Computes the weights of the samples' rotations for blend_rotations() from those of the tetrahedra; patches take the
// mean by volume. Throws usage_error if the weights are not the mesh's.
RotationWeights sample_weights(const TetrahedralMesh& mesh, Element element, RotationWeights tetrahedra);

}  // namespace sinew
