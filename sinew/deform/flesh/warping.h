// Choice of the frames in which small strain is measured (docs/flesh.md).
#pragma once

namespace sinew {

enum class Warping {
  // One frame R per patch of tetrahedra, the mean of its vertices': U = sum_s V_s (mu |e|^2 + lambda/2 tr(e)^2) over
  // its strain samples, e = sym(R^T F) - I. Symmetric, positive semi-definite, without net force; stable in any pose.
  element,
  // One frame per row, that of its vertex (Capell 2004, equation 5.10): Q_i = R_i sum_j S_ij (R_i^T (x_j + q_j - c_ij)
  // - x_j). Not symmetric; forces between differing rotations do not cancel.
  vertex,
};

}  // namespace sinew
