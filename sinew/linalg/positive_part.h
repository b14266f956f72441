// The positive semi-definite part of a symmetric matrix.
#pragma once

#include "sinew/linalg/small.h"

namespace sinew {

// Symmetric `a` without its negative eigenvalues: the closest positive semi-definite matrix. `a` itself, to the bit,
// where it has none.
Mat3 positive_part(const Mat3& a);

}  // namespace sinew
