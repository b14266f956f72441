// A control lattice: a complex of polyhedral cells whose vertices have positions (Capell 2004, section 4.1). It
// encloses a body; subdividing it gives the body its parameterisation and its basis functions (subdivision.h).
//
// A cell may be any polyhedron in which every vertex has three edges, so that one subdivision turns it into hexahedra:
// hexahedra, tetrahedra, triangular prisms, and others.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// A bone of the skeleton in the lattice: a chain of lattice edges (section 5.1). A joint without length is a chain of
// one vertex.
struct LatticeBone {
  std::string name;           // name of the joint that moves it
  std::vector<int> vertices;  // chain from head to tail; successive vertices are joined by an edge of the lattice
};

struct ControlLattice {
  std::vector<Vec3> positions;  // r_i, rest space, metres

  // Cells by their faces; the vertices of a face are counter-clockwise seen from outside the cell. Cell c owns the
  // faces cell_start[c] up to cell_start[c + 1], face f the corners face_start[f] up to face_start[f + 1]. A face
  // between two cells appears twice, once for each.
  std::vector<int> cell_start{0};
  std::vector<int> face_start{0};
  std::vector<int> corner;  // indices into positions

  std::vector<LatticeBone> bones;
  std::vector<std::array<int, 2>> sharp_edges;  // creases of the smooth schemes, in addition to the bones' edges
  std::vector<int> sharp_vertices;
  // Painted multipliers per vertex, carried through the body by subdivision (section 4.10); empty for 1 everywhere.
  // They multiply the fields of the same names (character/fields.h) and have no rows there: they belong to the
  // lattice's own vertices and files, whatever character it surrounds.
  std::vector<double> stiffness, damping, density;

  std::size_t cells() const { return cell_start.size() - 1; }
  std::size_t faces() const { return face_start.size() - 1; }
  std::span<const int> face(std::size_t f) const {
    const auto first = static_cast<std::size_t>(face_start[f]), last = static_cast<std::size_t>(face_start[f + 1]);
    return {corner.data() + first, last - first};
  }
};

// Append one cell. Corners are in the order of VTK, which is
//   tetrahedron: positive volume, dot(cross(p1 - p0, p2 - p0), p3 - p0) > 0;
//   prism: a triangle 0 1 2, then 3 4 5 opposite, (p1 - p0) x (p2 - p0) pointing away from 3;
//   hexahedron: a quadrilateral 0 1 2 3, then 4 5 6 7 opposite, (p1 - p0) x (p3 - p0) pointing towards 4.
void add_tetrahedron(ControlLattice& lattice, const std::array<int, 4>& corners);
void add_prism(ControlLattice& lattice, const std::array<int, 6>& corners);
void add_hexahedron(ControlLattice& lattice, const std::array<int, 8>& corners);
void add_polyhedron(ControlLattice& lattice, const std::vector<std::vector<int>>& faces);

}  // namespace sinew
