#include "sinew/deform/lattice/solver/lattice_equations.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"

namespace sinew {
namespace {

constexpr std::size_t lattice_equations_grain = 256;
constexpr double least_share_of_weight = 1e-9;  // in residuals: less is rest

// True if cells have their own damping; the velocity is then multiplied by separate matrices. Only systems that are
// sums over rotated cells support it.
bool damping_varies(const LatticeBody& body) {
  const LatticeRun& run = body.run;
  return !body.description.cell_damping.empty() && run.linearization != Linearization::none &&
         run.linearization != Linearization::blended &&
         (run.linearization != Linearization::warped || run.warping == Warping::element);
}

// 1/2 x^T A x over the active functions; x per function.
double half_form(const SparseRows& matrix, const ActiveFunctions& active, std::span<const Vec3> x) {
  double sum = 0;
  for (int function : active.function) {
    const auto f = static_cast<std::size_t>(function);
    sum += 0.5 * dot(x[f], row_times(matrix, f, x));
  }
  return sum;
}

}  // namespace

Vec3 outside_acceleration(const LatticeBody& body, const Mat3& rotation) {
  const Vec3& gravity = body.dynamics.gravity;
  switch (body.dynamics.gravity_in_rest) {
    case GravityInRest::pose:
      return {};
    case GravityInRest::bind:
      return gravity - rotation * gravity;
    case GravityInRest::off:
      return gravity;
  }
  return {};
}

LatticeEquations::LatticeEquations(const LatticeBody& body)
    : body_(body),
      elasticity_(lattice_elasticity(body)),
      damping_varies_(damping_varies(body)),
      rate_(body.description.role.size()),
      input_(rate_.size()) {
  if (!damping_varies_) return;
  const LatticeDescription& d = body.description;
  const auto functions = static_cast<int>(rate_.size());
  std::vector<int> every(rate_.size());
  std::iota(every.begin(), every.end(), 0);
  damped_mass_ = assemble_scalars(d.cells, scaled_by_cell(d.cells, d.cells.mass, d.cell_damping), every, functions);
  damped_hold_ = assemble_scalars(d.cells, scaled_by_cell(d.cells, d.cells.hold, d.cell_damping), every, functions);
}

void LatticeEquations::activate(const ActiveFunctions& active) {
  active_ = &active;
  elasticity_->activate(active);
  for (std::vector<Vec3>* per_function : {&rate_, &input_})
    std::fill(per_function->begin(), per_function->end(), Vec3{});
}

void LatticeEquations::step_residual(const LatticeMoment& moment, std::span<const Vec3> position,
                                     std::span<double> residual) {
  const LatticeDescription& d = body_.description;
  const GeneralizedAlpha& method = body_.method;
  std::fill(residual.begin(), residual.end(), 0.0);
  parallel_for(active_->slots(), lattice_equations_grain, [&](std::size_t s) {
    const auto f = static_cast<std::size_t>(active_->function[s]);
    rate_[f] = active_->unknown[f] >= 0 ? relative_rate(body_, moment, f, position[f]) : Vec3{};
    input_[f] = method.alpha_f * moment.state.impetus[f] - inertial_acceleration(body_, moment, f, position[f]);
    if (!damping_varies_) input_[f] -= (method.force_factor() * d.mass_damping) * rate_[f];
  });
  add_product(body_.mass(), input_, 1, residual);
  if (damping_varies_) add_product(damped_mass_, rate_, -method.force_factor() * d.mass_damping, residual);
  for (Vec3& rate : rate_) rate *= d.stiffness_damping;
  add_forces(method.force_factor(), moment.pose, position, residual);
}

void LatticeEquations::static_residual(const LatticePose& pose, std::span<const Vec3> position,
                                       std::span<double> residual) {
  std::fill(rate_.begin(), rate_.end(), Vec3{});
  std::fill(residual.begin(), residual.end(), 0.0);
  add_forces(1, pose, position, residual);
}

// residual += factor (outside forces - elastic force - bone displacement energy) at position + rate_.
void LatticeEquations::add_forces(double factor, const LatticePose& pose, std::span<const Vec3> position,
                                  std::span<double> residual) {
  parallel_for(active_->slots(), lattice_equations_grain, [&](std::size_t s) {
    const auto f = static_cast<std::size_t>(active_->function[s]);
    input_[f] = position[f] - pose.functions.goal[f];
    if (!damping_varies_) input_[f] += rate_[f];
  });
  add_product(body_.hold, input_, -factor, residual);
  if (damping_varies_) add_product(damped_hold_, rate_, -factor, residual);
  elasticity_->subtract_force(factor, position, rate_, residual);
  if (!pushes_.empty())
    for (std::size_t u = 0; u < active_->unknowns(); ++u)
      add_to_unknown(residual, u, factor * pushes_[static_cast<std::size_t>(active_->unknown_function[u])]);
  if (body_.dynamics.gravity_in_rest == GravityInRest::pose) return;
  for (std::size_t u = 0; u < active_->unknowns(); ++u) {
    const auto f = static_cast<std::size_t>(active_->unknown_function[u]);
    add_to_unknown(residual, u,
                   (factor * body_.description.weight[f]) * outside_acceleration(body_, pose.functions.rotation[f]));
  }
}

// residual += factor A x of the unknowns' rows; x per function.
void LatticeEquations::add_product(const SparseRows& matrix, std::span<const Vec3> x, double factor,
                                   std::span<double> residual) {
  parallel_for(active_->unknowns(), lattice_equations_grain, [&](std::size_t u) {
    add_to_unknown(residual, u, factor * row_times(matrix, static_cast<std::size_t>(active_->unknown_function[u]), x));
  });
}

void LatticeEquations::apply_static(std::span<const double> from, std::span<double> to) {
  elasticity_->apply_stiffness(from, to);
  std::fill(input_.begin(), input_.end(), Vec3{});
  for (std::size_t u = 0; u < active_->unknowns(); ++u)
    input_[static_cast<std::size_t>(active_->unknown_function[u])] = unknown_at(from, u);
  add_product(body_.hold, input_, 1, to);
}

double LatticeEquations::potential_energy(const LatticePose& pose, std::span<const Vec3> position) {
  for (std::size_t s = 0; s < active_->slots(); ++s) {
    const auto f = static_cast<std::size_t>(active_->function[s]);
    input_[f] = position[f] - pose.functions.goal[f];
  }
  double sum = elasticity_->energy(position) + half_form(body_.hold, *active_, input_);
  for (int function : active_->unknown_function) {
    const auto f = static_cast<std::size_t>(function);
    sum -= body_.description.weight[f] * dot(outside_acceleration(body_, pose.functions.rotation[f]), position[f]);
    if (!pushes_.empty()) sum -= dot(pushes_[f], position[f]);
  }
  return sum;
}

double LatticeEquations::kinetic_energy(const LatticeState& state) const {
  std::vector<Vec3> velocity(state.displacement.size());
  for (int function : active_->function) {
    const auto f = static_cast<std::size_t>(function);
    velocity[f] = (state.displacement[f] - state.previous_displacement[f]) / body_.method.step;
  }
  return half_form(body_.mass(), *active_, velocity);
}

double LatticeEquations::least_residual() const {
  double sum = 0;
  for (int function : active_->unknown_function) {
    const double weight = body_.description.weight[static_cast<std::size_t>(function)];
    sum += weight * weight;
  }
  return least_share_of_weight * 9.81 * std::sqrt(sum);
}

}  // namespace sinew
