// The part of a body that each free handle holds (docs/mixed_fem.md, section 9).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/mesh/tetrahedral_mesh.h"

namespace sinew {

// A handle in a body at rest.
struct HandleInBody {
  std::string words;      // for messages: "handle 'tip'"
  Vec3 place;             // metres, rest space
  double radius = 0;      // metres, positive
  int tetrahedron = -1;   // that contains the place, or is nearest to it
  std::vector<int> skin;  // tetrahedra that carry the patch of skin that it holds; empty: it holds all flesh around it
};

struct HandleRegion {
  std::vector<int> vertices;    // that the handle holds, ascending; at least one
  std::vector<int> tetrahedra;  // whose rotation a frame gives, ascending; empty: others hold them all
};

// The region of flesh within the radius holds the tetrahedra whose barycentre is within the radius and that hang
// together, through such tetrahedra, with the one at the place, and this one; and all their vertices that are within
// the radius, and the corners of this one. A region of skin holds its tetrahedra with all their corners. A vertex or
// tetrahedron that several handles would hold belongs to the one for which its distance from the place over the radius
// is least; of equal ones to the first.
//
// Throws usage_error where the place is farther outside of its tetrahedron than the radius, and where others hold all
// vertices of a handle.
std::vector<HandleRegion> handle_regions(const TetrahedralMesh& mesh, std::span<const HandleInBody> handles);

}  // namespace sinew
