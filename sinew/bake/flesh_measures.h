// What a report says about one frame of flesh.
#pragma once

#include <span>

#include "sinew/deform/lattice_flesh/flesh_body.h"
#include "sinew/deform/lattice_flesh/vertex_frames.h"

namespace sinew {

struct FleshMeasures {
  double energy = 0;        // joules: 1/2 u^T S u + 1/2 sum m |du/dt|^2, measured against the goal
  double volume_ratio = 1;  // of the body, over rest
  double min_det = 1;       // smallest det F over all tetrahedra
};

// `displacement` and `previous` are local displacements per body vertex, one step apart.
FleshMeasures measure_flesh(const FleshBody& body, const VertexFrames& frames, std::span<const Vec3> displacement,
                            std::span<const Vec3> previous);

}  // namespace sinew
