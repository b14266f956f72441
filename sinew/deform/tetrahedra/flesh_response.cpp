#include "sinew/deform/tetrahedra/flesh_response.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/scratch.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/deform/tetrahedra/flesh_in_contact.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/linalg/dense_matrix.h"
#include "sinew/linalg/vector_operations.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

constexpr std::size_t response_grain = 2048;
// Largest number of corrections of held points, and the error at which they stop, as a fraction of the body's extent.
constexpr int max_held_rounds = 30;
constexpr double held_exactly = 1e-12;
// Distance from a collider, as a fraction of the body's extent, within which columns of the compliance are prepared,
// and the number of vertices per step.
constexpr double near_colliders = 0.1;
constexpr std::size_t prepared_in_a_step = 5;

template <class Values>
void sort_unique(Values& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// to_u = R_u from_u, or its inverse, over the free vertices.
void turn(const FleshBody& body, const VertexFrames& frames, bool to_world, std::span<const double> from,
          std::span<double> to) {
  parallel_for(body.free_vertex.size(), response_grain, [&](std::size_t f) {
    const Mat3& rotation = frames.rotation[static_cast<std::size_t>(body.free_vertex[f])];
    const Vec3 v{from[3 * f], from[3 * f + 1], from[3 * f + 2]};
    const Vec3 turned = to_world ? rotation * v : transpose_times(rotation, v);
    for (std::size_t k = 0; k < 3; ++k) to[3 * f + k] = turned[k];
  });
}

}  // namespace

FleshResponse::FleshResponse(const FleshBody& body)
    : body_(body),
      factor_(step_factor(body, 0)),
      surface_(surface_rows(body.description)),
      held_(surface_),
      contact_(surface_, contact_lengths(largest_extent(body.description.mesh.positions))),
      held_compliance_(body) {
  if (body.description.creases) creases_.emplace(body.description.creases);
  for (std::vector<double>* work : {&right_hand_side_, &local_, &change_}) work->resize(3 * body_.free_vertex.size());
}

void FleshResponse::set(const Environment& environment, const StepFactor& factor) {
  check_environment(environment, surface_.rows());
  environment_ = environment;
  factor_ = factor;
  const FleshDescription& d = body_.description;
  held_.hold(
      environment.held, unknowns(),
      [this] {
        std::vector<double> mass;
        for (int v : body_.free_vertex) mass.push_back(body_.mass[static_cast<std::size_t>(v)]);
        return mass;
      },
      false);
  loaded_.clear();
  if (environment.gravity) {
    loaded_.resize(d.mesh.positions.size());
    add_weight(body_.mass, *environment.gravity - body_.dynamics.gravity, loaded_);
  }
  if (!environment.loads.empty()) {
    if (points_.size() == 0) points_ = surface_points(d.mesh, d.embedding.points);
    loaded_.resize(d.mesh.positions.size());
    for (const Load& load : environment.loads) add_load(points_, d.mesh.positions, load, loaded_);
  }
  if (held_.empty()) constraint_errors_.clear();
}

void FleshResponse::add_loads(const VertexFrames& frames, double factor, std::span<double> local) const {
  if (loaded_.empty()) return;
  for (std::size_t f = 0; f < body_.free_vertex.size(); ++f) {
    const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
    const Vec3 own = factor * transpose_times(frames.rotation[v], loaded_[v]);
    for (std::size_t k = 0; k < 3; ++k) local[3 * f + k] += own[k];
  }
}

void FleshResponse::begin_step(const FleshMoment& moment) {
  if (!creases_ && !acts()) return;
  find_offsets(moment);
  if (!creases_) return;
  ScratchVector<Vec3> goal(surface_.rows());
  multiply(surface_, moment.frames.goal, goal);
  for (std::size_t s = 0; s < goal.size(); ++s) goal[s] += offset_[s];
  creases_->begin(moment.bones_before, moment.bones, goal);
}

Obstacles FleshResponse::obstacles() const {
  Obstacles obstacles = environment_.obstacles();
  if (creases_) obstacles.skin = &*creases_;
  return obstacles;
}

int FleshResponse::meet(const FleshMoment& moment, const LinearOperator& solve, double tolerance,
                        std::span<double> displacement) {
  if (!acts()) return 0;
  std::fill(right_hand_side_.begin(), right_hand_side_.end(), 0.0);
  take_positions(moment, displacement);
  if (!held_.empty()) {
    held_compliance_.begin_step(held_.rows(), moment.frames, factor_);
    hold_points(moment, solve, displacement);
  }
  return push_out(moment, solve, tolerance, !held_.empty(), displacement);
}

int FleshResponse::meet_obstacles(const FleshMoment& moment, const LinearOperator& solve, double tolerance,
                                  std::span<double> displacement) {
  std::fill(right_hand_side_.begin(), right_hand_side_.end(), 0.0);
  take_positions(moment, displacement);
  return push_out(moment, solve, tolerance, false, displacement);
}

// `holds`: whether held points are to be returned to their targets after each response to contacts.
int FleshResponse::push_out(const FleshMoment& moment, const LinearOperator& solve, double tolerance, bool holds,
                            std::span<double> displacement) {
  int pushed = 0;
  if (touches()) {
    InContact body(*this, moment, solve, holds, displacement);
    pushed = contact_.hold({obstacles(), unknowns(), held_, body_.method.step, tolerance, environment_.balls,
                            1 / body_.method.mass_factor()},
                           body);
    prepare_contacts();
  }
  held_.constraint_errors(position_, offset_, constraint_errors_);
  return pushed;
}

void FleshResponse::begin_iterations(const FleshMoment& moment, const LinearOperator& solve,
                                     std::span<double> displacement) {
  take_positions(moment, displacement);
  if (!held_.empty()) {
    held_compliance_.begin_step(held_.rows(), moment.frames, factor_);
    hold_points(moment, solve, displacement);
  }
  std::fill(right_hand_side_.begin(), right_hand_side_.end(), 0.0);
  held_force_.assign(held_.empty() || held_.rows().rows() == 0 ? 0 : displacement.size(), 0.0);
}

// Adds -R^T Q S^-1 Q^T R C r to the residual r.
void FleshResponse::take_off_held(const FleshMoment& moment, const LinearOperator& solve, std::span<double> residual) {
  if (held_force_.empty()) return;
  ScratchVector<double> world(residual.size());
  solve(residual, change_);
  find_holding_force(moment, change_, world);
  turn(body_, moment.frames, false, world, local_);
  add_scaled(1, local_, held_force_);
  add_scaled(1, local_, residual);
}

// C - C Q S^-1 Q^T C.
void FleshResponse::apply_held(const FleshMoment& moment, const LinearOperator& solve, std::span<const double> from,
                               std::span<double> to) {
  solve(from, to);
  if (held_force_.empty()) return;
  ScratchVector<double> world(to.size()), local(to.size());  // respond() uses those of this object
  find_holding_force(moment, to, world);
  turn(body_, moment.frames, false, world, local);
  solve(local, world);
  add_scaled(1, world, to);
}

void FleshResponse::end_iterations(const FleshMoment& moment, const LinearOperator& solve,
                                   std::span<const double> balance, std::span<double> displacement) {
  if (held_.empty()) return;
  if (!held_force_.empty()) {
    ScratchVector<double> left(balance.size());
    std::copy(balance.begin(), balance.end(), left.begin());
    take_off_held(moment, solve, left);
    add_scaled(1, held_force_, right_hand_side_);
  }
  take_positions(moment, displacement);
  hold_points(moment, solve, displacement);  // what rounding left
  held_.constraint_errors(position_, offset_, constraint_errors_);
}

// -Q S^-1 Q^T R u: the forces that return held points whose vertices are displaced by `displacement`.
void FleshResponse::find_holding_force(const FleshMoment& moment, std::span<const double> displacement,
                                       std::span<double> world) {
  const SparseRows& rows = held_.rows();
  const std::size_t rank = rows.rows(), count = held_compliance_.vertices().size();
  ScratchVector<double> along(3 * rank, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto f = static_cast<std::size_t>(held_compliance_.vertices()[i]);
    const double* u = &displacement[3 * f];
    const Vec3 moved = moment.frames.rotation[static_cast<std::size_t>(body_.free_vertex[f])] * Vec3{u[0], u[1], u[2]};
    for (std::size_t q = 0; q < rank; ++q)
      for (std::size_t k = 0; k < 3; ++k) along[3 * q + k] -= rows.value[q * count + i] * moved[k];
  }
  find_held_forces(along, world);
}

// Solves S for `along` the rows, in place, and sets `world` to those forces on the vertices.
void FleshResponse::find_held_forces(std::span<double> along, std::span<double> world) const {
  const SparseRows& rows = held_.rows();
  const std::size_t rank = rows.rows(), count = held_compliance_.vertices().size();
  held_compliance_.schur().solve(along, along);
  std::fill(world.begin(), world.end(), 0.0);
  for (std::size_t q = 0; q < rank; ++q)
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < 3; ++k)
        world[3 * static_cast<std::size_t>(held_compliance_.vertices()[i]) + k] +=
            rows.value[q * count + i] * along[3 * q + k];
}

// Prepares for skin that is about to touch a collider, so that the step in which much of it does takes no longer than
// others.
void FleshResponse::prepare_contacts() {
  if (environment_.colliders.empty()) return;
  const double near = near_colliders * largest_extent(body_.description.mesh.positions);
  ScratchVector<Vec3> place(surface_.rows());
  multiply(surface_, position_, place);
  ScratchVector<char> close(place.size(), 0);
  parallel_for(place.size(), response_grain, [&](std::size_t s) {
    for (std::size_t c = 0; c < environment_.colliders.size() && !close[s]; ++c)
      close[s] = gap_to(environment_.colliders, c, place[s] + offset_[s]).distance < near;
  });
  ScratchVector<int> vertices;
  for (std::size_t s = 0; s < close.size(); ++s) {
    if (!close[s]) continue;
    for (auto e = static_cast<std::size_t>(surface_.start[s]); e < static_cast<std::size_t>(surface_.start[s + 1]); ++e)
      if (const int f = body_.free_index[static_cast<std::size_t>(surface_.column[e])]; f >= 0) vertices.push_back(f);
  }
  sort_unique(vertices);
  factor_.compliance->prepare(vertices, prepared_in_a_step, *factor_.factor);
}

void FleshResponse::find_offsets(const FleshMoment& moment) {
  const FleshDescription& d = body_.description;
  offset_.assign(surface_.rows(), {});
  if (d.surface_rest.empty()) return;  // the body's own points are the surface
  ScratchVector<Vec3> goal(offset_.size());
  pose_points(skin_of(d.surface_rest, d.surface_influences, d.skinning), moment.bones, goal);
  multiply(surface_, moment.frames.goal, offset_);
  for (std::size_t s = 0; s < offset_.size(); ++s) offset_[s] = goal[s] - offset_[s];
}

void FleshResponse::take_positions(const FleshMoment& moment, std::span<const double> displacement) {
  position_.resize(body_.mass.size());
  parallel_for(position_.size(), response_grain, [&](std::size_t v) {
    position_[v] = moment.frames.goal[v];
    const int f = body_.free_index[v];
    if (f < 0) return;
    const double* u = &displacement[3 * static_cast<std::size_t>(f)];
    position_[v] += moment.frames.rotation[v] * Vec3{u[0], u[1], u[2]};
  });
}

void FleshResponse::respond(const FleshMoment& moment, const LinearOperator& solve, std::span<const double> world,
                            std::span<double> displacement) {
  turn(body_, moment.frames, false, world, local_);
  solve(local_, change_);
  for (std::size_t k = 0; k < change_.size(); ++k) {
    displacement[k] += change_[k];
    right_hand_side_[k] += local_[k];
  }
  take_positions(moment, displacement);
}

void FleshResponse::hold_points(const FleshMoment& moment, const LinearOperator& solve,
                                std::span<double> displacement) {
  const SparseRows& rows = held_.rows();
  const std::size_t rank = rows.rows(), count = held_compliance_.vertices().size(),
                    unknown = 3 * body_.free_vertex.size();
  ScratchVector<double> wanted(unknown), force(unknown), along(3 * rank);
  if (rank == 0) return;  // the skeleton has all of them
  const double exact = held_exactly * largest_extent(body_.description.mesh.positions);
  for (int round = 0; round < max_held_rounds; ++round) {
    std::fill(wanted.begin(), wanted.end(), 0.0);
    held_.meet(held_.missing(position_, offset_), wanted);
    double largest = 0;
    for (std::size_t q = 0; q < rank; ++q)
      for (std::size_t k = 0; k < 3; ++k) {
        double sum = 0;
        for (std::size_t i = 0; i < count; ++i)
          sum += rows.value[q * count + i] * wanted[3 * static_cast<std::size_t>(held_compliance_.vertices()[i]) + k];
        along[3 * q + k] = sum;
        largest = std::max(largest, std::abs(sum));
      }
    if (largest <= exact) break;
    find_held_forces(along, force);
    respond(moment, solve, force, displacement);
  }
}

void FleshResponse::push_before_step(const VertexFrames& frames, FleshState& state) const {
  if (!acts()) return;
  for (std::size_t f = 0; f < state.velocity.size(); ++f) {
    const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
    const Vec3 local{right_hand_side_[3 * f], right_hand_side_[3 * f + 1], right_hand_side_[3 * f + 2]};
    state.velocity[f] += (impulse_per_force() / body_.mass[v]) * (frames.rotation[v] * local);
  }
}

void FleshResponse::rub_before_step(FleshState& state) {
  if (!rubs()) return;
  for (std::size_t f = 0; f < state.velocity.size(); ++f) state.velocity[f] += 0.5 * state.rubbed[f];
}

void FleshResponse::settle_after_step(const FleshMoment& moment, FleshState& state) {
  if (rubs())
    for (std::size_t f = 0; f < state.velocity.size(); ++f) state.velocity[f] -= 0.5 * state.rubbed[f];
  std::fill(state.rubbed.begin(), state.rubbed.end(), Vec3{});
  if (held_.empty() && !(touches() && contact_.pushes())) return;
  const double h = body_.method.step;
  ScratchVector<Vec3> velocity(body_.mass.size());
  for (std::size_t v = 0; v < velocity.size(); ++v) {
    const int f = body_.free_index[v];
    velocity[v] =
        f >= 0 ? state.velocity[static_cast<std::size_t>(f)] : (moment.frames.goal[v] - moment.before.goal[v]) / h;
  }
  const auto scaled = [this](bool by_mass) -> LinearOperator {
    return [this, by_mass](std::span<const double> from, std::span<double> to) {
      for (std::size_t f = 0; f < body_.free_vertex.size(); ++f) {
        const double mass = body_.mass[static_cast<std::size_t>(body_.free_vertex[f])];
        for (std::size_t k = 3 * f; k < 3 * f + 3; ++k) to[k] = by_mass ? from[k] * mass : from[k] / mass;
      }
    };
  };
  if (!held_.empty()) {
    held_.meet_velocities(scaled(true), scaled(false), velocity, change_);
    add_unknowns(unknowns(), 1, change_, velocity);
  }
  if (touches()) {
    ScratchVector<Vec3> change(rubs() ? velocity.size() : 0);
    const Obstacles met = obstacles();
    contact_.settle(held_.inverse_mass(scaled(false)), impulse_per_force(), unknowns(), velocity,
                    {environment_.friction, &met, h, change});
    for (std::size_t f = 0; f < state.rubbed.size() && rubs(); ++f)
      state.rubbed[f] = change[static_cast<std::size_t>(body_.free_vertex[f])];
  }
  for (std::size_t f = 0; f < state.velocity.size(); ++f)
    state.velocity[f] = velocity[static_cast<std::size_t>(body_.free_vertex[f])];
}

}  // namespace sinew
