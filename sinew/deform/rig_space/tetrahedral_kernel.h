// The modified St. Venant-Kirchhoff law (elastic/hyperelastic.h), vectorised over eight tetrahedra: the most expensive
// part of a step of rig-space physics. Tests hold it equal to the scalar version.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew::tetrahedral_kernel {

inline constexpr std::size_t lanes = 8;  // tetrahedra in a block

using Lanes = std::array<double, lanes>;

struct alignas(64) Block {
  std::array<std::array<int, lanes>, 4> vertex{};
  std::array<Lanes, 9> inverse_edges{};  // of the stress-free shape, row by row
  Lanes volume{};                        // 0: no tetrahedron
  Lanes shear{}, lambda{};
};

// dW/dx of corners 1 to 3, newtons: three vectors. The force on corner 0 is minus their sum.
struct alignas(64) Forces {
  std::array<Lanes, 9> value{};
};

// Blocks of the Hessian, N/m, for the pairs of corners 00 01 02 03 11 12 13 22 23 33; nine numbers each, row by row.
inline constexpr std::size_t pairs = 10;
inline constexpr std::size_t pair_of[4][4] = {{0, 1, 2, 3}, {1, 4, 5, 6}, {2, 5, 7, 8}, {3, 6, 8, 9}};
struct alignas(64) Stiffness {
  std::array<Lanes, 9 * pairs> value{};
};

// Computes energies per tetrahedron, joules, and forces if `forces` is not null.
void energy(std::span<const Block> blocks, const Vec3* x, std::span<Lanes> energies, Forces* forces);

// Sets the inverse edges of the tetrahedra at x. `own`: inverse edges of the mesh's own shape. `flat` (one number per
// lane and block) becomes 1 where the tetrahedron may be flatter than `least_stretch` of its own shape, and its inverse
// edges are left to the caller; else 0.
void rest_at(std::span<Block> blocks, std::span<const std::array<Lanes, 9>> own, const Vec3* x, double least_stretch,
             std::span<Lanes> flat);

void stiffness(std::span<const Block> blocks, const Vec3* x, Stiffness* result);

}  // namespace sinew::tetrahedral_kernel
