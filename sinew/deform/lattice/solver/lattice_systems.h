// What of a lattice's equations stays the same while its flesh is made stiffer or softer as a whole, damped otherwise
// or moved in other steps: patterns, masses, and the factors of the static system, which only grow with the stiffness.
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
  // The cells over values at vertices, where the basis has such (nodal_transform.h); else those of the description
  // count.
  CellMatrices values;
  std::vector<int> factor_function;  // functions that the whole systems are over, ascending: free ones, or values
  CellPattern whole, coarse;         // of the systems over those, and over the free functions of the coarsest level
  // Of the static system at rest, S with the bone displacement energy.
  BlockCholesky static_factor, coarse_static_factor;
  std::vector<Mat3> static_detail;  // per function: inverse of its block of the diagonal
};

// Throws input_error where no function is free, simulation_error where a part of the body hangs on nothing, Stopped
// where `progress` asks for it.
std::shared_ptr<const LatticeSystems> lattice_systems(const LatticeDescription& description,
                                                      const Progress& progress = {});

inline constexpr std::array<CellFactors, 1> static_factors{{{0, 1, 1}}};

// Of a system at rest over the functions of a pattern, sums of the cells' matrices. `factor`: an empty one, or of the
// same pattern. A factor in half precision that is too far from the inverse is made one in single precision. Throws
// simulation_error where a part of the body hangs on nothing.
BlockCholesky factor_of(const CellMatrices& cells, const CellPattern& pattern, std::span<const CellFactors> factors,
                        FactorPrecision precision, BlockCholesky factor = {});

// Inverses of the diagonal blocks of the same matrix; zero for functions that are not free.
std::vector<Mat3> inverse_diagonal(const LatticeDescription& description, std::span<const CellFactors> factors);

// Function -> number among those that may move: the free ones of the first `functions`, with those that are absent
// where vertices' values are meant, which they have all the same; else -1.
std::vector<int> unknowns_below(const LatticeDescription& description, std::size_t functions, bool values);

}  // namespace sinew
