// Physics-based volumetric skinning (Hahn et al. 2013, sections 4.2 and 5): the interior of an elastic body as a sparse
// linear map of its boundary, q = W b, learned from examples of both in equilibrium (docs/volumetric_skinning.md).
//
// Each interior vertex has its own weights of nearby boundary vertices, non-negative and of sum one, which reproduce
// its position in all examples (equation 6).
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
  sparse,        // algorithm 1: as few candidates as the examples allow
};

// Lengths relative to the mesh are in mean edge lengths of its tetrahedra.
struct VolumetricSkinningOptions {
  SkinningWeights weights = SkinningWeights::sparse;
  GeodesicNeighbourOptions candidates;  // candidates around each interior vertex
  // Weight of the rest pose, relative to all examples together. A high weight makes a body at rest stay at rest, and
  // the interior follow affine motion of the boundary. 0: the rest pose is not fitted.
  double rest_weight = 100;
  // Weight of the prior (skinning_prior.h): random smooth motions of the boundary, with an amplitude of about the root
  // of this in edge lengths, that the interior follows harmonically. It regularises weights that examples do not
  // determine. 0: none, as in the paper.
  double harmonic_weight = 0.3;
  // Bounds of algorithm 1: delta, in edge lengths; and the growth over the residual of all candidates (1.5 in the
  // paper), where a residual below `negligible_residual`, in edge lengths, counts as that.
  double residual_bound = 0.25;
  double residual_growth = 1.1;
  double negligible_residual = 1e-3;
};

struct VolumetricSkinningReport {
  double edge = 0;                          // mean over the mesh, metres
  double candidates = 0;                    // mean number per interior vertex
  double non_negative_correspondences = 0;  // mean number of weights above zero before algorithm 1
  double correspondences = 0;               // mean number per row of W
  double seconds = 0;                       // total
  double seconds_per_vertex = 0;            // of one thread, for the weights alone
  // Per interior vertex, metres: root of the mean squared distance over the examples before (r_0) and after (r_f)
  // algorithm 1, and the distance at rest.
  std::vector<double> initial_residual, residual, rest_residual;
};

struct VolumetricSkinning {
  SparseRows weights;  // W: a row per interior vertex, a column per boundary vertex, both in the order given
  VolumetricSkinningReport report;
};

// `boundary` and `interior`: together all vertices of the mesh, each once; the mesh is at rest. `examples`: poses x
// vertices of the mesh, metres. Throws usage_error for inconsistent arguments, input_error if a piece of the body has
// interior vertices only, simulation_error for positions that are not finite, Stopped if `progress` requests it. The
// same bits for any number of threads.
VolumetricSkinning learn_volumetric_skinning(const TetrahedralMesh& mesh, std::span<const int> boundary,
                                             std::span<const int> interior, std::span<const Vec3> examples,
                                             const VolumetricSkinningOptions& options = {},
                                             const Progress& progress = {});

}  // namespace sinew
