// Points that a tetrahedral complex carries and must keep inside.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/coarsen_complex.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// The tetrahedron that holds p, or the one nearest to holding it, found by walking from `start` through faces: of
// several copies in one place, that which hangs together with `start`.
int walk_to(const TetrahedralComplex& complex, int start, const Vec3& p);

// Gives the complex the vertices of `surface` as points to carry, vertex v in tetrahedron home[v], and points not more
// than `spacing` apart on its triangles. Boundary vertices then move outwards, by `margin` more than needed, until
// tetrahedra hold the points, as far as none loses more than half of its mean ratio. What remains outside gets that
// distance as its allowance. Lengths in metres.
void carry_surface(TetrahedralComplex& complex, const TriangleMesh& surface, std::span<const int> home, double spacing,
                   double margin);

// Per point, the tetrahedron that carries it.
std::vector<int> homes(const TetrahedralComplex& complex);

// Largest distance by which a point is outside the tetrahedron that carries it; 0 where all are inside. `worst`, if
// given, is that point, or -1.
double farthest_outside(const TetrahedralComplex& complex, int* worst = nullptr);

}  // namespace sinew
