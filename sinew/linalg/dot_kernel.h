// The inner loop of dot products, in vector registers.
#pragma once

#include <cstddef>

namespace sinew {

// sum of a[i] b[i]: eight sums side by side, products rounded before they are added, so that every processor gives the
// same bits.
double dot_in_eight_sums(const double* a, const double* b, std::size_t count);

// The same in plain loops: what the tests hold the kernel to.
double dot_in_eight_sums_reference(const double* a, const double* b, std::size_t count);

}  // namespace sinew
