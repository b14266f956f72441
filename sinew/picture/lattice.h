// Pictures of control lattices around what they enclose.
#pragma once

#include "sinew/files/png.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct LatticePictureOptions {
  int width = 420, height = 480;  // pixels, of each view
  int samples = 2;                // PictureOptions
};

// The surface from the front, from the side and from between, with the edges of the lattice's boundary over it (those
// behind it faintly) and its bones.
Image lattice_picture(const TriangleMesh& surface, const ControlLattice& lattice,
                      const LatticePictureOptions& options = {});

}  // namespace sinew
