// A ground plane that the flesh's surface does not pass.
#pragma once

#include <span>

#include "sinew/deform/lattice_flesh/flesh_body.h"
#include "sinew/deform/lattice_flesh/vertex_frames.h"

namespace sinew {

// Moves the end-of-step displacements (local, 3 per free vertex) so that no embedded surface point
// whose goal stands above the plane y = ground_height ends below it; each correction is spread over
// the corners of the point's tetrahedron by inverse mass, as an inelastic impact within the step.
// Points whose goal itself is below the plane are left to the animator. Returns how many were moved.
int hold_above_ground(const FleshBody& body, const VertexFrames& frames, std::span<double> displacement);

}  // namespace sinew
