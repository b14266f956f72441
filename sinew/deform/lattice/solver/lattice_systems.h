// The part of a lattice's equations that does not change with overall stiffness, damping or step length: sparsity
// patterns, masses, and the factors of the static system, which scale with the stiffness.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/deform/lattice/lattice_description.h"
#include "sinew/linalg/cholesky.h"

namespace sinew {

struct LatticeSystems {
  SparseRows mass, hold;  // functions x functions: M, kilograms, and the bone displacement energy's Hessian, N/m
  // Cell matrices over nodal values, if the basis has these (nodal_transform.h); else empty, and those of the
  // description are used.
  CellMatrices values;
  NodalTransform nodal;              // to these values; for true elasticity without the functions that are left out
  std::vector<int> factor_function;  // functions that `whole` is over, ascending: the free ones, or nodal values
  CellPattern whole, coarse;         // patterns over factor_function, and over the free functions of the coarsest level
  // Factors of the static system at rest: S plus the bone displacement energy. For free bodies, which have no static
  // equilibrium, plus M, and of use for their patterns alone.
  BlockCholesky static_factor, coarse_static_factor;
  std::vector<Mat3> static_detail;  // per function: inverse of its block of the diagonal
};

// Throws input_error if no function is free, simulation_error if a part of the body is attached to nothing, Stopped if
// `progress` requests it.
std::shared_ptr<const LatticeSystems> lattice_systems(const LatticeDescription& description,
                                                      const Progress& progress = {});

inline constexpr std::array<CellFactors, 1> static_factors{{{0, 1, 1}}}, free_factors{{{1, 1, 1}}};

// Factorises a system at rest, the sum of the cells' matrices. `factor`: empty, or an earlier factor of the same
// pattern, whose analysis is reused. If half precision is too inexact, single precision is used. Throws
// simulation_error if a part of the body is attached to nothing.
BlockCholesky factor_of(const CellMatrices& cells, const CellPattern& pattern, std::span<const CellFactors> factors,
                        FactorPrecision precision, BlockCholesky factor = {});

// Inverses of the diagonal blocks of the same sum of matrices; zero for functions that are not free.
std::vector<Mat3> inverse_diagonal(const LatticeDescription& description, std::span<const CellFactors> factors);

// Numbers the unknowns among the first `functions` functions: the free ones and, if `values` (nodal values of all
// functions), the absent ones too, whose vertices have a value all the same. -1 for all others.
std::vector<int> unknowns_below(const LatticeDescription& description, std::size_t functions, bool values);

}  // namespace sinew
