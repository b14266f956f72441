#include "sinew/deform/lattice/lattice_body.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

// v_{n+1} = v_n + h a_{n+1}, p_{n+1} = p_n + h v_{n+1}, the balance at the end of the step.
GeneralizedAlpha implicit_euler(double step) {
  GeneralizedAlpha method;
  method.alpha_m = method.alpha_f = 0;
  method.beta = method.gamma = 1;
  method.step = step;
  return method;
}

constexpr const char* cooking = "cooking the equations of the lattice";

// Function -> number among those that may move, and how many these are: the free ones of the first `functions`, with
// those that are absent where vertices' values are meant, which they have all the same.
std::vector<int> unknowns_below(const LatticeDescription& description, std::size_t functions, bool values, int& count) {
  std::vector<int> unknown(description.role.size(), -1);
  count = 0;
  for (std::size_t f = 0; f < functions; ++f)
    if (description.role[f] == FunctionRole::free || (values && description.role[f] == FunctionRole::absent))
      unknown[f] = count++;
  return unknown;
}

// A rounded factor that is further than this from the inverse would cost iterations.
constexpr double most_preconditioner_error = 0.1;

constexpr const char* hangs_on_nothing =
    "a part of the lattice hangs on no bone, so that its weight has nowhere to go; let a bone run through it, or raise `bone_hold`.";

constexpr std::array<CellFactors, 1> static_factors{{{0, 1, 1}}};

BlockCholesky factor_of(const CellMatrices& cells, std::span<const int> unknown, int unknowns,
                        std::span<const CellFactors> factors, FactorPrecision precision, BlockCholesky factor = {}) {
  const BlockMatrix matrix = assemble_cells(cells, unknown, unknowns, factors);
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

// Inverses of the diagonal blocks of the same matrix; zero for functions that are not free.
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
      for (std::size_t r = 0; r < 3; ++r) block(r, r) += factor.mass * cells.mass[pair] + factor.hold * cells.hold[pair];
    }
  }
  for (std::size_t f = 0; f < diagonal.size(); ++f)
    diagonal[f] = description.role[f] == FunctionRole::free && determinant(diagonal[f]) > 0 ? inverse(diagonal[f]) : Mat3::zero();
  return diagonal;
}

}  // namespace

double LatticeBody::mass_part() const {
  return method.mass_factor() + method.force_factor() * method.velocity_factor() * description.mass_damping;
}
double LatticeBody::stiffness_part() const {
  return method.force_factor() * (1 + method.velocity_factor() * description.stiffness_damping);
}

std::vector<CellFactors> LatticeBody::step_factors() const {
  std::vector<CellFactors> factors;
  const double rate = method.force_factor() * method.velocity_factor();
  const auto add = [&](double damping) {
    const double stiffness = method.force_factor() + rate * description.stiffness_damping * damping;
    factors.push_back({method.mass_factor() + rate * description.mass_damping * damping, stiffness, stiffness});
  };
  if (description.cell_damping.empty()) add(1);
  for (double damping : description.cell_damping) add(damping);
  return factors;
}

std::shared_ptr<LatticeBody> cook_lattice(LatticeDescription description, LatticeReference reference, const LatticeRun& run,
                                                const FleshDynamics& dynamics, const Progress& progress) {
  auto body = std::make_shared<LatticeBody>();
  body->description = std::move(description);
  body->reference = reference;
  body->run = run;
  body->dynamics = dynamics;
  body->method = run.integrator == LatticeIntegrator::implicit_euler ? implicit_euler(dynamics.step)
                                                                     : generalized_alpha(dynamics.step, dynamics.spectral_radius);
  const LatticeDescription& d = body->description;
  const auto coarse = static_cast<std::size_t>(d.coarse_functions), all = d.role.size();
  if (std::find(d.role.begin(), d.role.end(), FunctionRole::free) == d.role.end())
    throw input_error(
        "every vertex of the lattice lies on a bone, so that nothing can move; give it vertices around the bones.");
  report_or_stop(progress, cooking, 0.1);
  std::vector<int> every(all);
  std::iota(every.begin(), every.end(), 0);
  body->mass = assemble_scalars(d.cells, d.cells.mass, every, static_cast<int>(all));
  body->hold = assemble_scalars(d.cells, d.cells.hold, every, static_cast<int>(all));
  constexpr FactorPrecision single = FactorPrecision::single_precision;
  const std::vector<CellFactors> step = body->step_factors();
  int unknowns = 0;
  const std::vector<int> unknown = unknowns_below(d, all, !d.nodal.empty(), unknowns);
  for (std::size_t f = 0; f < all; ++f)
    if (unknown[f] >= 0) body->factor_function.push_back(static_cast<int>(f));
  {
    const CellMatrices values = d.nodal.empty() ? CellMatrices{} : nodal_matrices(d.cells, d.nodal);
    const CellMatrices& cells = d.nodal.empty() ? d.cells : values;
    body->static_factor = factor_of(cells, unknown, unknowns, static_factors, single);
    report_or_stop(progress, cooking, 0.5);
    body->factor = factor_of(cells, unknown, unknowns, step, FactorPrecision::half_precision,
                             body->static_factor.of_same_pattern());
  }
  report_or_stop(progress, cooking, 0.9);
  if (all > coarse) {
    const std::vector<int> unknown_coarse = unknowns_below(d, coarse, false, unknowns);
    body->coarse_static_factor = factor_of(d.cells, unknown_coarse, unknowns, static_factors, single);
    body->coarse_factor = factor_of(d.cells, unknown_coarse, unknowns, step, single,
                                    body->coarse_static_factor.of_same_pattern());
    body->static_detail = inverse_diagonal(d, static_factors);
    body->detail = inverse_diagonal(d, step);
  }
  report_or_stop(progress, cooking, 1.0);
  return body;
}

std::size_t LatticeBody::free_functions() const {
  return static_cast<std::size_t>(std::count(description.role.begin(), description.role.end(), FunctionRole::free));
}

void scale_stiffness(LatticeDescription& description, double factor) {
  for (Mat3& block : description.cells.stiffness) block *= factor;
  for (std::vector<double>* moduli : {&description.samples.shear, &description.samples.lambda})
    for (double& modulus : *moduli) modulus *= factor;
  for (double& hold : description.cells.hold) hold *= factor;
}

double sag_under_gravity(const LatticeDescription& description, std::span<const double> share) {
  constexpr double gravity = 9.81, quantile = 0.95;
  int unknowns = 0;
  const std::vector<int> unknown = unknowns_below(description, description.role.size(), false, unknowns);
  const BlockCholesky factor = factor_of(description.cells, unknown, unknowns, static_factors, FactorPrecision::double_precision);
  double counted = 0, largest = 0;
  for (double s : share) counted += s;
  std::vector<double> force(3 * static_cast<std::size_t>(unknowns)), solution(force.size());
  std::vector<Vec3> coefficient(description.role.size()), surface(description.surface.rows());
  std::vector<std::pair<double, double>> sag(surface.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::fill(force.begin(), force.end(), 0.0);
    for (std::size_t f = 0; f < unknown.size(); ++f)
      if (unknown[f] >= 0) force[3 * static_cast<std::size_t>(unknown[f]) + axis] = gravity * description.weight[f];
    factor.solve(force, solution);
    for (std::size_t f = 0; f < unknown.size(); ++f) {
      const auto u = 3 * static_cast<std::size_t>(unknown[f]);
      if (unknown[f] >= 0) coefficient[f] = {solution[u], solution[u + 1], solution[u + 2]};
    }
    multiply(description.surface, coefficient, surface);
    for (std::size_t v = 0; v < surface.size(); ++v) sag[v] = {norm(surface[v]), counted > 0 ? share[v] : 1.0};
    std::sort(sag.begin(), sag.end());
    double below = 0;
    for (const auto& [here, part] : sag) {
      below += part;
      if (below >= quantile * (counted > 0 ? counted : static_cast<double>(sag.size()))) {
        largest = std::max(largest, here);
        break;
      }
    }
  }
  return largest;
}

}  // namespace sinew
