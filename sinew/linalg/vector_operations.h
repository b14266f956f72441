// Dot products and sums of long vectors, computed in parallel with the same bits for any number of threads.
#pragma once

#include <span>
#include <vector>

namespace sinew {

// Dot product of two vectors of equal length.
double dot(std::span<const double> a, std::span<const double> b);

// Adds factor x to y.
void add_scaled(double factor, std::span<const double> x, std::span<double> y);

// Sets y to factor x; y may be x.
void scale(double factor, std::span<const double> x, std::span<double> y);

// Adds sum_j factor_j x_j to y, in one pass over y.
void add_combination(std::span<const double> factors, std::span<const std::vector<double>> x, std::span<double> y);

// Subtracts sum_i h_i basis_i from v, h_i = basis_i . v: one step of classical Gram-Schmidt, in two passes over v (the
// modified form takes two per basis vector). Returns |v|^2 of the result. `work` is work space.
double orthogonalize(std::span<const std::vector<double>> basis, std::span<double> v, std::span<double> h,
                     std::vector<double>& work);

}  // namespace sinew
