#include "sinew/deform/lattice/lattice_body.h"

#include <algorithm>
#include <utility>

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
    const double elastic = method.force_factor() + rate * description.stiffness_damping * damping;
    factors.push_back({method.mass_factor() + rate * description.mass_damping * damping, elastic, elastic});
  };
  if (description.cell_damping.empty()) add(1);
  for (double damping : description.cell_damping) add(damping);
  return factors;
}

std::shared_ptr<LatticeBody> cook_lattice(LatticeDescription description, std::shared_ptr<const LatticeSystems> systems,
                                          double stiffness, LatticeReference reference, const LatticeRun& run,
                                          const FleshDynamics& dynamics, const Progress& progress) {
  auto body = std::make_shared<LatticeBody>();
  body->description = std::move(description);
  body->systems = std::move(systems);
  body->stiffness = stiffness;
  body->reference = reference;
  body->run = run;
  body->dynamics = dynamics;
  body->method = run.integrator == LatticeIntegrator::implicit_euler
                     ? implicit_euler(dynamics.step)
                     : generalized_alpha(dynamics.step, dynamics.spectral_radius);
  report_or_stop(progress, cooking, 0.1);
  const LatticeDescription& d = body->description;
  const LatticeSystems& at_rest = *body->systems;
  body->hold = at_rest.hold;
  for (double& hold : body->hold.value) hold *= stiffness;
  const std::vector<CellFactors> step = body->step_factors();
  // Values at vertices are as stiff as the systems have them.
  std::vector<CellFactors> step_of_values = step;
  for (CellFactors& factors : step_of_values) factors.stiffness *= stiffness, factors.hold *= stiffness;
  body->factor =
      factor_of(d.nodal.empty() ? d.cells : at_rest.values, at_rest.whole, d.nodal.empty() ? step : step_of_values,
                FactorPrecision::half_precision, at_rest.static_factor.of_same_pattern());
  report_or_stop(progress, cooking, 0.9);
  if (d.role.size() > static_cast<std::size_t>(d.coarse_functions)) {
    body->coarse_factor = factor_of(d.cells, at_rest.coarse, step, FactorPrecision::single_precision,
                                    at_rest.coarse_static_factor.of_same_pattern());
    body->detail = inverse_diagonal(d, step);
  }
  report_or_stop(progress, cooking, 1.0);
  return body;
}

std::shared_ptr<LatticeBody> cook_lattice(LatticeDescription description, LatticeReference reference,
                                          const LatticeRun& run, const FleshDynamics& dynamics,
                                          const Progress& progress) {
  std::shared_ptr<const LatticeSystems> systems = lattice_systems(description, part_of(progress, 0.0, 0.5));
  return cook_lattice(std::move(description), std::move(systems), 1, reference, run, dynamics,
                      part_of(progress, 0.5, 1.0));
}

std::size_t LatticeBody::free_functions() const {
  return static_cast<std::size_t>(std::count(description.role.begin(), description.role.end(), FunctionRole::free));
}

double sag_under_gravity(const LatticeDescription& description, std::span<const double> share) {
  constexpr double gravity = 9.81, quantile = 0.95;
  const std::vector<int> unknown = unknowns_below(description, description.role.size(), false);
  const CellPattern pattern = cell_pattern(description.cells, unknown);
  const BlockCholesky factor = factor_of(description.cells, pattern, static_factors, FactorPrecision::double_precision);
  double counted = 0, largest = 0;
  for (double s : share) counted += s;
  std::vector<double> force(3 * static_cast<std::size_t>(pattern.matrix.rows)), solution(force.size());
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
