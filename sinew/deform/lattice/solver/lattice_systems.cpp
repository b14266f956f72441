#include "sinew/deform/lattice/solver/lattice_systems.h"

#include <algorithm>
#include <numeric>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr const char* cooking_systems = "cooking the equations of the lattice";

// A rounded factor that is further than this from the inverse would cost iterations.
constexpr double most_preconditioner_error = 0.1;

constexpr const char* hangs_on_nothing =
    "a part of the lattice hangs on no bone, so that its weight has nowhere to go; let a bone run through it, or raise "
    "`bone_hold`.";

// Per function, whether its coefficient is always zero.
std::vector<char> left_out(const LatticeDescription& d) {
  std::vector<char> out(d.role.size());
  for (std::size_t f = 0; f < out.size(); ++f)
    out[f] = d.role[f] == FunctionRole::zero || d.role[f] == FunctionRole::absent;
  return out;
}

}  // namespace

std::vector<int> unknowns_below(const LatticeDescription& description, std::size_t functions, bool values) {
  std::vector<int> unknown(description.role.size(), -1);
  int count = 0;
  for (std::size_t f = 0; f < functions; ++f)
    if (description.role[f] == FunctionRole::free || (values && description.role[f] == FunctionRole::absent))
      unknown[f] = count++;
  return unknown;
}

BlockCholesky factor_of(const CellMatrices& cells, const CellPattern& pattern, std::span<const CellFactors> factors,
                        FactorPrecision precision, BlockCholesky factor) {
  const BlockMatrix matrix = assemble_cells(cells, pattern, factors);
  try {
    factor.factor(matrix, precision);
    if (factor.precision() == FactorPrecision::half_precision &&
        !(preconditioner_error(matrix, factor) <= most_preconditioner_error))
      factor.factor(matrix, FactorPrecision::single_precision);
  } catch (const Error&) {
    throw simulation_error(hangs_on_nothing);
  }
  return factor;
}

std::vector<Mat3> inverse_diagonal(const LatticeDescription& description, std::span<const CellFactors> factors) {
  const CellMatrices& cells = description.cells;
  std::vector<Mat3> diagonal(description.role.size(), Mat3::zero());
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    const auto n = static_cast<std::size_t>(cells.functions_of(c));
    const CellFactors& factor = factors_of(factors, c);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t pair = cells.offset[c] + k * n + k;
      Mat3& block = diagonal[static_cast<std::size_t>(cells.function[static_cast<std::size_t>(cells.start[c]) + k])];
      block += factor.stiffness * cells.stiffness[pair];
      for (std::size_t r = 0; r < 3; ++r)
        block(r, r) += factor.mass * cells.mass[pair] + factor.hold * cells.hold[pair];
    }
  }
  for (std::size_t f = 0; f < diagonal.size(); ++f)
    diagonal[f] =
        description.role[f] == FunctionRole::free && determinant(diagonal[f]) > 0 ? inverse(diagonal[f]) : Mat3::zero();
  return diagonal;
}

std::shared_ptr<const LatticeSystems> lattice_systems(const LatticeDescription& d, const Progress& progress) {
  const auto coarse = static_cast<std::size_t>(d.coarse_functions), all = d.role.size();
  if (std::find(d.role.begin(), d.role.end(), FunctionRole::free) == d.role.end())
    throw input_error(
        "every vertex of the lattice lies on a bone, so that nothing can move; give it vertices around the bones.");
  report_or_stop(progress, cooking_systems, 0.1);
  auto systems = std::make_shared<LatticeSystems>();
  std::vector<int> every(all);
  std::iota(every.begin(), every.end(), 0);
  systems->mass = assemble_scalars(d.cells, d.cells.mass, every, static_cast<int>(all));
  systems->hold = assemble_scalars(d.cells, d.cells.hold, every, static_cast<int>(all));
  // Iterations of true elasticity need a factor that is exact at rest; those of conjugate gradients do with one in
  // which functions that are left out count as free.
  const bool exact = !d.nodal.empty() && !d.tissue.empty();
  systems->nodal = exact ? without(d.nodal, left_out(d)) : d.nodal;
  if (!d.nodal.empty()) systems->values = nodal_matrices(d.cells, systems->nodal);
  const CellMatrices& cells = d.nodal.empty() ? d.cells : systems->values;
  const std::vector<int> unknown = unknowns_below(d, all, !d.nodal.empty() && !exact);
  for (std::size_t f = 0; f < all; ++f)
    if (unknown[f] >= 0) systems->factor_function.push_back(static_cast<int>(f));
  constexpr FactorPrecision single = FactorPrecision::single_precision;
  systems->whole = cell_pattern(cells, unknown);
  report_or_stop(progress, cooking_systems, 0.5);
  const std::span<const CellFactors> factors = d.free_body ? free_factors : static_factors;
  systems->static_factor = factor_of(cells, systems->whole, factors, single);
  if (all > coarse) {
    systems->coarse = cell_pattern(d.cells, unknowns_below(d, coarse, false));
    systems->coarse_static_factor = factor_of(d.cells, systems->coarse, factors, single);
    systems->static_detail = inverse_diagonal(d, factors);
  }
  report_or_stop(progress, cooking_systems, 1.0);
  return systems;
}

void scale_stiffness(LatticeDescription& description, double factor) {
  for (Mat3& block : description.cells.stiffness) block *= factor;
  for (std::vector<double>* moduli : {&description.samples.shear, &description.samples.lambda,
                                      &description.tissue.samples.shear, &description.tissue.samples.lambda})
    for (double& modulus : *moduli) modulus *= factor;
  for (double& hold : description.cells.hold) hold *= factor;
}

}  // namespace sinew
