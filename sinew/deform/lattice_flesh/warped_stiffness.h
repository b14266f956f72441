// Skeletally warped stiffness (Capell 2004, equation 5.10) in local frames. With p_j = g_j + R_j u_j,
// row i of Q^e = R_i sum_j S_ij (R_i^T (x_j + q_j - c_ij) - x_j), turned into the frame of vertex i, is
//
//   e_i(u) = sum_j S_ij R_i^T R_j u_j  +  sum_j S_ij (R_i^T (g_j - g_i) - (x_j - x_i)).
//
// Rows of S sum to zero without the bone displacement energy, so any translation may be taken out of
// row i; taking out g_i and x_i keeps the numbers small. The first sum differs from S u only where
// neighbouring rotations do: near joints. That is why the rest factor is so good a preconditioner.
#pragma once

#include <span>

#include "sinew/deform/lattice_flesh/flesh_body.h"
#include "sinew/deform/lattice_flesh/vertex_frames.h"

namespace sinew {

// The second sum for every free vertex, 3 numbers each, newtons.
void warped_load(const FleshBody& body, const VertexFrames& frames, std::span<double> load);

// The first sum plus bone springs times `elastic`, plus the unwarped S u times `plain`: to = (elastic S_w + plain S) u,
// 3 numbers per free vertex. `world` is work space of one Vec3 per free vertex.
void warped_product(const FleshBody& body, const VertexFrames& frames, double elastic, double plain,
                    std::span<const double> u, std::span<Vec3> world, std::span<double> to);

}  // namespace sinew
