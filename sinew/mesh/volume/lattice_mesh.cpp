#include "sinew/mesh/volume/lattice_mesh.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Warping must not spoil the elements: dihedral angles stay within these bounds (cosines).
const double smallest_angle_cosine = std::cos(22 * 3.14159265358979323846 / 180);
const double largest_angle_cosine = std::cos(150 * 3.14159265358979323846 / 180);

bool has_good_angles(const std::array<Vec3, 4>& p) {
  if (!(volume(p[0], p[1], p[2], p[3]) > 0)) return false;
  const AngleRange cosines = dihedral_cosines(p);
  return cosines.smallest <= smallest_angle_cosine && cosines.largest >= largest_angle_cosine;
}

// Near cubes with the ring around them (a warped node may move a part of the surface to a tetrahedron of the next
// cube), and deep cubes. Sorted.
std::vector<CubeIndex> cubes_with_ring(const SolidSampling& sampling) {
  std::vector<CubeIndex> cubes(sampling.cubes().begin(), sampling.cubes().end());
  LatticeMap added;
  int count = 0;
  for (int near = 0; near < sampling.near_count(); ++near) {
    CubeIndex step;
    for (step[2] = -1; step[2] <= 1; ++step[2])
      for (step[1] = -1; step[1] <= 1; ++step[1])
        for (step[0] = -1; step[0] <= 1; ++step[0]) {
          CubeIndex c = sampling.cubes()[static_cast<std::size_t>(near)];
          for (std::size_t k = 0; k < 3; ++k) c[k] += step[k];
          if (sampling.find(c) >= 0 || added.insert(lattice_key(c), count) != count) continue;
          ++count;
          cubes.push_back(c);
        }
  }
  std::sort(cubes.begin(), cubes.end(),
            [](const CubeIndex& a, const CubeIndex& b) { return lattice_key(a) < lattice_key(b); });
  return cubes;
}

// Target position of the node at p, or p itself.
Vec3 warped(const SolidSurface& surface, const Vec3& p, bool inside, double cell, const WarpOptions& options) {
  const ClosestPoint closest = surface.tree.closest_point(p, options.reach * cell);
  if (closest.triangle < 0) return p;
  const double distance = std::sqrt(closest.squared_distance);
  Vec3 outward;
  if (distance > 1e-6 * cell) {
    outward = (p - closest.point) / distance;
    if (inside) outward = -outward;
  } else {
    const auto v = surface.corners(closest.triangle);
    outward = normalized(area_vector(v[0], v[1], v[2]));
  }
  return closest.point + options.margin * cell * outward;
}

}  // namespace

LatticeMesh build_lattice_mesh(const SolidSampling& sampling, const WarpOptions& options) {
  const CubeGrid& grid = sampling.grid();
  const std::vector<CubeIndex> cubes = cubes_with_ring(sampling);
  LatticeMap cube_number(2 * cubes.size()), node_number(4 * cubes.size());
  for (std::size_t i = 0; i < cubes.size(); ++i) cube_number.insert(lattice_key(cubes[i]), static_cast<int>(i));
  LatticeMesh lattice;
  std::vector<LatticeNode> nodes;
  lattice.tetrahedra.reserve(12 * cubes.size());
  lattice.cube.reserve(12 * cubes.size());
  for (const CubeIndex& cube : cubes)
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
      // There is nothing beyond the ring: only faces between two cubes of the set matter.
      if (cube_number.find(lattice_key(neighbour(cube, axis, 1))) < 0) continue;
      for (std::uint8_t edge = 0; edge < 4; ++edge) {
        std::array<int, 4> tetrahedron;
        const auto corner = nodes_of({cube, axis, edge});
        for (std::size_t k = 0; k < 4; ++k) {
          const int fresh = static_cast<int>(nodes.size());
          tetrahedron[k] = node_number.insert(lattice_key(corner[k]), fresh);
          if (tetrahedron[k] == fresh) nodes.push_back(corner[k]);
        }
        lattice.tetrahedra.push_back(tetrahedron);
        lattice.cube.push_back(cube);
      }
    }

  lattice.positions.resize(nodes.size());
  std::vector<Vec3> rest(nodes.size());
  std::vector<char> moved(nodes.size(), 0);
  parallel_for(nodes.size(), 64, [&](std::size_t i) {
    rest[i] = position(grid, nodes[i]);
    // Corners and centres of cubes are among their samples.
    const int u = nodes[i].center ? subdivisions / 2 : 0;
    const bool inside = sampling.inside_node(nodes[i].index, {u, u, u}) >= 0;
    lattice.positions[i] = warped(sampling.surface(), rest[i], inside, grid.cell, options);
    moved[i] = !(lattice.positions[i] == rest[i]);
  });

  // Nodes of elements that warping made worse than the bounds move back, by half each time and finally completely.
  constexpr int rounds = 6;
  for (int round = 0; round < rounds; ++round) {
    std::vector<char> retreat(nodes.size(), 0);
    bool any = false;
    for (const auto& t : lattice.tetrahedra) {
      std::array<Vec3, 4> p;
      bool touched = false;
      for (std::size_t k = 0; k < 4; ++k) {
        p[k] = lattice.positions[static_cast<std::size_t>(t[k])];
        touched = touched || moved[static_cast<std::size_t>(t[k])];
      }
      if (!touched || has_good_angles(p)) continue;
      any = true;
      for (int node : t) retreat[static_cast<std::size_t>(node)] = moved[static_cast<std::size_t>(node)];
    }
    if (!any) break;
    const double keep = round + 2 < rounds ? 0.5 : 0.0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (retreat[i]) {
        lattice.positions[i] = rest[i] + keep * (lattice.positions[i] - rest[i]);
        if (keep == 0) moved[i] = 0;
      }
  }

  // Tetrahedra of the ring matter only where a node has moved.
  std::size_t kept = 0;
  for (std::size_t t = 0; t < lattice.tetrahedra.size(); ++t) {
    const auto& nodes_of_t = lattice.tetrahedra[t];
    bool matters = sampling.find(lattice.cube[t]) >= 0;
    for (std::size_t k = 0; k < 4 && !matters; ++k) {
      const auto n = static_cast<std::size_t>(nodes_of_t[k]);
      matters = moved[n] || (nodes[n].center && sampling.find(nodes[n].index) >= 0);
    }
    if (!matters) continue;
    lattice.tetrahedra[kept] = nodes_of_t;
    lattice.cube[kept++] = lattice.cube[t];
  }
  lattice.tetrahedra.resize(kept);
  lattice.cube.resize(kept);
  return lattice;
}

}  // namespace sinew
