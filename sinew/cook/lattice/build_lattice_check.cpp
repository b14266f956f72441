#include "sinew/cook/lattice/build_lattice_check.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <string>

#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/quality.h"

namespace sinew {
namespace {

// Trilinear cells are nearly straight after this many subdivisions.
constexpr int levels = 2;

std::string number_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// Surface vertices outside every cell whose nearest cell is this one.
struct Outside {
  int count = 0, farthest_vertex = -1;
  double farthest = 0;
};

std::map<int, Outside> vertices_outside(const ControlLattice& lattice, const TriangleMesh& surface) {
  const SubdividedLattice fine = subdivide(lattice, SubdivisionScheme::trilinear, levels);
  const LatticeTetrahedra tetrahedra = cut_into_tetrahedra(fine);
  const Embedding embedding = embed_points(tetrahedra.mesh, surface.positions);
  const Box box = bounds(surface.positions);
  const double tolerance = enclosure_tolerance * norm(box.upper - box.lower);
  std::map<int, Outside> outside;
  for (std::size_t v = 0; v < surface.positions.size(); ++v) {
    const auto t = static_cast<std::size_t>(embedding.points[v].tetrahedron);
    const double distance = distance_outside(corners_of(tetrahedra.mesh, t), surface.positions[v]);
    if (!(distance > tolerance)) continue;
    Outside& of_cell = outside[fine.cell[static_cast<std::size_t>(tetrahedra.hexahedron[t])]];
    ++of_cell.count;
    if (distance <= of_cell.farthest) continue;
    of_cell.farthest = distance;
    of_cell.farthest_vertex = static_cast<int>(v);
  }
  return outside;
}

}  // namespace

LatticeFit check_fit(const ControlLattice& lattice, const SimulationSurface& surface, std::size_t limit) {
  LatticeFit fit;
  fit.defects.limit = limit;
  std::set<std::string> followed;
  for (const LatticeBone& bone : lattice.bones) {
    if (!followed.insert(bone.name).second) continue;
    if (std::none_of(surface.bones.begin(), surface.bones.end(), [&](const Bone& b) { return b.name == bone.name; }))
      fit.defects.add("bone '" + bone.name +
                      "' of the lattice is none of the character's; `sinew info --json` names those.");
  }
  for (const Bone& bone : surface.bones) fit.bones_missing += !bone.helper && !followed.contains(bone.name);
  for (const auto& [cell, outside] : vertices_outside(lattice, surface.rest)) {
    fit.vertices_outside += outside.count;
    fit.farthest_outside = std::max(fit.farthest_outside, outside.farthest);
    const Vec3& p = surface.rest.positions[static_cast<std::size_t>(outside.farthest_vertex)];
    fit.defects.add(std::to_string(outside.count) + (outside.count == 1 ? " vertex" : " vertices") +
                    " of the surface beside cell " + std::to_string(cell) + " of the lattice " +
                    (outside.count == 1 ? "is" : "are") + " outside it, by up to " + number_of(outside.farthest) +
                    " m, near (" + number_of(p.x) + ", " + number_of(p.y) + ", " + number_of(p.z) +
                    "); move the cell's outer vertices outwards.");
  }
  return fit;
}

}  // namespace sinew
