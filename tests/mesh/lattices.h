// Control lattices with known answers.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "sinew/mesh/control_lattice/control_lattice.h"

namespace sinew::test {

// A box of nx x ny x nz unit cubes from the origin, as hexahedra.
inline ControlLattice hexahedral_box(int nx, int ny, int nz) {
  ControlLattice lattice;
  const auto at = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) lattice.positions.push_back({double(i), double(j), double(k)});
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        add_hexahedron(lattice, {at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k), at(i, j, k + 1),
                                 at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)});
  return lattice;
}

// The same box, each cube in six tetrahedra along a diagonal.
inline ControlLattice tetrahedral_box(int nx, int ny, int nz) {
  ControlLattice lattice;
  const auto at = [&](const std::array<int, 3>& i) { return i[0] + (nx + 1) * (i[1] + (ny + 1) * i[2]); };
  lattice.positions = hexahedral_box(nx, ny, nz).positions;
  constexpr int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        for (int o = 0; o < 6; ++o) {
          std::array<int, 3> corner{i, j, k};
          std::array<int, 4> cell{at(corner)};
          for (std::size_t step = 0; step < 3; ++step) {
            ++corner[static_cast<std::size_t>(order[o][step])];
            cell[step + 1] = at(corner);
          }
          if (o >= 3) std::swap(cell[2], cell[3]);
          add_tetrahedron(lattice, cell);
        }
  return lattice;
}

// `segments` unit lengths along x of `around` prisms about the axis, which is a bone called "axis".
inline ControlLattice prism_bar(int segments, int around, double radius = 1) {
  ControlLattice lattice;
  LatticeBone bone{"axis", {}};
  for (int s = 0; s <= segments; ++s) {
    bone.vertices.push_back(static_cast<int>(lattice.positions.size()));
    lattice.positions.push_back({double(s), 0, 0});
    for (int a = 0; a < around; ++a) {
      const double angle = 2 * std::numbers::pi * a / around;
      lattice.positions.push_back({double(s), radius * std::cos(angle), radius * std::sin(angle)});
    }
  }
  const auto at = [&](int s, int a) { return s * (around + 1) + (a < 0 ? 0 : 1 + a % around); };
  for (int s = 0; s < segments; ++s)
    for (int a = 0; a < around; ++a)
      add_prism(lattice, {at(s, -1), at(s, a + 1), at(s, a), at(s + 1, -1), at(s + 1, a + 1), at(s + 1, a)});
  lattice.bones.push_back(bone);
  return lattice;
}

inline double volume_of_prism_bar(int segments, int around, double radius = 1) {
  return segments * around * 0.5 * radius * radius * std::sin(2 * std::numbers::pi / around);
}

// A unit cube; beside it, at x from 1 to 2, another as two prisms; a tetrahedron on one of these.
inline ControlLattice mixed_lattice() {
  ControlLattice lattice = hexahedral_box(2, 1, 1);
  lattice.cell_start.assign(1, 0);
  lattice.face_start.assign(1, 0);
  lattice.corner.clear();
  add_hexahedron(lattice, {0, 1, 4, 3, 6, 7, 10, 9});
  add_prism(lattice, {1, 4, 2, 7, 10, 8});
  add_prism(lattice, {2, 4, 5, 8, 10, 11});
  lattice.positions.push_back({1.3, 0.3, 2});
  add_tetrahedron(lattice, {7, 8, 10, 12});
  return lattice;
}
inline constexpr double volume_of_mixed_lattice = 2 + 1.0 / 6;

// A straight prism of height 1 over a regular polygon of `corners` corners and radius 1: one cell.
inline ControlLattice polygonal_prism(int corners) {
  ControlLattice lattice;
  std::vector<int> low, high;
  for (int z = 0; z < 2; ++z)
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      lattice.positions.push_back({std::cos(angle), std::sin(angle), double(z)});
    }
  std::vector<std::vector<int>> faces(2);
  for (int i = 0; i < corners; ++i) {
    faces[0].push_back(corners - 1 - i);
    faces[1].push_back(corners + i);
    const int next = (i + 1) % corners;
    faces.push_back({i, next, corners + next, corners + i});
  }
  add_polyhedron(lattice, faces);
  return lattice;
}

}  // namespace sinew::test
