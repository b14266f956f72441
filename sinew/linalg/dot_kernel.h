// The inner loop of dot products, in vector registers.
#pragma once

#include <cstddef>

namespace sinew {

// Sum of a[i] b[i] in eight partial sums, with products rounded before they are added, so that every processor gives
// the same bits.
double dot_in_eight_sums(const double* a, const double* b, std::size_t count);

// Computes four such sums, result[j] = a[j] . b, with the same bits; b is read once.
void four_dots_in_eight_sums(const double* const* a, const double* b, std::size_t count, double* result);

}  // namespace sinew
