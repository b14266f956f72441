#include "sinew/mesh/control_lattice/lattice_structure.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/cell_complex.h"
#include "sinew/mesh/control_lattice/refinement.h"

namespace sinew {
namespace {

std::string text(std::size_t i) { return std::to_string(i); }
std::string text(int i) { return std::to_string(i); }

bool ascends_from_zero_to(const std::vector<int>& start, std::size_t end) {
  return !start.empty() && start.front() == 0 && std::is_sorted(start.begin(), start.end()) &&
         index(start.back()) == end;
}

bool exists(const ControlLattice& lattice, int vertex) {
  return vertex >= 0 && index(vertex) < lattice.positions.size();
}

std::string no_such_vertex(const ControlLattice& lattice, const std::string& who, int vertex) {
  return who + " names vertex " + text(vertex) + ", but the lattice has " + text(lattice.positions.size()) +
         " vertices; correct the number.";
}

void check_numbers(const ControlLattice& lattice, LatticeDefects& defects) {
  if (!ascends_from_zero_to(lattice.face_start, lattice.corner.size()) ||
      !ascends_from_zero_to(lattice.cell_start, lattice.faces())) {
    defects.add("the lattice's lists of cells, faces and corners do not fit together; write it again.");
    return;
  }
  if (lattice.cells() == 0) defects.add("the lattice has no cells; give it some.");
  for (std::size_t i = 0; i < lattice.positions.size(); ++i)
    if (!is_finite(lattice.positions[i]))
      defects.add("vertex " + text(i) + " of the lattice has a position that is not a finite number; correct it.");
  for (std::size_t c = 0; c < lattice.cells(); ++c)
    for (auto f = index(lattice.cell_start[c]); f < index(lattice.cell_start[c + 1]); ++f) {
      const std::string who =
          "face " + text(f - index(lattice.cell_start[c])) + " of cell " + text(c) + " of the lattice";
      const std::span<const int> face = lattice.face(f);
      if (face.size() < 3) defects.add(who + " has " + text(face.size()) + " corners; give it three or more.");
      for (int v : face)
        if (!exists(lattice, v))
          defects.add(no_such_vertex(lattice, who, v));
        else if (std::count(face.begin(), face.end(), v) > 1)
          defects.add(who + " names vertex " + text(v) + " twice; correct the face.");
    }
}

void check_painted(const ControlLattice& lattice, const std::vector<double>& values, const std::string& name,
                   LatticeDefects& defects) {
  if (values.empty()) return;
  if (values.size() != lattice.positions.size()) {
    defects.add("the lattice has " + text(values.size()) + " painted values of " + name + " for " +
                text(lattice.positions.size()) + " vertices; give one for each, or none.");
    return;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(std::isfinite(values[i]) && values[i] > 0))
      defects.add("the painted " + name + " of vertex " + text(i) +
                  " of the lattice is not a positive number; paint it again.");
}

// True if `b` has the corners of `a` in the same cyclic order.
bool same_cycle(std::span<const int> a, std::span<const int> b) {
  const auto first = std::find(b.begin(), b.end(), a.front()) - b.begin();
  for (std::size_t k = 0; k < a.size(); ++k)
    if (a[k] != b[(k + static_cast<std::size_t>(first)) % b.size()]) return false;
  return true;
}

void check_faces(const CellComplex& complex, LatticeDefects& defects) {
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    const std::span<const int> sides = complex.face_sides[f];
    if (sides.size() == 1) continue;
    const auto cell = [&](std::size_t k) { return complex.side_cell[index(sides[k])]; };
    const std::string pair = "cells " + text(cell(0)) + " and " + text(cell(1)) + " of the lattice";
    const std::string corner = " at vertex " + text(complex.faces[f].front());
    if (sides.size() > 2) {
      defects.add(pair + " share a face" + corner + " with cell " + text(cell(2)) +
                  "; a face can be between two cells only: separate them.");
      continue;
    }
    const std::span<const int> a = complex.cells.side(index(sides[0])), b = complex.cells.side(index(sides[1]));
    if (same_cycle(a, b))
      defects.add(pair + " lie on the same side of the face that they share" + corner + "; turn one of them round.");
    else if (!same_cycle(std::vector<int>(a.rbegin(), a.rend()), b))
      defects.add(pair + " join the corners of the face that they share" + corner +
                  " in different order; give both the same face.");
  }
}

// Detects two triangles, of one cell or two, against a quadrilateral of another cell: the face only seems to be shared.
void check_quadrilaterals(const CellComplex& complex, LatticeDefects& defects) {
  std::set<std::array<int, 3>> triangles;
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    if (!complex.boundary_face[f] || complex.faces[f].size() != 3) continue;
    std::array<int, 3> t{complex.faces[f][0], complex.faces[f][1], complex.faces[f][2]};
    std::sort(t.begin(), t.end());
    triangles.insert(t);
  }
  const auto is_triangle = [&](int a, int b, int c) {
    std::array<int, 3> t{a, b, c};
    std::sort(t.begin(), t.end());
    return triangles.count(t) > 0;
  };
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    if (!complex.boundary_face[f] || complex.faces[f].size() != 4) continue;
    const std::span<const int> q = complex.faces[f];
    if ((is_triangle(q[0], q[1], q[2]) && is_triangle(q[2], q[3], q[0])) ||
        (is_triangle(q[1], q[2], q[3]) && is_triangle(q[3], q[0], q[1])))
      defects.add("cell " + text(complex.side_cell[index(complex.face_sides[f][0])]) +
                  " of the lattice has a face of four corners at vertex " + text(q[0]) +
                  " that other cells cut into two triangles; cut it the same way on both sides.");
  }
}

void check_chain(const ControlLattice& lattice, const CellComplex& complex, const std::vector<int>& chain,
                 const std::string& who, LatticeDefects& defects) {
  for (int v : chain)
    if (!exists(lattice, v)) return defects.add(no_such_vertex(lattice, who, v));
  for (std::size_t k = 0; k + 1 < chain.size(); ++k) {
    if (complex.edge_between(chain[k], chain[k + 1]) < 0)
      return defects.add(who + " goes from vertex " + text(chain[k]) + " to vertex " + text(chain[k + 1]) +
                         ", between which the lattice has no edge; lead it along edges.");
    if (std::find(chain.begin() + static_cast<std::ptrdiff_t>(k) + 1, chain.end(), chain[k]) != chain.end())
      return defects.add(who + " comes to vertex " + text(chain[k]) + " twice; lead it there once.");
  }
}

void check_bones(const ControlLattice& lattice, const CellComplex& complex, LatticeDefects& defects) {
  for (const LatticeBone& bone : lattice.bones) {
    const std::string who = "bone \"" + bone.name + "\" of the lattice";
    if (bone.vertices.empty()) defects.add(who + " has no vertices; give it a chain or delete it.");
    check_chain(lattice, complex, bone.vertices, who, defects);
  }
  for (std::size_t e = 0; e < lattice.sharp_edges.size(); ++e) {
    const std::array<int, 2>& edge = lattice.sharp_edges[e];
    check_chain(lattice, complex, {edge[0], edge[1]}, "sharp edge " + text(e) + " of the lattice", defects);
  }
  for (int v : lattice.sharp_vertices)
    if (!exists(lattice, v)) defects.add(no_such_vertex(lattice, "the list of sharp vertices", v));
}

}  // namespace

LatticeDefects structural_defects(const ControlLattice& lattice, std::size_t limit) {
  LatticeDefects defects;
  defects.limit = limit;
  check_numbers(lattice, defects);
  check_painted(lattice, lattice.stiffness, "stiffness", defects);
  check_painted(lattice, lattice.damping, "damping", defects);
  check_painted(lattice, lattice.density, "density", defects);
  if (defects.any()) return defects;
  const CellComplex complex = cell_complex(sides_of(lattice));
  for (std::size_t c = 0; c < lattice.cells(); ++c) {
    const std::string defect = defect_of_cell(complex, c);
    if (!defect.empty()) defects.add(defect);
  }
  if (defects.any()) return defects;
  check_faces(complex, defects);
  check_quadrilaterals(complex, defects);
  check_bones(lattice, complex, defects);
  return defects;
}

void throw_if_any(const LatticeDefects& defects, const std::string& who) {
  if (!defects.any()) return;
  std::string sentence = (who.empty() ? "" : who + ": ") + defects.sentences.at(0);
  if (defects.count > 1) {
    if (sentence.back() == '.') sentence.pop_back();
    sentence += " (and " + text(defects.count - 1) + " more such defects).";
  }
  throw input_error(sentence);
}

}  // namespace sinew
