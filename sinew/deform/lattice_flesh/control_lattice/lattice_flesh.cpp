#include "sinew/deform/lattice_flesh/control_lattice/lattice_flesh.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/lattice_flesh/control_lattice/adaptation.h"
#include "sinew/deform/lattice_flesh/control_lattice/blended_regions.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_constraints.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_contact.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_elasticity.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_pose.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_preconditioner.h"
#include "sinew/deform/lattice_flesh/control_lattice/lattice_state.h"
#include "sinew/deform/lattice_flesh/control_lattice/unknown_mass.h"
#include "sinew/linalg/bicgstab.h"
#include "sinew/linalg/krylov.h"
#include "sinew/linalg/projected_conjugate_gradients.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 256;
constexpr double static_tolerance = 1e-6;  // products are in single precision
constexpr double least_share_of_weight = 1e-9;  // in residuals: less is rest
constexpr int static_iterations = 2000, most_newton_iterations = 8,
              most_static_newton_iterations = 60;

Vec3 at(std::span<const double> values, std::size_t i) { return {values[3 * i], values[3 * i + 1], values[3 * i + 2]}; }
void add(std::span<double> values, std::size_t i, const Vec3& v) {
  for (std::size_t k = 0; k < 3; ++k) values[3 * i + k] += v[k];
}

class LatticeFlesh final : public LatticeDeformer {
 public:
  explicit LatticeFlesh(std::shared_ptr<const LatticeBody> body)
      : body_(std::move(body)),
        elasticity_(lattice_elasticity(*body_)),
        dynamic_(*body_, body_->factor, body_->coarse_factor, body_->detail),
        static_(*body_, body_->static_factor, body_->coarse_static_factor, body_->static_detail),
        state_(lattice_state(body_->description.role.size())),
        position_(state_.position.size()),
        rate_(state_.position.size()),
        constraints_(*body_),
        contact_(*body_) {
    const LatticeDescription& d = body_->description;
    if (damping_varies()) {
      mass_by_damping_ = scaled_by_cell(d.cells, d.cells.mass, d.cell_damping);
      hold_by_damping_ = scaled_by_cell(d.cells, d.cells.hold, d.cell_damping);
    }
    if (body_->run.linearization == Linearization::blended) use_regions();
    use_active_functions();
  }

  void reset(const RigState& rig, const RigState& next) override {
    if (body_->run.adaptation.on) start_coarse(body_->description, state_.activity);
    use_active_functions();
    LatticePose next_pose;
    predict_pose(body_->description, next.bones, next_pose);
    predict_pose(body_->description, rig.bones, pose_);
    position_ = pose_.functions.goal;
    if (regions_)
      find_blended_equilibrium(rig);
    else
      find_equilibrium(rig.time);
    for (std::size_t level = 0; body_->run.adaptation.on && level < body_->description.detail_levels.size(); ++level) {
      set_displacements();
      if (!choose_functions(*body_, pose_, state_)) break;
      use_active_functions();
      find_equilibrium(rig.time);
    }
    set_displacements();
    const double h = body_->method.step;
    for (std::size_t f = 0; f < position_.size(); ++f) {
      const Vec3 next_position = next_pose.functions.goal[f] + next_pose.functions.rotation[f] * state_.displacement[f];
      state_.velocity[f] = (next_position - position_[f]) / h;
      state_.acceleration[f] = state_.impetus[f] = {};
      state_.previous_position[f] = position_[f] - h * state_.velocity[f];
    }
    state_.position = position_;
    state_.steps = 0;
  }

  void advance(const RigState& rig) override {
    predict_pose(body_->description, rig.bones, active_.function, pose_);
    elasticity_->set_pose(pose_, state_.position);
    if (adapt()) predict_pose(body_->description, rig.bones, active_.function, pose_);
    start_from_last_displacement();
    take_environment(rig);
    assemble_residual();
    if (regions_)
      solve_regions(rig);
    else
      solve_step(rig.time);
    if (elasticity_->nonlinear()) iterate_newton(rig.time);
    statistics_.contacts = environment_.touches() ? meet_colliders(rig.time) : 0;
    if (acted_on()) push_before_step();
    finish_step();
    if (acted_on()) settle_after_step();
  }

  void set_environment(const LatticeEnvironment& environment) override {
    check_environment(*body_, environment);
    environment_ = environment;
  }

  Vec3 place_of(const SurfaceSpot& spot, std::span<const Affine> bones) const override {
    LatticePose pose;
    std::vector<Vec3> offset, place(1);
    predict_pose(body_->description, bones, pose);
    predict_surface_offsets(*body_, bones, pose, offset);
    const HeldPoint point{spot, {}, {}, {}};
    multiply(values_at_spots(*body_, {&point, 1}), state_.position, place);
    for (std::size_t k = 0; k < 3; ++k)
      if (spot.vertex[k] >= 0) place[0] += spot.weight[k] * offset[static_cast<std::size_t>(spot.vertex[k])];
    return place[0];
  }

  const std::string& note() const override { return constraints_.note(); }

  std::span<const Vec3> local_displacements() const override { return state_.displacement; }

  BodyMeasures measure(const RigState&) const override {
    const LatticeDescription& d = body_->description;
    BodyMeasures result;
    double rest = 0, posed = 0;
    for (std::size_t c = 0; c < d.cells.cells(); ++c) {
      if (!(d.cell_volume[c] > 0)) continue;
      Mat3 gradient = Mat3::zero();
      for (auto e = static_cast<std::size_t>(d.cells.start[c]); e < static_cast<std::size_t>(d.cells.start[c + 1]); ++e)
        gradient += outer(state_.position[static_cast<std::size_t>(d.cells.function[e])], d.cell_gradient[e]);
      const double det = determinant(gradient);
      rest += d.cell_volume[c];
      posed += d.cell_volume[c] * det;
      result.min_det = std::min(result.min_det, det);
    }
    if (rest > 0) result.volume_ratio = posed / rest;
    result.energy = elasticity_->energy(state_.position) + kinetic_energy();
    return result;
  }

  double step() const override { return body_->method.step; }
  const StepStatistics& statistics() const override { return statistics_; }

  void save(Snapshot& snapshot) const override { save_state(state_, snapshot); }
  void load(const Snapshot& snapshot) override {
    load_state(snapshot, state_);
    use_active_functions();
  }

 private:
  bool is_unknown(std::size_t f) const { return active_.unknown[f] >= 0; }

  void set_displacements() {
    for (std::size_t f = 0; f < position_.size(); ++f)
      state_.displacement[f] = state_.previous_displacement[f] =
          transpose_times(pose_.functions.rotation[f], position_[f] - pose_.functions.goal[f]);
  }

  void use_active_functions() {
    const LatticeDescription& d = body_->description;
    active_ = active_functions(d.role, state_.activity);
    elasticity_->activate(active_);
    dynamic_.activate(active_);
    static_.activate(active_);
    const auto slots = static_cast<int>(active_.slots());
    mass_ = assemble_scalars(d.cells, d.cells.mass, active_.slot, slots);
    hold_ = assemble_scalars(d.cells, d.cells.hold, active_.slot, slots);
    if (damping_varies()) {
      damped_mass_ = assemble_scalars(d.cells, mass_by_damping_, active_.slot, slots);
      damped_hold_ = assemble_scalars(d.cells, hold_by_damping_, active_.slot, slots);
    }
    for (std::vector<Vec3>* per_slot : {&inertia_, &product_}) per_slot->assign(active_.slots(), {});
    for (std::vector<double>* per_unknown : {&residual_, &solution_, &guess_, &work_})
      per_unknown->assign(3 * active_.unknowns(), 0.0);
    functions_changed_ = true;
  }

  void use_regions() {
    if (body_->run.adaptation.on || body_->reference == LatticeReference::rig)
      throw usage_error("linearization blended: its regions are factorised whole and rest at their own shape; leave --adapt out and use --reference elastic.");
    regions_.emplace(*body_, body_->mass_part(), body_->stiffness_part());
    // Quasi-static: a step so long that inertia only keeps regions in place that nothing holds.
    constexpr double long_step = 1;
    resting_regions_.emplace(*body_, 1 / (long_step * long_step), 1.0);
  }

  std::vector<Vec3> gravity_per_function() const {
    std::vector<Vec3> result(position_.size());
    if (body_->dynamics.gravity_in_rest == GravityInRest::pose) return result;
    const Vec3& gravity = body_->dynamics.gravity;
    const bool bind = body_->dynamics.gravity_in_rest == GravityInRest::bind;
    for (std::size_t f = 0; f < result.size(); ++f) result[f] = bind ? gravity - pose_.functions.rotation[f] * gravity : gravity;
    return result;
  }

  // One step of algorithm 5.1. assemble_residual() has left the rates and the accelerations.
  void solve_regions(const RigState& rig) {
    std::vector<Vec3> inertia(position_.size()), change(position_.size());
    for (std::size_t s = 0; s < active_.slots(); ++s) inertia[static_cast<std::size_t>(active_.function[s])] = acceleration_[s];
    regions_->solve(pose_, rig.bones, {position_, rate_, inertia, gravity_per_function(), body_->method.force_factor()}, change);
    for (std::size_t f = 0; f < change.size(); ++f) position_[f] += change[f];
    take_unknowns(change);
    require_finite(rig.time);
    statistics_ = {1, 0, 0};
  }

  // Where blended solutions no longer move the body.
  void find_blended_equilibrium(const RigState& rig) {
    constexpr int most_rounds = 500;
    constexpr double still = 1e-7;  // metres
    std::fill(rate_.begin(), rate_.end(), Vec3{});
    const std::vector<Vec3> nothing(position_.size()), gravity = gravity_per_function();
    std::vector<Vec3> change(position_.size());
    statistics_ = {};
    for (int round = 0; round < most_rounds; ++round) {
      resting_regions_->solve(pose_, rig.bones, {position_, rate_, nothing, gravity, 1.0}, change);
      double largest = 0;
      for (std::size_t f = 0; f < change.size(); ++f) {
        position_[f] += change[f];
        largest = std::max(largest, norm(change[f]));
      }
      take_unknowns(change);
      require_finite(rig.time);
      statistics_.iterations = round + 1;
      if (largest < still) return;
    }
  }

  void take_unknowns(std::span<const Vec3> per_function) {
    for (std::size_t u = 0; u < active_.unknowns(); ++u)
      for (std::size_t k = 0; k < 3; ++k) solution_[3 * u + k] = per_function[static_cast<std::size_t>(active_.unknown_function[u])][k];
  }

  // Functions are switched on and off where the body deforms (section 4.7), every few steps.
  bool adapt() {
    const LatticeAdaptation& adaptation = body_->run.adaptation;
    if (!adaptation.on || state_.steps++ % adaptation.every != 0) return false;
    if (!choose_functions(*body_, pose_, state_)) return false;
    use_active_functions();
    return true;
  }

  // p_i = g_i + R_i u_i: where the body would be if it had moved with the rig. What is driven is there; what fades
  // does so on its own.
  void start_from_last_displacement() {
    parallel_for(position_.size(), grain, [&](std::size_t f) {
      position_[f] = pose_.functions.goal[f];
      if (active_.slot[f] < 0 || body_->description.role[f] == FunctionRole::driven) return;
      position_[f] += pose_.functions.rotation[f] * (is_unknown(f) ? state_.displacement[f] : faded_displacement(state_, f, body_->method.step));
    });
  }

  Vec3 newmark_predictor(std::size_t f) const {
    const double h = body_->method.step;
    return state_.position[f] + h * state_.velocity[f] + (h * h * body_->predictor_share()) * state_.acceleration[f];
  }

  // (1 - alpha_m) a_{n+1} + alpha_m a_n of a function with p_{n+1} = position; what is not solved for has the
  // acceleration of its path.
  Vec3 inertial_acceleration(std::size_t f, const Vec3& position) const {
    const GeneralizedAlpha& method = body_->method;
    const double h = method.step;
    if (!is_unknown(f)) return (position - 2.0 * state_.position[f] + state_.previous_position[f]) / (h * h);
    const Vec3 acceleration = (position - newmark_predictor(f)) / (method.beta * h * h);
    return (1 - method.alpha_m) * acceleration + method.alpha_m * state_.acceleration[f];
  }

  // What is left of the balance of a step at position_, for the unknowns:
  //   alpha_f f_n + (1 - alpha_f) f(p) - M ((1 - alpha_m) a_{n+1} + alpha_m a_n),
  // M with the rows of 5.6: M_FS times the acceleration of the skeleton included. Damping D = a M + b (S_w + hold) acts
  // on the rate of u, (3 u_{n+1} - 4 u_n + u_{n-1}) / 2h, turned into the world.
  void assemble_residual() {
    const LatticeDescription& d = body_->description;
    const GeneralizedAlpha& method = body_->method;
    const double half_rate = 0.5 / method.step;
    parallel_for(active_.slots(), grain, [&](std::size_t s) {
      const auto f = static_cast<std::size_t>(active_.function[s]);
      rate_[f] = {};
      if (is_unknown(f))
        rate_[f] = half_rate * (3.0 * (position_[f] - pose_.functions.goal[f]) -
                                pose_.functions.rotation[f] * (4.0 * state_.displacement[f] - state_.previous_displacement[f]));
      inertia_[s] = method.alpha_f * state_.impetus[f] - inertial_acceleration(f, position_[f]);
      if (!damping_varies()) inertia_[s] -= (method.force_factor() * d.mass_damping) * rate_[f];
    });
    std::fill(residual_.begin(), residual_.end(), 0.0);
    acceleration_ = inertia_;
    add_product(mass_, inertia_, 1);
    if (damping_varies()) add_product(damped_mass_, rates(), -method.force_factor() * d.mass_damping);
    for (Vec3& rate : rate_) rate *= d.stiffness_damping;
    add_forces(method.force_factor());
  }

  // Whether cells have a damping of their own; then what it acts on is multiplied by matrices of its own. Only systems that
  // are sums over turned cells know of it.
  bool damping_varies() const {
    const LatticeRun& run = body_->run;
    return !body_->description.cell_damping.empty() && run.linearization != Linearization::none &&
           run.linearization != Linearization::blended &&
           (run.linearization != Linearization::warped || run.warping == Warping::element);
  }
  std::span<const Vec3> rates() {
    for (std::size_t s = 0; s < active_.slots(); ++s) inertia_[s] = rate_[static_cast<std::size_t>(active_.function[s])];
    return inertia_;
  }

  // residual += factor (outside forces - elastic force - bone displacement energy) at position_ + rate_.
  void add_forces(double factor) {
    const LatticeDescription& d = body_->description;
    parallel_for(active_.slots(), grain, [&](std::size_t s) {
      const auto f = static_cast<std::size_t>(active_.function[s]);
      inertia_[s] = position_[f] - pose_.functions.goal[f];
      if (!damping_varies()) inertia_[s] += rate_[f];
    });
    add_product(hold_, inertia_, -factor);
    if (damping_varies()) add_product(damped_hold_, rates(), -factor);
    elasticity_->subtract_force(factor, position_, rate_, residual_);
    const Vec3& gravity = body_->dynamics.gravity;
    if (body_->dynamics.gravity_in_rest == GravityInRest::pose) return;
    for (std::size_t u = 0; u < active_.unknowns(); ++u) {
      const auto f = static_cast<std::size_t>(active_.unknown_function[u]);
      const bool bind = body_->dynamics.gravity_in_rest == GravityInRest::bind;
      add(residual_, u, (factor * d.weight[f]) * (bind ? gravity - pose_.functions.rotation[f] * gravity : gravity));
    }
  }

  // residual += factor A x of the unknowns' rows; x per slot.
  void add_product(const SparseRows& matrix, std::span<const Vec3> x, double factor) {
    multiply(matrix, x, product_);
    parallel_for(active_.unknowns(), grain, [&](std::size_t u) {
      add(residual_, u, factor * product_[static_cast<std::size_t>(active_.unknown_slot[u])]);
    });
  }

  KrylovResult solve(const LinearOperator& matrix, LatticePreconditioner& preconditioner, const KrylovOptions& options) {
    const LinearOperator inverse = [&](std::span<const double> from, std::span<double> to) { preconditioner.apply(from, to); };
    preconditioner.set_pose(pose_);
    std::fill(solution_.begin(), solution_.end(), 0.0);
    if (&preconditioner == &dynamic_ && !constraints_.empty()) return solve_within_constraints(matrix, inverse, options);
    return elasticity_->symmetric() ? conjugate_gradients_.solve(matrix, inverse, residual_, solution_, options)
                                    : bicgstab_.solve(matrix, inverse, residual_, solution_, options);
  }

  // (S_w + hold) p = forces, with what the skeleton drives in place; Newton's method where S_w is the state's own.
  void find_equilibrium(double time) {
    elasticity_->set_pose(pose_, position_);
    const auto take_residual = [&] {
      std::fill(rate_.begin(), rate_.end(), Vec3{});
      std::fill(residual_.begin(), residual_.end(), 0.0);
      add_forces(1);
      return std::sqrt(dot(residual_, residual_));
    };
    const LinearOperator matrix = [&](std::span<const double> from, std::span<double> to) { apply_static(from, to); };
    KrylovOptions options;
    options.tolerance = static_tolerance;
    options.max_iterations = static_iterations;
    const double first = take_residual();
    double left = first;
    statistics_ = {};
    if (!(first > least_residual())) return;
    for (int iteration = 0; iteration < most_static_newton_iterations && left > static_tolerance * first; ++iteration) {
      const KrylovResult solved = solve(matrix, static_, options);
      statistics_.iterations += solved.iterations;
      statistics_.residual = solved.relative_residual;
      require_finite(time);
      if (!elasticity_->nonlinear()) {
        add_solution();
        return;
      }
      // Energy and not the residual is what has its least value at rest, and every direction that a definite matrix
      // gives leads down.
      go_along_solution(potential_energy(), [this] { return potential_energy(); });
      left = take_residual();
      elasticity_->linearize(position_);
    }
  }

  // Of elasticity, bone displacement and weight at position_, joules.
  double potential_energy() {
    for (std::size_t s = 0; s < active_.slots(); ++s) {
      const auto f = static_cast<std::size_t>(active_.function[s]);
      inertia_[s] = position_[f] - pose_.functions.goal[f];
    }
    multiply(hold_, inertia_, product_);
    double sum = elasticity_->energy(position_);
    for (std::size_t s = 0; s < active_.slots(); ++s) sum += 0.5 * dot(inertia_[s], product_[s]);
    const std::vector<Vec3> gravity = gravity_per_function();
    for (int f : active_.unknown_function) {
      const auto i = static_cast<std::size_t>(f);
      sum -= body_->description.weight[i] * dot(gravity[i], position_[i]);
    }
    return sum;
  }

  // Below that nothing moves, newtons: a share of the forces that the body's weight would put on its unknowns.
  double least_residual() const {
    double sum = 0;
    for (int f : active_.unknown_function) sum += body_->description.weight[static_cast<std::size_t>(f)] * body_->description.weight[static_cast<std::size_t>(f)];
    return least_share_of_weight * 9.81 * std::sqrt(sum);
  }

  // position_ += share solution_ with the first share of 1, 1/2, 1/4, ... that makes measure() less than `left`, and what
  // it then is.
  template <class Measure>
  double go_along_solution(double left, const Measure& measure) {
    constexpr double least_share = 0.02;
    const std::vector<Vec3> before = position_;
    double now = left;
    for (double share = 1; share > least_share; share *= 0.5) {
      position_ = before;
      for (std::size_t u = 0; u < active_.unknowns(); ++u)
        position_[static_cast<std::size_t>(active_.unknown_function[u])] += share * at(solution_, u);
      now = measure();
      if (now < left) break;
    }
    return now;
  }

  // to = (S_w + hold) from
  void apply_static(std::span<const double> from, std::span<double> to) {
    elasticity_->apply_stiffness(from, to);
    std::fill(inertia_.begin(), inertia_.end(), Vec3{});
    for (std::size_t u = 0; u < active_.unknowns(); ++u) inertia_[static_cast<std::size_t>(active_.unknown_slot[u])] = at(from, u);
    multiply(hold_, inertia_, product_);
    for (std::size_t u = 0; u < active_.unknowns(); ++u) add(to, u, product_[static_cast<std::size_t>(active_.unknown_slot[u])]);
  }

  KrylovResult solve_within_constraints(const LinearOperator& matrix, const LinearOperator& inverse, const KrylovOptions& options) {
    if (elasticity_->symmetric())
      return projected_.solve(matrix, inverse, constraints_.linear().projection(), residual_, solution_, options);
    std::vector<double> work(residual_.size());
    const LinearOperator projected_matrix = [&](std::span<const double> from, std::span<double> to) {
      matrix(from, to);
      constraints_.project(to);
    };
    const LinearOperator projected_inverse = [&](std::span<const double> from, std::span<double> to) {
      inverse(from, to);
      constraints_.project(to);
    };
    return bicgstab_.solve(projected_matrix, projected_inverse, residual_, solution_, options);
  }

  bool acted_on() const { return !constraints_.empty() || environment_.touches(); }

  void take_environment(const RigState& rig) {
    constraints_.hold(environment_.held, active_, functions_changed_);
    force_.assign(3 * active_.unknowns(), 0.0);
    if (!acted_on()) return;
    if (functions_changed_) inverse_mass_ = UnknownMass(mass_, active_);
    functions_changed_ = false;
    predict_surface_offsets(*body_, rig.bones, pose_, offset_);
  }

  // Takes held points to their targets by the least change, and leaves in the residual what may still move.
  void meet_constraints() {
    if (constraints_.empty()) return;
    const std::vector<Vec3> missing = constraints_.missing(position_, offset_);
    constraints_.find_conflicts(missing);
    std::fill(solution_.begin(), solution_.end(), 0.0);
    constraints_.linear().meet(missing, std::span<double>(solution_));
    add_solution();
    elasticity_->apply_system(solution_, work_);
    add_scaled(-1, work_, residual_);
    constraints_.project(residual_);
  }

  // What rounding of the solutions left.
  void correct_held_points() {
    if (constraints_.empty()) return;
    std::fill(solution_.begin(), solution_.end(), 0.0);
    constraints_.linear().meet(constraints_.missing(position_, offset_), std::span<double>(solution_));
    add_solution();
  }

  int meet_colliders(double time) {
    const LinearOperator inverse = [&](std::span<const double> from, std::span<double> to) { dynamic_.apply(from, to); };
    std::vector<double> within(residual_.size());
    const LinearOperator guess = [&](std::span<const double> from, std::span<double> to) {
      std::copy(from.begin(), from.end(), within.begin());
      constraints_.project(within);
      inverse(within, to);
      constraints_.project(to);
    };
    const auto respond = [&](std::span<const double> force) {
      add_scaled(1, force, force_);
      std::copy(force.begin(), force.end(), residual_.begin());
      constraints_.project(residual_);
      solve_linear(std::sqrt(dot(residual_, residual_)), body_->dynamics.tolerance);
      require_finite(time);
      add_solution();
      if (elasticity_->nonlinear()) iterate_newton(time);
    };
    return contact_.hold({environment_, active_, pose_, state_, offset_, position_, constraints_, guess, respond,
                          body_->dynamics.tolerance});
  }

  // Forces of contact and of held points act as impulses on the velocities, one before the step and one after it:
  // positions, accelerations and forces stay those of the step itself (docs/constraints.md).
  void push_before_step() {
    correct_held_points();
    std::vector<double> force = force_;
    if (!constraints_.empty()) {
      // What holds the points is what is missing in the balance along their rows.
      assemble_residual();
      add_scaled(1, force_, residual_);
      work_ = residual_;
      constraints_.project(work_);
      for (std::size_t k = 0; k < force.size(); ++k) force[k] -= residual_[k] - work_[k];
    }
    inverse_mass_.solve(force, work_);
    const double share = 1 / (body_->method.mass_factor() * body_->method.step);
    for (std::size_t u = 0; u < active_.unknowns(); ++u)
      state_.velocity[static_cast<std::size_t>(active_.unknown_function[u])] += share * at(work_, u);
  }

  void settle_after_step() {
    constraints_.meet_velocities(inverse_mass_, active_, state_.velocity);
    contact_.settle(constraints_.inverse_mass(inverse_mass_), active_, state_.velocity);
  }

  // Solves for the change of the displacements, so that the tolerance is relative to what the step changes.
  void solve_step(double time) {
    constraints_.project(residual_);
    double change = std::sqrt(dot(residual_, residual_));
    statistics_ = {};
    first_residual_ = change;
    if (!acted_on() && !(change > least_residual())) return;  // at rest: what is left is rounding
    start_from_free_flight();
    meet_constraints();
    if (!constraints_.empty()) change = std::max(change, std::sqrt(dot(residual_, residual_)));  // a hand may move what is at rest
    first_residual_ = change;
    solve_linear(change, body_->dynamics.tolerance);
    require_finite(time);
    add_solution();
  }

  // The rest of Newton's method: until the balance is met as the tolerance asks, each time going on only as far as
  // helps. What a step leaves over the next one takes up.
  void iterate_newton(double time) {
    const auto take_residual = [&] {
      assemble_residual();
      add_scaled(1, force_, residual_);
      constraints_.project(residual_);
      return std::sqrt(dot(residual_, residual_));
    };
    double left = take_residual();
    for (int iteration = 1; iteration < most_newton_iterations; ++iteration) {
      if (!(left > std::max(body_->dynamics.tolerance * first_residual_, least_residual()))) return;
      elasticity_->linearize(position_);
      solve_linear(left, body_->dynamics.tolerance);
      require_finite(time);
      left = go_along_solution(left, take_residual);
    }
  }

  void solve_linear(double scale_of_residual, double tolerance) {
    const double left = std::sqrt(dot(residual_, residual_));
    KrylovOptions options;
    options.tolerance = left > 0 ? tolerance * scale_of_residual / left : 0;
    options.max_iterations = body_->dynamics.max_iterations;
    const KrylovResult solved =
        solve([&](std::span<const double> from, std::span<double> to) { elasticity_->apply_system(from, to); }, dynamic_, options);
    statistics_.iterations += solved.iterations;
    statistics_.residual = scale_of_residual > 0 ? solved.relative_residual * left / scale_of_residual : 0;
  }

  // From the last displacement along free flight to the least residual: one product for about two iterations.
  void start_from_free_flight() {
    const double h = body_->method.step;
    for (std::size_t u = 0; u < active_.unknowns(); ++u) {
      const auto f = static_cast<std::size_t>(active_.unknown_function[u]);
      const Vec3 way = state_.position[f] + h * state_.velocity[f] + (0.5 * h * h) * state_.acceleration[f] - position_[f];
      for (std::size_t k = 0; k < 3; ++k) guess_[3 * u + k] = way[k];
    }
    elasticity_->apply_system(guess_, work_);
    const double squared = dot(work_, work_);
    const double share = squared > 0 ? dot(work_, residual_) / squared : 0;
    add_scaled(-share, work_, residual_);
    for (std::size_t u = 0; u < active_.unknowns(); ++u)
      position_[static_cast<std::size_t>(active_.unknown_function[u])] += share * at(guess_, u);
  }

  void add_solution() {
    for (std::size_t u = 0; u < active_.unknowns(); ++u)
      position_[static_cast<std::size_t>(active_.unknown_function[u])] += at(solution_, u);
  }

  void finish_step() {
    const GeneralizedAlpha& method = body_->method;
    const double h = method.step;
    parallel_for(active_.slots(), grain, [&](std::size_t s) {
      const auto f = static_cast<std::size_t>(active_.function[s]);
      const Vec3 inertial = inertial_acceleration(f, position_[f]);
      state_.impetus[f] = (inertial - method.alpha_f * state_.impetus[f]) / method.force_factor();
      if (is_unknown(f)) {
        const Vec3 acceleration = (position_[f] - newmark_predictor(f)) / (method.beta * h * h);
        state_.velocity[f] += h * ((1 - method.gamma) * state_.acceleration[f] + method.gamma * acceleration);
        state_.acceleration[f] = acceleration;
      } else {
        state_.velocity[f] = (position_[f] - state_.position[f]) / h;
        state_.acceleration[f] = inertial;
      }
      state_.previous_position[f] = state_.position[f];
      state_.position[f] = position_[f];
      state_.previous_displacement[f] = state_.displacement[f];
      state_.displacement[f] = transpose_times(pose_.functions.rotation[f], position_[f] - pose_.functions.goal[f]);
    });
  }

  // 1/2 du/dt^T M du/dt, velocities relative to the goal in the functions' own frames.
  double kinetic_energy() const {
    std::vector<Vec3> velocity(active_.slots()), momentum(velocity.size());
    for (std::size_t s = 0; s < velocity.size(); ++s) {
      const auto f = static_cast<std::size_t>(active_.function[s]);
      velocity[s] = (state_.displacement[f] - state_.previous_displacement[f]) / body_->method.step;
    }
    multiply(mass_, velocity, momentum);
    double sum = 0;
    for (std::size_t s = 0; s < velocity.size(); ++s) sum += 0.5 * dot(velocity[s], momentum[s]);
    return sum;
  }

  void require_finite(double time) const {
    for (std::size_t k = 0; k < solution_.size(); ++k)
      if (!std::isfinite(solution_[k]))
        throw simulation_error("the simulation lost vertex " + std::to_string(active_.unknown_function[k / 3]) +
                               " of the lattice at " + std::to_string(time) +
                               " s; check the clip for jumps there, or use a smaller --step.");
  }

  std::shared_ptr<const LatticeBody> body_;
  std::unique_ptr<LatticeElasticity> elasticity_;
  LatticePreconditioner dynamic_, static_;
  LatticeState state_;
  ActiveFunctions active_;
  SparseRows mass_, hold_;                          // slots x slots
  // The same by the cells' own damping, where there is any: per pair of functions of a cell, and of slots.
  std::vector<double> mass_by_damping_, hold_by_damping_;
  SparseRows damped_mass_, damped_hold_;
  LatticePose pose_;
  std::vector<Vec3> position_;                      // per function: p_{n+1} in the making
  std::vector<Vec3> rate_;                          // per function: b du/dt so far, world
  std::vector<Vec3> inertia_, product_;             // per slot
  std::vector<Vec3> acceleration_;                  // per slot: what M is multiplied by in the residual
  std::vector<double> residual_, solution_, guess_, work_;
  ConjugateGradients conjugate_gradients_;
  BiCgStab bicgstab_;
  std::optional<BlendedRegions> regions_, resting_regions_;
  LatticeEnvironment environment_;
  LatticeConstraints constraints_;
  LatticeContact contact_;
  UnknownMass inverse_mass_;
  std::vector<Vec3> offset_;   // of the surface (predict_surface_offsets)
  std::vector<double> force_;  // of contact, on the unknowns
  ProjectedConjugateGradients projected_;
  bool functions_changed_ = true;  // since constraints and inverse_mass_ were made
  double first_residual_ = 0;  // of the step, newtons
  StepStatistics statistics_;
};

}  // namespace

std::unique_ptr<LatticeDeformer> lattice_flesh(std::shared_ptr<const LatticeBody> body) {
  return std::make_unique<LatticeFlesh>(std::move(body));
}

}  // namespace sinew
