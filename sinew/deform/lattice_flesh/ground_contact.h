// A ground plane that the flesh's surface does not pass.
#pragma once

#include <span>

#include "sinew/deform/lattice_flesh/flesh_body.h"
#include "sinew/deform/lattice_flesh/flesh_state.h"
#include "sinew/deform/lattice_flesh/vertex_frames.h"

namespace sinew {

// Moves the end-of-step displacements (local, 3 per free vertex) so that no embedded surface point
// whose goal stands above the plane y = ground_height ends below it; each correction is spread over
// the corners of the point's tetrahedron by inverse mass, as an inelastic impact within the step.
// Points whose goal itself is below the plane are left to the animator. Sets touched[f] to 1 for every
// free vertex that was moved, to 0 for the others. Returns how many surface points had to be held.
int hold_above_ground(const FleshBody& body, const VertexFrames& frames, std::span<double> displacement,
                      std::span<char> touched);

// What an inelastic impact leaves of the touched vertices' motion across the plane at the end of a step: the
// velocity that the step really had. Newmark's own would be twice the push over h, a bounce, and its
// acceleration and force would hold the ground's reaction, of which the next step would get a share.
// `before` holds the world positions of the free vertices at the start of the step.
void settle_on_ground(const FleshBody& body, std::span<const char> touched, std::span<const Vec3> before, FleshState& state);

}  // namespace sinew
