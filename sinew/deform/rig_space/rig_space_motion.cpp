#include "sinew/deform/rig_space/rig_space_motion.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/rig_space/fixed_parameters.h"
#include "sinew/deform/rig_space/parameter_effects.h"

namespace sinew {
namespace {

// y = A x, with the upper left corner of `matrix`, which has `size` numbers to a row.
std::vector<double> times_corner(std::span<const double> matrix, std::size_t size, std::span<const double> x) {
  std::vector<double> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::span<const double> row = matrix.subspan(i * size, x.size());
    y[i] = std::inner_product(row.begin(), row.end(), x.begin(), 0.0);
  }
  return y;
}

double inner_product(std::span<const double> x, std::span<const double> y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

}  // namespace

struct RigSpaceMotion::Step {
  double h = 0;
  std::vector<Vec3> base, target;  // x^ and x_n + h v_n
  std::vector<double> u;           // p - p_n
  std::vector<Vec3> x;             // at the last value
  std::vector<double> gradient;    // dH/dp there
  ReducedBasis whole;              // G where the interior is in equilibrium
};

RigSpaceMotion::RigSpaceMotion(std::shared_ptr<const RigSpaceBody> body, Rig& rig, std::vector<int> free,
                               const RigSpaceDynamics& dynamics)
    : body_(std::move(body)),
      rig_(rig),
      free_(std::move(free)),
      dynamics_(dynamics),
      energy_(body_->mesh, body_->material),
      placement_(*body_, rig, free_, dynamics.interior, energy_),
      gradient_(body_->mesh.positions.size()) {
  if (free_.empty()) throw usage_error("rig-space physics needs a free parameter; name some of the rig's controls.");
}

RigSpaceMotion::~RigSpaceMotion() = default;

std::vector<double> RigSpaceMotion::with_free(std::span<const double> p, std::span<const double> values) const {
  std::vector<double> result(p.begin(), p.end());
  for (std::size_t i = 0; i < free_.size(); ++i) result[index(free_[i])] = values[i];
  return result;
}

std::vector<double> RigSpaceMotion::rest_of_free() const {
  std::vector<double> rest;
  for (const int i : free_) rest.push_back(rig_.parameters()[index(i)].rest);
  return rest;
}

void RigSpaceMotion::update_basis(std::span<const double> p, std::span<const Vec3> s) {
  RigJacobian jacobian;
  ++statistics_.jacobians;
  if (!rig_.jacobian(p, free_, jacobian)) {
    // One-sided differences take half the evaluations; their error is far below that of the linearised rig.
    RigDifferenceOptions forward;
    forward.central = false;
    if (!differences_) differences_ = std::make_unique<RigDifferences>(rig_, free_, p, forward);
    differences_->jacobian(p, jacobian);
  }
  const bool equilibrium = placement_.equilibrium();
  if (equilibrium)
    boundary_ = boundary_basis(*body_, s, jacobian);
  else
    basis_ = corrected_basis(*body_, s, jacobian, placement_.rotations());
  const ReducedBasis& moving = equilibrium ? boundary_ : basis_;
  if (!equilibrium) {
    std::vector<char> moves(body_->mesh.positions.size());
    for (std::size_t v = 0; v < moves.size(); ++v) moves[v] = basis_.moves(v);
    if (energy_.activate(moves) && !goal_.empty()) rest_at_goal();
  }
  hessian_ = energy_.hessian_pattern();
  reduced_mass_.assign(moving.padded_columns() * moving.padded_columns(), 0.0);
  add_reduced_mass(moving, body_->mass, reduced_mass_);
  moving_mass_ = 0;
  for (std::size_t v = 0; v < body_->boundary_vertices(); ++v)
    if (moving.moves(v)) moving_mass_ += body_->mass[v];
  state_.jacobian_at.assign(p.begin(), p.end());
  drop_factor();
}

std::int64_t RigSpaceMotion::all_evaluations() const {
  return placement_.evaluations() + static_cast<std::int64_t>(differences_ ? differences_->evaluations() : 0);
}

// Where the rig flattens the body, its shape there cannot be stress-free; the remaining force is held.
void RigSpaceMotion::rest_at_goal() {
  energy_.rest_at(goal_);
  goal_force_.resize(goal_.size());
  energy_.energy(goal_, goal_force_);
}

void RigSpaceMotion::set_stops() {
  stops_.clear();
  for (std::size_t i = 0; i < free_.size(); ++i) {
    const RigParameter& parameter = rig_.parameters()[index(free_[i])];
    const double factor = dynamics_.range.empty() ? 1 : dynamics_.range[i];
    stops_.push_back({parameter.rest, factor * (parameter.rest - parameter.lower),
                      factor * (parameter.upper - parameter.rest), dynamics_.limit_start, 0});
  }
}

// Uses the current stiffness of the free parameters.
void RigSpaceMotion::choose_stop_stiffness_and_damping() {
  StaticInterior* equilibrium = placement_.equilibrium();
  const ReducedBasis whole = equilibrium ? equilibrium->basis(state_.x, boundary_) : ReducedBasis();
  const ReducedBasis& basis = equilibrium ? whole : basis_;
  const std::size_t stride = basis.padded_columns();
  std::vector<double> stiffness(stride * stride, 0.0);
  energy_.hessian(state_.x, HyperelasticTangent::definite, hessian_);
  add_reduced_stiffness(basis, hessian_, stiffness);
  for (std::size_t i = 0; i < stops_.size(); ++i)
    stops_[i].stiffness = dynamics_.limit_stiffness * stiffness[i * stride + i];
  state_.next_damping.clear();
  if (!(dynamics_.stiffness_damping > 0 || dynamics_.mass_damping > 0)) return;
  std::vector<double> mass(stiffness.size(), 0.0);
  add_reduced_mass(basis, body_->mass, mass);
  state_.next_damping.resize(stiffness.size());
  for (std::size_t k = 0; k < stiffness.size(); ++k)
    state_.next_damping[k] = dynamics_.stiffness_damping * stiffness[k] + dynamics_.mass_damping * mass[k];
}

void RigSpaceMotion::reset(std::span<const double> p, std::span<const double> p_next, double h) {
  statistics_ = {};
  evaluations_before_ = all_evaluations();
  set_stops();
  goal_.clear();
  if (dynamics_.rest == RestShape::pose) energy_.rest_at(body_->mesh.positions);
  state_.hessian_fixed.clear();
  const std::vector<double> rest = rest_of_free();
  const std::vector<double> now = with_free(p, rest), next = with_free(p_next, rest);
  state_.free = rest;
  state_.rate.assign(rest.size(), 0.0);
  state_.x = body_->mesh.positions;
  state_.interior_offset.assign(placement_.corrected() ? body_->interior_vertices() : 0, Vec3{});
  placement_.settle(now, state_.interior_offset, state_.x);
  update_basis(now, std::vector<Vec3>(placement_.surface().begin(), placement_.surface().end()));
  std::vector<Vec3> after = state_.x, offset = state_.interior_offset;
  placement_.settle(next, offset, after);
  state_.velocity.resize(after.size());
  for (std::size_t v = 0; v < after.size(); ++v) state_.velocity[v] = (after[v] - state_.x[v]) / h;
  check_effects(*body_, rig_, free_, placement_.equilibrium() ? boundary_ : basis_);
  if (dynamics_.rest == RestShape::pose) {
    goal_ = state_.x;
    rest_at_goal();
  }
  choose_stop_stiffness_and_damping();
  settle_around_fixed(now);
  statistics_.rig_evaluations = all_evaluations() - evaluations_before_;
}

void RigSpaceMotion::set_state(const RigSpaceState& state) {
  if (!state.jacobian_at.empty() && state.jacobian_at != state_.jacobian_at) {
    // Restores the rotations found by the step to these parameters.
    placement_.turn_at(dynamics_.rest == RestShape::pose ? with_free(state.jacobian_at, rest_of_free())
                                                         : state.jacobian_at);
    std::vector<Vec3> boundary(body_->boundary_vertices());
    placement_.evaluate_boundary(state.jacobian_at, boundary);
    update_basis(state.jacobian_at, std::vector<Vec3>(placement_.surface().begin(), placement_.surface().end()));
  }
  state_ = state;
  factor_.reset();
  if (!state.hessian.empty()) factorise();
}

void RigSpaceMotion::push(std::span<const Vec3> velocity) {
  for (std::size_t v = 0; v < velocity.size(); ++v) state_.velocity[v] += velocity[v];
}

void RigSpaceMotion::carry(std::span<const double> p, std::span<const double> p_next, double h) {
  if (dynamics_.rest == RestShape::pose) {
    if (placement_.equilibrium()) energy_.rest_at(body_->mesh.positions);
    goal_ = body_->mesh.positions;
    placement_.settle(with_free(p, rest_of_free()), state_.interior_offset, goal_);
    rest_at_goal();
  }
  const std::vector<double> now = with_free(p, state_.free);
  std::vector<double> ahead = state_.free;
  for (std::size_t i = 0; i < ahead.size(); ++i) ahead[i] += h * state_.rate[i];
  placement_.evaluate(now, state_.interior_offset, state_.x);
  update_basis(now, std::vector<Vec3>(placement_.surface().begin(), placement_.surface().end()));
  std::vector<Vec3> next = state_.x;
  placement_.evaluate(with_free(p_next, ahead), state_.interior_offset, next);
  for (std::size_t v = 0; v < next.size(); ++v) state_.velocity[v] = (next[v] - state_.x[v]) / h;
}

double RigSpaceMotion::elastic_energy() const { return energy_.energy(state_.x); }

double RigSpaceMotion::kinetic_energy() const {
  double sum = 0;
  for (std::size_t v = 0; v < state_.x.size(); ++v) sum += 0.5 * body_->mass[v] * squared_norm(state_.velocity[v]);
  return sum;
}

double RigSpaceMotion::smallest_volume_ratio() const { return energy_.smallest_volume_ratio(state_.x); }

// Root mean square distance of the moving boundary, as a fraction of the height.
double RigSpaceMotion::linearity_error(std::span<const Vec3> linear, std::span<const Vec3> x) const {
  double sum = 0;
  for (std::size_t v = 0; v < body_->boundary_vertices(); ++v) sum += body_->mass[v] * squared_norm(linear[v] - x[v]);
  return std::sqrt(sum / moving_mass_) / body_->height;
}

double RigSpaceMotion::value_at(Step& step, std::span<const double> u, bool with_gradient) {
  StaticInterior* equilibrium = placement_.equilibrium();
  if (equilibrium) {
    displace(boundary_, u, step.base, std::span<Vec3>(step.x).first(body_->boundary_vertices()));
    equilibrium->solve(step.x);
  } else {
    displace(basis_, u, step.base, step.x);
  }
  double value = with_gradient ? energy_.energy(step.x, gradient_) : energy_.energy(step.x);
  const double inverse = 1 / (step.h * step.h);
  double inertia = 0;
  for (std::size_t v = 0; v < step.x.size(); ++v) {
    const Vec3 away = step.x[v] - step.target[v];
    const Vec3 load = dynamics_.rest == RestShape::pose ? goal_force_[v] : body_->mass[v] * dynamics_.gravity;
    inertia += 0.5 * inverse * body_->mass[v] * squared_norm(away) - dot(load, away);
    if (with_gradient) gradient_[v] += away * (inverse * body_->mass[v]) - load;
  }
  value += inertia;
  if (with_gradient) {
    if (equilibrium) step.whole = equilibrium->basis(step.x, boundary_);
    step.gradient.resize(u.size());
    reduce(equilibrium ? step.whole : basis_, gradient_, step.gradient);
  }
  if (!state_.damping.empty()) {
    const std::vector<double> force =
        times_corner(state_.damping, (equilibrium ? boundary_ : basis_).padded_columns(), u);  // times h
    value += 0.5 * inner_product(u, force) / step.h;
    for (std::size_t i = 0; with_gradient && i < u.size(); ++i) step.gradient[i] += force[i] / step.h;
  }
  for (std::size_t i = 0; i < u.size(); ++i) {
    const SoftStopForce at = soft_stop_force(stops_[i], state_.free[i] + u[i]);
    value += at.energy;
    if (with_gradient) step.gradient[i] += at.force;
  }
  if (with_gradient)
    for (const FixedParameter& fixed : fixed_) step.gradient[fixed.free] = 0;
  return value;
}

bool RigSpaceMotion::factorise() {
  factor_.emplace();
  if (factor_->factor(state_.hessian, free_.size(), moving_basis().padded_columns())) return true;
  drop_factor();
  return false;
}

void RigSpaceMotion::drop_factor() {
  factor_.reset();
  state_.hessian.clear();
}

// Returns false if the Hessian of this form is not definite.
bool RigSpaceMotion::factor_at(Step& step, HyperelasticTangent form) {
  const ReducedBasis& basis = placement_.equilibrium() ? step.whole : basis_;
  const std::size_t size = basis.padded_columns();
  energy_.hessian(step.x, form, hessian_);
  std::vector<double> stiffness(size * size, 0.0), mass(size * size, 0.0);
  add_reduced_stiffness(basis, hessian_, stiffness);
  if (placement_.equilibrium())
    add_reduced_mass(basis, body_->mass, mass);
  else
    mass = reduced_mass_;
  state_.hessian.resize(size * size);
  for (std::size_t k = 0; k < state_.hessian.size(); ++k)
    state_.hessian[k] =
        stiffness[k] + mass[k] / (step.h * step.h) + (state_.damping.empty() ? 0 : state_.damping[k] / step.h);
  for (std::size_t i = 0; i < free_.size(); ++i)
    state_.hessian[i * size + i] += soft_stop_force(stops_[i], state_.free[i] + step.u[i]).stiffness;
  for (const FixedParameter& fixed : fixed_) leave_out(fixed.free, size, state_.hessian);
  state_.hessian_step = step.h;
  if (!factorise()) return false;
  ++statistics_.hessians;
  if (dynamics_.stiffness_damping > 0 || dynamics_.mass_damping > 0) {
    state_.next_damping.resize(size * size);
    for (std::size_t k = 0; k < state_.next_damping.size(); ++k)
      state_.next_damping[k] = dynamics_.stiffness_damping * stiffness[k] + dynamics_.mass_damping * mass[k];
  }
  return true;
}

void RigSpaceMotion::solve(std::span<const Vec3> base, double h, Step& step) {
  step.h = h;
  step.base.assign(base.begin(), base.end());
  step.x = step.base;
  step.target = state_.x;
  for (std::size_t v = 0; v < step.target.size(); ++v) step.target[v] += state_.velocity[v] * h;
  const std::size_t size = moving_basis().padded_columns();
  std::vector<double> direction(free_.size());
  const double tolerance = dynamics_.tolerance * body_->height;
  constexpr double slow = 0.2;  // largest ratio of successive iterations with the same Hessian
  step.u = state_.rate;         // the largest part of the step
  for (double& u : step.u) u *= h;
  set_fixed_changes(h, step.u);
  double value = value_at(step, step.u, true), last_length = 0;
  std::vector<char> fixed = are_fixed(fixed_, free_.size());
  if (state_.hessian_step != h || state_.hessian_fixed != fixed) drop_factor();
  state_.hessian_fixed = std::move(fixed);
  for (statistics_.iterations = 1; statistics_.iterations <= dynamics_.max_iterations; ++statistics_.iterations) {
    if (!factor_ && !factor_at(step, HyperelasticTangent::exact) && !factor_at(step, HyperelasticTangent::definite)) {
      // Damping uses the stiffness of the last step, which need not be definite far from rest; this step omits it then.
      state_.damping.clear();
      value = value_at(step, step.u, true);
      if (!factor_at(step, HyperelasticTangent::definite))
        throw simulation_error("the equations of a step have no solution");
    }
    factor_->solve(step.gradient, direction);
    for (double& d : direction) d = -d;
    const double slope = inner_product(step.gradient, direction);
    if (!std::isfinite(slope)) throw simulation_error("the free parameters got values that are no numbers.");
    const double length =
        std::sqrt(inner_product(direction, times_corner(reduced_mass_, size, direction)) / moving_mass_);
    const std::vector<double> start = step.u;
    double share = 1;
    for (;; share *= 0.5) {
      for (std::size_t i = 0; i < step.u.size(); ++i) step.u[i] = start[i] + share * direction[i];
      const double there = value_at(step, step.u, true);
      if (there <= value + 1e-4 * share * slope || share * length <= 1e-3 * tolerance ||
          std::abs(slope) <= 1e-14 * std::abs(value)) {
        value = there;
        break;
      }
    }
    // Assumes linear convergence: the next iteration is shorter by the same ratio.
    const double next = share == 1 && last_length > 0 ? length * std::min(1.0, length / last_length) : length;
    if (share * length <= tolerance || next <= 0.5 * tolerance) return;
    const bool fresh = share < 1 || (last_length > 0 && length > slow * last_length);
    if (fresh) drop_factor();
    last_length = fresh ? 0 : length;
  }
}

// Truncation error of the step, h^2/2 a, of the motion that the free parameters add.
void RigSpaceMotion::note_step_error(std::span<const double> u, double h) {
  std::vector<double> change(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) change[i] = u[i] / h - state_.rate[i];
  const std::vector<double> momentum = times_corner(reduced_mass_, moving_basis().padded_columns(), change);
  statistics_.step_error = h / 2 * std::sqrt(inner_product(change, momentum) / moving_mass_) / body_->height;
}

void RigSpaceMotion::advance(std::span<const double> p, double h) {
  if (dynamics_.rest == RestShape::pose) {
    if (placement_.equilibrium()) energy_.rest_at(body_->mesh.positions);
    goal_ = state_.x;  // initial guess of its interior
    placement_.relax(with_free(p, rest_of_free()), state_.interior_offset, goal_);
    rest_at_goal();
  }
  const std::vector<double> begin = with_free(p, state_.free);
  std::vector<Vec3> base = state_.x;
  for (std::size_t v = 0; v < base.size(); ++v) base[v] += state_.velocity[v] * h;  // initial guess of the interior
  if (dynamics_.rest == RestShape::body)
    placement_.relax(begin, state_.interior_offset, base);
  else
    placement_.evaluate(begin, state_.interior_offset, base);
  const std::vector<Vec3> surface(placement_.surface().begin(), placement_.surface().end());
  const std::size_t boundary = body_->boundary_vertices();
  std::vector<Vec3> linear(boundary), actual = base;

  bool fresh = state_.jacobian_at.empty() || !dynamics_.deferred;
  if (!fresh && dynamics_.predictor) {
    std::vector<double> ahead(free_.size()), there(free_.size());
    for (std::size_t i = 0; i < free_.size(); ++i) ahead[i] = h * state_.rate[i];
    set_fixed_changes(h, ahead);
    for (std::size_t i = 0; i < free_.size(); ++i) there[i] = state_.free[i] + ahead[i];
    placement_.evaluate_boundary(with_free(p, there), actual);
    displace(moving_basis(), ahead, base, linear);
    if (linearity_error(linear, actual) > dynamics_.linearity) {
      fresh = true;
      ++statistics_.predicted_updates;
    }
  }
  if (fresh) update_basis(begin, surface);
  state_.damping = state_.next_damping;
  for (;;) {
    Step step;
    solve(base, h, step);
    std::vector<double> end(free_.size());
    for (std::size_t i = 0; i < end.size(); ++i) end[i] = state_.free[i] + step.u[i];
    for (const FixedParameter& fixed : fixed_) end[fixed.free] = fixed_value(fixed, h);  // without rounding
    actual = step.x;
    placement_.evaluate(with_free(p, end), state_.interior_offset, actual);
    statistics_.linearity_error = linearity_error(step.x, actual);
    if (!fresh && statistics_.linearity_error > dynamics_.linearity) {
      fresh = true;
      ++statistics_.roll_backs;
      update_basis(begin, surface);
      continue;
    }
    for (const Vec3& position : actual)
      if (!is_finite(position)) throw simulation_error("the body got positions that are no numbers.");
    // Uses the velocity of the linearised rig, G du/dt. The difference of positions would add the rig's curvature over
    // a step, d2s/dp2 u^2 / 2, to the velocity, an error that smaller steps do not remove.
    for (std::size_t v = 0; v < actual.size(); ++v) state_.velocity[v] = (step.x[v] - state_.x[v]) / h;
    note_step_error(step.u, h);
    state_.x = actual;
    state_.free = std::move(end);
    for (std::size_t i = 0; i < step.u.size(); ++i) state_.rate[i] = step.u[i] / h;
    ++statistics_.steps;
    statistics_.rig_evaluations = all_evaluations() - evaluations_before_;
    return;
  }
}

}  // namespace sinew
