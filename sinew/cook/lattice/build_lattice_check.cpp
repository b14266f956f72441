#include "sinew/cook/lattice/build_lattice_check.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>

#include "sinew/mesh/lattice_editing/lattice_problems.h"

namespace sinew {
namespace {

std::string number_of(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
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
  for (const OutsideCell& outside : vertices_outside(lattice, surface.rest)) {
    fit.vertices_outside += outside.count;
    fit.farthest_outside = std::max(fit.farthest_outside, outside.farthest);
    const Vec3& p = surface.rest.positions[static_cast<std::size_t>(outside.farthest_vertex)];
    fit.defects.add(std::to_string(outside.count) + (outside.count == 1 ? " vertex" : " vertices") +
                    " of the surface beside cell " + std::to_string(outside.cell) + " of the lattice " +
                    (outside.count == 1 ? "is" : "are") + " outside it, by up to " + number_of(outside.farthest) +
                    " m, near (" + number_of(p.x) + ", " + number_of(p.y) + ", " + number_of(p.z) +
                    "); move the cell's outer vertices outwards.");
  }
  return fit;
}

}  // namespace sinew
