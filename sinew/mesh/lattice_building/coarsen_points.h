// Points that a tetrahedral complex carries and must keep inside.
#pragma once

#include <span>
#include <vector>

#include "sinew/mesh/lattice_building/coarsen_complex.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// The tetrahedron that contains p, or comes nearest to it, found by walking from `start` through faces; of several
// overlapping copies, the one that is connected with `start`.
int walk_to(const TetrahedralComplex& complex, int start, const Vec3& p);

// Makes the complex carry the vertices of `surface`, vertex v in tetrahedron home[v], and points on its triangles at
// most `spacing` metres apart. They may be outside until enclose_points() is called. The complex must not have removed
// tetrahedra yet.
void carry_surface(TetrahedralComplex& complex, const TriangleMesh& surface, std::span<const int> home, double spacing);

// Moves boundary vertices outwards, by `margin` metres more than needed, until the tetrahedra contain all points that
// they carry, as far as they stay well-shaped. Points that remain outside get their distance as their allowance, all
// others 0. Returns how many remain outside.
int enclose_points(TetrahedralComplex& complex, double margin);

// Per point, the tetrahedron that carries it.
std::vector<int> homes(const TetrahedralComplex& complex);

// Largest distance of a point outside the tetrahedron that carries it; 0 where all are inside. `worst`, if given,
// receives that point, or -1.
double farthest_outside(const TetrahedralComplex& complex, int* worst = nullptr);

}  // namespace sinew
