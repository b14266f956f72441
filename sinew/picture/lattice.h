// Pictures of control lattices around the surfaces that they enclose.
#pragma once

#include "sinew/files/png.h"
#include "sinew/mesh/control_lattice/control_lattice.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct LatticePictureOptions {
  int width = 420, height = 480;  // of each view, pixels
  int samples = 2;                // see PictureOptions
};

// The surface from the front, from the side and from between, overlaid with the edges of the lattice's boundary (hidden
// ones faint) and its bones.
Image lattice_picture(const TriangleMesh& surface, const ControlLattice& lattice,
                      const LatticePictureOptions& options = {});

}  // namespace sinew
