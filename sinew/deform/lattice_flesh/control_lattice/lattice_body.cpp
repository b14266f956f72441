#include "sinew/deform/lattice_flesh/control_lattice/lattice_body.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr const char* cooking = "cooking the equations of the lattice";

struct Unknowns {
  std::vector<int> function, unknown;
};

Unknowns unknowns_of(const LatticeDescription& description) {
  Unknowns result;
  result.unknown.assign(description.role.size(), -1);
  for (std::size_t f = 0; f < description.role.size(); ++f) {
    if (description.role[f] != FunctionRole::free) continue;
    result.unknown[f] = static_cast<int>(result.function.size());
    result.function.push_back(static_cast<int>(f));
  }
  if (result.function.empty())
    throw input_error("every vertex of the lattice lies on a bone, so that nothing can move; give it vertices around the bones.");
  return result;
}

BlockCholesky factor_of_stiffness(const LatticeDescription& description, const Unknowns& unknowns, FactorPrecision precision) {
  const BlockMatrix stiffness =
      assemble_cells(description.cells, unknowns.unknown, static_cast<int>(unknowns.function.size()), 0, 1);
  BlockCholesky factor;
  factor.analyze(stiffness);
  try {
    factor.factor(stiffness, precision);
  } catch (const Error&) {
    throw simulation_error(
        "a part of the lattice hangs on no bone, so that its weight has nowhere to go; let a bone run through it, or raise `bone_hold`.");
  }
  return factor;
}

}  // namespace

double LatticeBody::mass_part() const {
  return method.mass_factor() + method.force_factor() * method.velocity_factor() * description.mass_damping;
}
double LatticeBody::stiffness_part() const {
  return method.force_factor() * (1 + method.velocity_factor() * description.stiffness_damping);
}

std::shared_ptr<const LatticeBody> cook_lattice(LatticeDescription description, LatticeReference reference,
                                                const FleshDynamics& dynamics, const Progress& progress) {
  auto body = std::make_shared<LatticeBody>();
  body->description = std::move(description);
  body->reference = reference;
  body->dynamics = dynamics;
  body->method = generalized_alpha(dynamics.step, dynamics.spectral_radius);
  Unknowns unknowns = unknowns_of(body->description);
  report_or_stop(progress, cooking, 0.1);
  body->static_factor = factor_of_stiffness(body->description, unknowns, FactorPrecision::single_precision);
  report_or_stop(progress, cooking, 0.5);
  const BlockMatrix system =
      assemble_cells(body->description.cells, unknowns.unknown, static_cast<int>(unknowns.function.size()),
                     body->mass_part(), body->stiffness_part());
  body->factor.analyze(system);
  body->factor.factor(system, FactorPrecision::single_precision);
  body->unknown_function = std::move(unknowns.function);
  body->unknown = std::move(unknowns.unknown);
  report_or_stop(progress, cooking, 1.0);
  return body;
}

DisplacedPoints displaced_points(const LatticeBody& body) {
  const LatticeDescription& d = body.description;
  return {d.surface_rest, d.surface_influences, d.surface_limit, {}, {}};
}

void scale_stiffness(LatticeDescription& description, double factor) {
  for (Mat3& block : description.cells.stiffness) block *= factor;
}

double sag_under_gravity(const LatticeDescription& description, std::span<const double> share) {
  constexpr double gravity = 9.81, quantile = 0.95;
  const Unknowns unknowns = unknowns_of(description);
  const BlockCholesky factor = factor_of_stiffness(description, unknowns, FactorPrecision::double_precision);
  double counted = 0, largest = 0;
  for (double s : share) counted += s;
  std::vector<double> force(3 * unknowns.function.size()), solution(force.size());
  std::vector<Vec3> coefficient(description.role.size()), surface(description.surface.rows());
  std::vector<std::pair<double, double>> sag(surface.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::fill(force.begin(), force.end(), 0.0);
    for (std::size_t u = 0; u < unknowns.function.size(); ++u)
      force[3 * u + axis] = gravity * description.weight[static_cast<std::size_t>(unknowns.function[u])];
    factor.solve(force, solution);
    for (std::size_t u = 0; u < unknowns.function.size(); ++u)
      coefficient[static_cast<std::size_t>(unknowns.function[u])] = {solution[3 * u], solution[3 * u + 1], solution[3 * u + 2]};
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
