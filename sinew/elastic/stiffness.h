// The stiffness matrix at rest, S = d^2 U / dq dq at q = 0 (Capell 2004, section 3.3), of the small
// strain energy U = sum_s V_s (mu |e|^2 + lambda/2 tr(e)^2), e = sym(F) - I, over strain samples.
#pragma once

#include <span>

#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Block (i, j), newtons per metre, for `vertices` vertices.
BlockMatrix rest_stiffness(const StrainSamples& samples, int vertices);

// The same sum with one factor per sample: damping, painted stiffness.
BlockMatrix rest_stiffness(const StrainSamples& samples, int vertices, std::span<const double> factor);

}  // namespace sinew
