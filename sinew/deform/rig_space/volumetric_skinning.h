// Physics-based volumetric skinning (Hahn et al. 2013, sections 4.2 and 5): the interior of an elastic body as a sparse
// linear map of its boundary, q = W b, learned from examples of both in equilibrium (docs/volumetric_skinning.md).
//
// Each interior vertex has weights of its own, not negative and of sum one, that explain its place in all examples from
// boundary vertices around it (equation 6).
#pragma once

#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/linalg/sparse_rows.h"
#include "sinew/mesh/geodesic_neighbours.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

enum class SkinningWeights {
  non_negative,  // least squares over all candidates (James and Twigg 2005)
  sparse,        // algorithm 1: as few of them as the examples allow
};

// Lengths relative to the mesh are in mean edges of its tetrahedra.
struct VolumetricSkinningOptions {
  SkinningWeights weights = SkinningWeights::sparse;
  GeodesicNeighbourOptions candidates;  // around each vertex
  // The rest pose is fitted as closely as if it were so many times all examples: a body at rest has to stay at rest,
  // and where the boundary moves as one affine map the inside goes along. 0 leaves it out.
  double rest_weight = 100;
  // Weight of examples that are none: random smooth motions of the boundary by about the root of this, in edges, that
  // the inside follows harmonically (skinning_prior.h). What examples do not tell apart is so kept apart. 0: none, as
  // in the paper.
  double harmonic_weight = 0.3;
  // Algorithm 1: delta, relative to the mesh, and the other bound, so many times the residual of all candidates (the
  // paper has 1.5), where that counts as `negligible_residual` at least.
  double residual_bound = 0.25;
  double residual_growth = 1.1;
  double negligible_residual = 1e-3;
};

struct VolumetricSkinningReport {
  double edge = 0;                          // mean over the mesh, metres
  double candidates = 0;                    // per interior vertex, mean
  double non_negative_correspondences = 0;  // of weight above zero before algorithm 1, mean
  double correspondences = 0;               // in W, mean
  double seconds = 0;                       // in all
  double seconds_per_vertex = 0;            // of one thread, for the weights alone
  // Per interior vertex, metres: root of the mean squared distance over the examples before (r_0) and after (r_f)
  // algorithm 1, and the distance at rest.
  std::vector<double> initial_residual, residual, rest_residual;
};

struct VolumetricSkinning {
  SparseRows weights;  // W: a row per interior vertex, a column per boundary vertex, both in the order given
  VolumetricSkinningReport report;
};

// `boundary` and `interior`: together the vertices of all tetrahedra, none twice; the mesh is at rest. `examples`:
// poses x vertices of the mesh, metres. Throws usage_error for what does not fit together, input_error where a piece of
// the body has interior vertices only, simulation_error for positions that are not finite; Stopped where `progress`
// asks for it. Vertices are independent: the same bits for any number of threads.
VolumetricSkinning learn_volumetric_skinning(const TetrahedralMesh& mesh, std::span<const int> boundary,
                                             std::span<const int> interior, std::span<const Vec3> examples,
                                             const VolumetricSkinningOptions& options = {},
                                             const Progress& progress = {});

}  // namespace sinew
