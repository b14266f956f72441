// Points that a tetrahedral complex carries and must keep inside.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/lattice_building/coarsen_complex.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// The tetrahedron that holds p, or the one nearest to holding it, found by walking from `start` through faces: of
// several copies in one place, that which hangs together with `start`.
int walk_to(const TetrahedralComplex& complex, int start, const Vec3& p);

// Gives the complex the vertices of `surface` as points to carry, vertex v in tetrahedron home[v], and points not more
// than `spacing` metres apart on its triangles. They may be outside: enclose_points() comes next. No tetrahedron of the
// complex is gone yet.
void carry_surface(TetrahedralComplex& complex, const TriangleMesh& surface, std::span<const int> home, double spacing);

// Moves vertices of the boundary outwards, by `margin` metres more than needed, until tetrahedra hold all points that
// they carry, as far as they stay well-shaped. What remains outside gets its distance as its allowance, all others 0.
// Returns how many remain.
int enclose_points(TetrahedralComplex& complex, double margin);

// Per point, the tetrahedron that carries it.
std::vector<int> homes(const TetrahedralComplex& complex);

// Largest distance by which a point is outside the tetrahedron that carries it; 0 where all are inside. `worst`, if
// given, is that point, or -1.
double farthest_outside(const TetrahedralComplex& complex, int* worst = nullptr);

}  // namespace sinew
