// The stiffness matrix at rest, S = d^2 U / dq dq at q = 0 (Capell 2004, section 3.3), of the small
// strain energy U = sum_s V_s (mu |e|^2 + lambda/2 tr(e)^2), e = sym(F) - I, over strain samples.
#pragma once

#include <span>

#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Hessian of V (mu |e|^2 + lambda/2 tr(e)^2) with respect to the positions of vertices i and j, whose gradients are g_i
// and g_j: V (lambda g_i g_j^T + mu g_j g_i^T + mu (g_i . g_j) I).
Mat3 stiffness_block(const Vec3& gi, const Vec3& gj, double volume, double shear, double lambda);

// Stiffness of `vertices` vertices; block (i, j) in newtons per metre.
BlockMatrix rest_stiffness(const StrainSamples& samples, int vertices);

// Stiffness with one factor per sample, e.g. for damping or painted stiffness.
BlockMatrix rest_stiffness(const StrainSamples& samples, int vertices, std::span<const double> factor);

}  // namespace sinew
