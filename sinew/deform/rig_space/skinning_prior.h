// What weights of volumetric skinning lean to where examples say little: the body's harmonic weights.
#pragma once

#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/mesh/geodesic_neighbours.h"
#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// h_ij: by how much of what boundary vertex j alone is moved the interior vertex i goes along where the displacement is
// harmonic, each coordinate by itself: K_qq h_j = -K_qb e_j with the stiffness K of linear elements. Not negative but
// for obtuse elements, where it is cut off at zero, and of sum one over all of the boundary, of which only the
// candidates are asked for: one number per entry of `candidates`, whose sources are `interior` and whose targets are
// `boundary`. Together these are all vertices of the tetrahedra; every piece has boundary vertices. Throws
// simulation_error where elements have no volume; Stopped where `progress` asks for it.
std::vector<double> harmonic_weights(const TetrahedralMesh& mesh, std::span<const int> boundary,
                                     std::span<const int> interior, const GeodesicNeighbours& candidates,
                                     const Progress& progress = {});

}  // namespace sinew
