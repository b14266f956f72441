// Stiffness of nonlinear flesh in a pose of the rig: the Hessian of its elastic energy (flesh/goal_elasticity.h) where
// the flesh is at its goal.
#pragma once

#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/deform/tetrahedra/flesh_body.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Computes the stiffness in the frames of the vertices, with the bone displacement energy: free x free, with the
// pattern of FleshBody::stiffness, newtons per metre.
BlockMatrix pose_stiffness(const FleshBody& body, const VertexFrames& frames);

}  // namespace sinew
