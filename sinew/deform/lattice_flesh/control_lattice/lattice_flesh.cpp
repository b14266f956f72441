#include "sinew/deform/lattice_flesh/control_lattice/lattice_flesh.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/parallel.h"
#include "sinew/deform/lattice_flesh/control_lattice/cell_products.h"
#include "sinew/deform/lattice_flesh/vertex_frames.h"
#include "sinew/linalg/krylov.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

constexpr std::size_t cell_grain = 16, function_grain = 256;
constexpr double static_tolerance = 1e-9;
constexpr int static_iterations = 2000;

// Between two steps.
struct LatticeState {
  // Per function, world.
  std::vector<Vec3> position;      // p_n, metres
  std::vector<Vec3> velocity;      // metres per second
  std::vector<Vec3> acceleration;  // a_n, m/s^2
  std::vector<Vec3> impetus;       // y_n with M y_n = f_n, all forces at the step's end, m/s^2
  // Per function, in its own frame: R_i^T (p_i - g_i) of the last two steps, metres.
  std::vector<Vec3> displacement, previous_displacement;
  std::vector<Vec3> previous_position;  // p_{n-1}, for the acceleration of what is driven
  // Per entry of the cells, in the cell's frame: what its stiffness acts on, of the last two steps, metres.
  std::vector<Row<float>> strained, previous_strained;
};

class LatticeFlesh final : public Deformer {
 public:
  explicit LatticeFlesh(std::shared_ptr<const LatticeBody> body) : body_(std::move(body)) {
    const LatticeDescription& d = body_->description;
    const std::size_t functions = d.role.size();
    // Slots: every function that may be other than zero.
    std::vector<int> slot(functions, -1);
    for (std::size_t f = 0; f < functions; ++f)
      if (d.role[f] != FunctionRole::zero) {
        slot[f] = static_cast<int>(function_of_slot_.size());
        function_of_slot_.push_back(static_cast<int>(f));
      }
    const auto slots = static_cast<int>(function_of_slot_.size());
    system_ = cell_products(d.cells, slot, slots, body_->mass_part(), body_->stiffness_part());
    stiffness_ = cell_products(d.cells, slot, slots, 0, 1);
    slot_of_unknown_.reserve(body_->unknown_function.size());
    for (int f : body_->unknown_function) slot_of_unknown_.push_back(slot[static_cast<std::size_t>(f)]);
    assemble_mass(slot, slots);
    for (std::vector<Vec3>* per_function : {&state_.position, &state_.velocity, &state_.acceleration, &state_.impetus,
                                            &state_.displacement, &state_.previous_displacement, &state_.previous_position})
      per_function->resize(functions);
    for (std::vector<Row<float>>* per_entry : {&state_.strained, &state_.previous_strained, &local_, &force_})
      per_entry->resize(system_.slot.size());
    rows_.resize(function_of_slot_.size());
    frame_.resize(d.cells.cells());
    position_.resize(functions);
    inertia_.resize(function_of_slot_.size());
    product_.resize(function_of_slot_.size());
    for (std::vector<double>* work : {&residual_, &solution_, &guess_, &work_})
      work->resize(3 * body_->unknown_function.size());
    surface_.resize(d.surface.rows());
  }

  void reset(const RigState& rig, const RigState& next) override {
    predict(next);
    const std::vector<Mat3> next_rotation = functions_.rotation;
    const std::vector<Vec3> next_goal = functions_.goal;
    predict(rig);
    position_ = functions_.goal;
    strain(position_, local_);
    add_outside_forces(1, residual_);
    subtract_cell_forces(1);
    KrylovOptions options;
    options.tolerance = static_tolerance;
    options.max_iterations = static_iterations;
    std::fill(solution_.begin(), solution_.end(), 0.0);
    const KrylovResult solved = conjugate_gradients_.solve(
        [this](std::span<const double> from, std::span<double> to) { apply(stiffness_, from, to); },
        [this](std::span<const double> from, std::span<double> to) { solve_in_frames(body_->static_factor, from, to); },
        residual_, solution_, options);
    statistics_ = {solved.iterations, solved.relative_residual, 0};
    require_finite(rig.time);
    add_solution(position_);
    strain(position_, state_.strained);
    state_.previous_strained = state_.strained;
    const double h = body_->method.step;
    for (std::size_t f = 0; f < position_.size(); ++f) {
      const Vec3 u = transpose_times(functions_.rotation[f], position_[f] - functions_.goal[f]);
      state_.displacement[f] = state_.previous_displacement[f] = u;
      state_.velocity[f] = (next_goal[f] + next_rotation[f] * u - position_[f]) / h;
      state_.acceleration[f] = state_.impetus[f] = {};
      state_.previous_position[f] = functions_.goal[f] * 2.0 - next_goal[f];  // a drive at constant velocity until now
    }
    state_.position = position_;
    show(rig);
  }

  void advance(const RigState& rig) override {
    predict(rig);
    start_from_last_displacement();
    assemble_residual();
    solve_step(rig.time);
    finish_step();
    show(rig);
  }

  std::span<const Vec3> local_displacements() const override { return surface_; }
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
    result.energy = elastic_energy() + kinetic_energy();
    return result;
  }
  double step() const override { return body_->method.step; }
  const StepStatistics& statistics() const override { return statistics_; }

  void save(Snapshot& snapshot) const override {
    snapshot.numbers.clear();
    for (const std::vector<Vec3>* vectors : saved_vectors(state_))
      for (const Vec3& v : *vectors) snapshot.numbers.insert(snapshot.numbers.end(), {v.x, v.y, v.z});
    for (const std::vector<Row<float>>* rows : {&state_.strained, &state_.previous_strained})
      for (const Row<float>& r : *rows)
        snapshot.numbers.insert(snapshot.numbers.end(), {double(r.x), double(r.y), double(r.z)});
    for (const Vec3& v : surface_) snapshot.numbers.insert(snapshot.numbers.end(), {v.x, v.y, v.z});
  }
  void load(const Snapshot& snapshot) override {
    const std::size_t size = 3 * (7 * position_.size() + 2 * local_.size() + surface_.size());
    if (snapshot.numbers.size() != size)
      throw input_error("the checkpoint holds another body's state; start the run again without --resume.");
    auto next = snapshot.numbers.begin();
    const auto vector = [&next] {
      const Vec3 v{next[0], next[1], next[2]};
      next += 3;
      return v;
    };
    for (std::vector<Vec3>* vectors : {&state_.position, &state_.velocity, &state_.acceleration, &state_.impetus,
                                       &state_.displacement, &state_.previous_displacement, &state_.previous_position})
      for (Vec3& v : *vectors) v = vector();
    for (std::vector<Row<float>>* rows : {&state_.strained, &state_.previous_strained})
      for (Row<float>& r : *rows) {
        const Vec3 v = vector();
        r = {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0};
      }
    for (Vec3& v : surface_) v = vector();
  }

 private:
  static std::vector<const std::vector<Vec3>*> saved_vectors(const LatticeState& s) {
    return {&s.position, &s.velocity, &s.acceleration, &s.impetus, &s.displacement, &s.previous_displacement, &s.previous_position};
  }

  void assemble_mass(std::span<const int> slot, int slots) {
    const CellMatrices& cells = body_->description.cells;
    std::vector<int> functions, start{0};
    for (std::size_t c = 0; c < cells.cells(); ++c) {
      for (int k = cells.start[c]; k < cells.start[c + 1]; ++k)
        if (const int s = slot[static_cast<std::size_t>(cells.function[static_cast<std::size_t>(k)])]; s >= 0) functions.push_back(s);
      start.push_back(static_cast<int>(functions.size()));
    }
    std::vector<std::vector<std::pair<int, double>>> row(static_cast<std::size_t>(slots));
    for (std::size_t c = 0; c < cells.cells(); ++c) {
      const auto n = static_cast<std::size_t>(cells.functions_of(c)), first = static_cast<std::size_t>(cells.start[c]);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          const int a = slot[static_cast<std::size_t>(cells.function[first + i])], b = slot[static_cast<std::size_t>(cells.function[first + j])];
          const double mass = cells.mass[cells.offset[c] + i * n + j];
          if (a >= 0 && b >= 0 && mass != 0) row[static_cast<std::size_t>(a)].push_back({b, mass});
        }
    }
    mass_.columns = slots;
    for (auto& entries : row) {
      std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (const auto& [column, value] : entries) {
        if (static_cast<int>(mass_.column.size()) > mass_.start.back() && mass_.column.back() == column) {
          mass_.value.back() += value;
          continue;
        }
        mass_.column.push_back(column);
        mass_.value.push_back(value);
      }
      mass_.start.push_back(static_cast<int>(mass_.column.size()));
    }
  }

  // Frames and goals of functions and cells. Detail has no goal of its own.
  void predict(const RigState& rig) {
    const LatticeDescription& d = body_->description;
    predict_frames(d.place, d.influences, rig.bones, functions_);
    predict_frames(d.cell_centre, d.cell_influences, rig.bones, cells_);
    for (std::size_t f = static_cast<std::size_t>(d.coarse_functions); f < functions_.goal.size(); ++f) functions_.goal[f] = {};
    for (std::size_t f = 0; f < static_cast<std::size_t>(d.coarse_functions); ++f)
      if (!(d.place[f] == d.rest[f])) functions_.goal[f] += functions_.rotation[f] * (d.rest[f] - d.place[f]);
    for (std::size_t c = 0; c < frame_.size(); ++c) frame_[c] = patch_frame<float>(cells_.rotation[c]);
  }

  // What each cell's stiffness acts on, in its frame: R^T (p - g) under the rig reference, R^T (p - c) - r under the
  // elastic one, where x -> R x + c is how the skeleton moves the cell.
  void strain(std::span<const Vec3> position, std::span<Row<float>> strained) const {
    const LatticeDescription& d = body_->description;
    const bool rig = body_->reference == LatticeReference::rig;
    parallel_for(d.cells.cells(), cell_grain, [&](std::size_t c) {
      const Mat3& rotation = cells_.rotation[c];
      const Vec3 translation = cells_.goal[c] - rotation * d.cell_centre[c];
      for (auto e = static_cast<std::size_t>(stiffness_.start[c]); e < static_cast<std::size_t>(stiffness_.start[c + 1]); ++e) {
        const auto f = static_cast<std::size_t>(function_of_slot_[static_cast<std::size_t>(stiffness_.slot[e])]);
        Vec3 x;
        if (rig)
          x = transpose_times(rotation, position[f] - functions_.goal[f]);
        else if (f < static_cast<std::size_t>(d.coarse_functions))
          x = transpose_times(rotation, position[f] - translation) - d.rest[f];
        else
          x = transpose_times(rotation, position[f]);
        strained[e] = {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z), 0};
      }
    });
  }

  void start_from_last_displacement() {
    parallel_for(position_.size(), function_grain, [&](std::size_t f) {
      position_[f] = functions_.goal[f];
      if (body_->description.role[f] == FunctionRole::free) position_[f] += functions_.rotation[f] * state_.displacement[f];
    });
  }

  Vec3 newmark_predictor(std::size_t f) const {
    const GeneralizedAlpha& method = body_->method;
    const double h = method.step;
    return state_.position[f] + h * state_.velocity[f] + (h * h * (0.5 - method.beta)) * state_.acceleration[f];
  }

  // (1 - alpha_m) a_{n+1} + alpha_m a_n of a function with p_{n+1} = position; driven ones have their drive's.
  Vec3 inertial_acceleration(std::size_t f, const Vec3& position) const {
    const GeneralizedAlpha& method = body_->method;
    const double h = method.step;
    if (body_->description.role[f] == FunctionRole::driven)
      return (position - 2.0 * state_.position[f] + state_.previous_position[f]) / (h * h);
    const Vec3 acceleration = (position - newmark_predictor(f)) / (method.beta * h * h);
    return (1 - method.alpha_m) * acceleration + method.alpha_m * state_.acceleration[f];
  }

  // What is left of the balance of a step at position_:
  // alpha_f f_n + (1 - alpha_f) f(p) - M ((1 - alpha_m) a_{n+1} + alpha_m a_n), of the free functions.
  void assemble_residual() {
    const LatticeDescription& d = body_->description;
    const GeneralizedAlpha& method = body_->method;
    const double half_rate = 0.5 / method.step, mass_rate = method.force_factor() * d.mass_damping * half_rate;
    parallel_for(function_of_slot_.size(), function_grain, [&](std::size_t s) {
      const auto f = static_cast<std::size_t>(function_of_slot_[s]);
      Vec3 sum = method.alpha_f * state_.impetus[f] - inertial_acceleration(f, position_[f]);
      // a M du/dt with du/dt = (3 u_n - 4 u_n + u_{n-1}) / 2h, the displacement unchanged so far
      if (d.role[f] == FunctionRole::free)
        sum -= mass_rate * (functions_.rotation[f] * (state_.previous_displacement[f] - state_.displacement[f]));
      inertia_[s] = sum;
    });
    multiply(mass_, inertia_, product_);
    for (std::size_t u = 0; u < slot_of_unknown_.size(); ++u)
      for (std::size_t k = 0; k < 3; ++k) residual_[3 * u + k] = product_[static_cast<std::size_t>(slot_of_unknown_[u])][k];
    strain(position_, local_);
    const auto now = static_cast<float>(1 + 3 * half_rate * d.stiffness_damping), before = static_cast<float>(4 * half_rate * d.stiffness_damping),
               earlier = static_cast<float>(half_rate * d.stiffness_damping);
    parallel_for(local_.size(), 4 * function_grain, [&](std::size_t e) {
      const Row<float>&x = local_[e], &x1 = state_.strained[e], &x2 = state_.previous_strained[e];
      local_[e] = {now * x.x - before * x1.x + earlier * x2.x, now * x.y - before * x1.y + earlier * x2.y,
                   now * x.z - before * x1.z + earlier * x2.z, 0};
    });
    add_outside_forces(method.force_factor(), work_);
    for (std::size_t k = 0; k < residual_.size(); ++k) residual_[k] += work_[k];
    subtract_cell_forces(method.force_factor());
  }

  // Gravity less what the rest shape already holds.
  void add_outside_forces(double factor, std::span<double> to) const {
    const Vec3& gravity = body_->dynamics.gravity;
    for (std::size_t u = 0; u < body_->unknown_function.size(); ++u) {
      const auto f = static_cast<std::size_t>(body_->unknown_function[u]);
      Vec3 acceleration;
      if (body_->dynamics.gravity_in_rest == GravityInRest::bind) acceleration = gravity - functions_.rotation[f] * gravity;
      if (body_->dynamics.gravity_in_rest == GravityInRest::off) acceleration = gravity;
      for (std::size_t k = 0; k < 3; ++k) to[3 * u + k] = factor * body_->description.weight[f] * acceleration[k];
    }
  }

  // residual -= factor sum_c R_c S_c local_c
  void subtract_cell_forces(double factor) {
    parallel_chunks(stiffness_.cells(), cell_grain, [&](std::size_t begin, std::size_t end) {
      multiply_cells(stiffness_, frame_, true, local_, begin, end, force_);
    });
    for_each_unknown_sum(stiffness_, [&](std::size_t u, const Vec3& sum) {
      for (std::size_t k = 0; k < 3; ++k) residual_[3 * u + k] -= factor * sum[k];
    });
  }

  // Sums of force_ at each unknown, entries in ascending order.
  template <class Visit>
  void for_each_unknown_sum(const CellProducts& products, const Visit& visit) const {
    parallel_for(slot_of_unknown_.size(), function_grain, [&](std::size_t u) {
      const auto s = static_cast<std::size_t>(slot_of_unknown_[u]);
      Vec3 sum;
      for (auto k = static_cast<std::size_t>(products.slot_start[s]); k < static_cast<std::size_t>(products.slot_start[s + 1]); ++k) {
        const Row<float>& z = force_[static_cast<std::size_t>(products.slot_entry[k])];
        sum += Vec3{double(z.x), double(z.y), double(z.z)};
      }
      visit(u, sum);
    });
  }

  // to = sum_c R_c A_c R_c^T from over the unknowns.
  void apply(const CellProducts& products, std::span<const double> from, std::span<double> to) {
    for (std::size_t u = 0; u < slot_of_unknown_.size(); ++u)
      rows_[static_cast<std::size_t>(slot_of_unknown_[u])] = {static_cast<float>(from[3 * u]), static_cast<float>(from[3 * u + 1]),
                                                              static_cast<float>(from[3 * u + 2]), 0};
    parallel_chunks(products.cells(), cell_grain, [&](std::size_t begin, std::size_t end) {
      multiply_cells(products, frame_, false, rows_, begin, end, force_);
    });
    for_each_unknown_sum(products, [&](std::size_t u, const Vec3& sum) {
      for (std::size_t k = 0; k < 3; ++k) to[3 * u + k] = sum[k];
    });
  }

  // The factor at rest, in the functions' own frames.
  void solve_in_frames(const BlockCholesky& factor, std::span<const double> from, std::span<double> to) {
    const auto turn = [&](const auto& map, std::span<const double> a, std::span<double> b) {
      for (std::size_t u = 0; u < body_->unknown_function.size(); ++u) {
        const Mat3& rotation = functions_.rotation[static_cast<std::size_t>(body_->unknown_function[u])];
        const Vec3 v = map(rotation, Vec3{a[3 * u], a[3 * u + 1], a[3 * u + 2]});
        for (std::size_t k = 0; k < 3; ++k) b[3 * u + k] = v[k];
      }
    };
    turn([](const Mat3& r, const Vec3& v) { return transpose_times(r, v); }, from, work_);
    factor.solve(work_, work_);
    turn([](const Mat3& r, const Vec3& v) { return r * v; }, work_, to);
  }

  void solve_step(double time) {
    const double change = std::sqrt(dot(residual_, residual_));
    start_from_free_flight();
    const double left = std::sqrt(dot(residual_, residual_));
    KrylovOptions options;
    options.tolerance = left > 0 ? body_->dynamics.tolerance * change / left : 0;
    options.max_iterations = body_->dynamics.max_iterations;
    std::fill(solution_.begin(), solution_.end(), 0.0);
    const KrylovResult solved = conjugate_gradients_.solve(
        [this](std::span<const double> from, std::span<double> to) { apply(system_, from, to); },
        [this](std::span<const double> from, std::span<double> to) { solve_in_frames(body_->factor, from, to); }, residual_,
        solution_, options);
    statistics_.iterations = solved.iterations;
    statistics_.residual = change > 0 ? solved.relative_residual * left / change : 0;
    require_finite(time);
    add_solution(position_);
  }

  // From the last displacement along free flight to the least residual: one product for about two iterations.
  void start_from_free_flight() {
    const double h = body_->method.step;
    for (std::size_t u = 0; u < body_->unknown_function.size(); ++u) {
      const auto f = static_cast<std::size_t>(body_->unknown_function[u]);
      const Vec3 way = state_.position[f] + h * state_.velocity[f] + (0.5 * h * h) * state_.acceleration[f] - position_[f];
      for (std::size_t k = 0; k < 3; ++k) guess_[3 * u + k] = way[k];
    }
    apply(system_, guess_, work_);
    const double squared = dot(work_, work_);
    const double share = squared > 0 ? dot(work_, residual_) / squared : 0;
    add_scaled(-share, work_, residual_);
    for (std::size_t u = 0; u < body_->unknown_function.size(); ++u)
      position_[static_cast<std::size_t>(body_->unknown_function[u])] += share * Vec3{guess_[3 * u], guess_[3 * u + 1], guess_[3 * u + 2]};
  }

  void add_solution(std::span<Vec3> position) const {
    for (std::size_t u = 0; u < body_->unknown_function.size(); ++u)
      position[static_cast<std::size_t>(body_->unknown_function[u])] += Vec3{solution_[3 * u], solution_[3 * u + 1], solution_[3 * u + 2]};
  }

  void finish_step() {
    const GeneralizedAlpha& method = body_->method;
    const double h = method.step;
    parallel_for(position_.size(), function_grain, [&](std::size_t f) {
      const Vec3 inertial = inertial_acceleration(f, position_[f]);
      const Vec3 acceleration = (position_[f] - newmark_predictor(f)) / (method.beta * h * h);
      state_.impetus[f] = (inertial - method.alpha_f * state_.impetus[f]) / method.force_factor();
      if (body_->description.role[f] == FunctionRole::free) {
        state_.velocity[f] += h * ((1 - method.gamma) * state_.acceleration[f] + method.gamma * acceleration);
        state_.acceleration[f] = acceleration;
      } else {
        state_.velocity[f] = (position_[f] - state_.position[f]) / h;
        state_.acceleration[f] = inertial;
      }
      state_.previous_position[f] = state_.position[f];
      state_.position[f] = position_[f];
      state_.previous_displacement[f] = state_.displacement[f];
      state_.displacement[f] = transpose_times(functions_.rotation[f], position_[f] - functions_.goal[f]);
    });
    state_.previous_strained.swap(state_.strained);
    strain(position_, state_.strained);
  }

  // Where the surface is shown, relative to the rig's own.
  void show(const RigState& rig) {
    const LatticeDescription& d = body_->description;
    predict_frames(d.surface_rest, d.surface_influences, rig.bones, surface_frames_);
    const bool rig_reference = body_->reference == LatticeReference::rig;
    if (rig_reference)
      for (std::size_t f = 0; f < position_.size(); ++f) position_[f] -= functions_.goal[f];
    multiply(d.surface, position_, surface_);
    parallel_for(surface_.size(), function_grain, [&](std::size_t s) {
      const Vec3 shown = rig_reference ? surface_[s] : surface_[s] - surface_frames_.goal[s];
      surface_[s] = transpose_times(surface_frames_.rotation[s], shown);
    });
  }

  // 1/2 sum_c e_c^T S_c e_c
  double elastic_energy() const {
    std::vector<Row<float>> force(state_.strained.size());
    const std::vector<PatchFrame<float>> frame(stiffness_.cells(), patch_frame<float>(Mat3::identity()));
    multiply_cells(stiffness_, frame, true, state_.strained, 0, stiffness_.cells(), force);
    double sum = 0;
    for (std::size_t e = 0; e < force.size(); ++e) {
      const Row<float>&x = state_.strained[e], &z = force[e];
      sum += 0.5 * (double(x.x) * double(z.x) + double(x.y) * double(z.y) + double(x.z) * double(z.z));
    }
    return sum;
  }
  // 1/2 du/dt^T M du/dt, velocities relative to the goal in the functions' own frames.
  double kinetic_energy() const {
    std::vector<Vec3> velocity(function_of_slot_.size()), momentum(velocity.size());
    for (std::size_t s = 0; s < velocity.size(); ++s) {
      const auto f = static_cast<std::size_t>(function_of_slot_[s]);
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
        throw simulation_error("the simulation lost function " + std::to_string(body_->unknown_function[k / 3]) +
                               " of the lattice at " + std::to_string(time) +
                               " s; check the clip for jumps there, or use a smaller --step.");
  }

  std::shared_ptr<const LatticeBody> body_;
  std::vector<int> function_of_slot_, slot_of_unknown_;
  CellProducts system_, stiffness_;
  SparseRows mass_;  // slots x slots, kilograms
  LatticeState state_;
  VertexFrames functions_, cells_, surface_frames_;
  std::vector<PatchFrame<float>> frame_;
  std::vector<Row<float>> local_, force_;  // per entry
  std::vector<Row<float>> rows_;           // per slot; zero where driven
  std::vector<Vec3> position_;             // per function: p_{n+1} in the making
  std::vector<Vec3> inertia_, product_;    // per slot
  std::vector<double> residual_, solution_, guess_, work_;
  std::vector<Vec3> surface_;
  ConjugateGradients conjugate_gradients_;
  StepStatistics statistics_;
};

}  // namespace

std::unique_ptr<Deformer> lattice_flesh(std::shared_ptr<const LatticeBody> body) {
  return std::make_unique<LatticeFlesh>(std::move(body));
}

}  // namespace sinew
