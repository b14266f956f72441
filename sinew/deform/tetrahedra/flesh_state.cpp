#include "sinew/deform/tetrahedra/flesh_state.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/flesh/turning.h"

namespace sinew {
namespace {

constexpr std::size_t flesh_state_grain = 256;

Vec3 at(std::span<const double> values, std::size_t i) { return {values[3 * i], values[3 * i + 1], values[3 * i + 2]}; }
void put(std::span<double> values, std::size_t i, const Vec3& v) {
  values[3 * i] = v.x;
  values[3 * i + 1] = v.y;
  values[3 * i + 2] = v.z;
}

// p~ = p_n + h v_n + h^2 (1/2 - beta) a_n: where Newmark's rule goes without new acceleration.
Vec3 newmark_predictor(const GeneralizedAlpha& method, const FleshState& state, std::size_t f) {
  const double h = method.step;
  return state.position[f] + h * state.velocity[f] + (h * h * (0.5 - method.beta)) * state.acceleration[f];
}

// Sets the state of a free vertex such that it ends the step at the offset `away` from its goal, world, at rest
// relative to the rig.
void stop_at(const GeneralizedAlpha& method, const VertexFrames& frames, std::size_t vertex, std::size_t f,
             const Vec3& away, FleshState& state) {
  const Vec3 along =
      frames.goal[vertex] + frames.rotation[vertex] * at(state.displacement, f);  // as the rig would carry it
  const Vec3 carried = along - state.position[f];
  state.velocity[f] = carried / method.step;
  state.position[f] = frames.goal[vertex] + away - carried;
  state.acceleration[f] = {};
  state.force[f] = {};
}

// Carries a free vertex along with the rig while that turns too fast to be seen, and as it ends to do so.
void carry_by_turning(const GeneralizedAlpha& method, const VertexFrames& before, const VertexFrames& now,
                      std::size_t vertex, std::size_t f, FleshState& state) {
  const double turned = carried_by_turning(before.orientation[vertex], now.orientation[vertex], method.step);
  const double share = std::max(turned, state.carried[f]);
  state.carried[f] = turned;
  if (share == 0) return;
  const Vec3 along = now.goal[vertex] + now.rotation[vertex] * at(state.displacement, f);
  state.velocity[f] += share * ((along - state.position[f]) / method.step - state.velocity[f]);
  state.acceleration[f] *= 1 - share;
  state.force[f] *= 1 - share;
}

}  // namespace

FleshState flesh_state(std::size_t free_vertices) {
  FleshState state;
  state.position.resize(free_vertices);
  state.velocity.resize(free_vertices);
  state.acceleration.resize(free_vertices);
  state.force.resize(free_vertices);
  state.carried.assign(free_vertices, 0.0);
  state.rubbed.resize(free_vertices);
  state.stopped.assign(free_vertices, 0);
  state.displacement.assign(3 * free_vertices, 0.0);
  state.previous_displacement.assign(3 * free_vertices, 0.0);
  state.stiff.assign(3 * free_vertices, 0.0);
  state.previous_stiff.assign(3 * free_vertices, 0.0);
  return state;
}

Vec3 outside_force(const FleshBody& body, std::size_t f, const Mat3& rotation) {
  const double mass = body.mass[static_cast<std::size_t>(body.free_vertex[f])];
  const Vec3& gravity = body.dynamics.gravity;
  switch (body.dynamics.gravity_in_rest) {
    case GravityInRest::pose:
      return {};
    case GravityInRest::bind:
      return mass * (gravity - rotation * gravity);
    case GravityInRest::off:
      return mass * gravity;
  }
  return {};
}

void start_state(const FleshBody& body, const VertexFrames& now, const VertexFrames& next,
                 std::span<const double> displacement, FleshState& state) {
  const double h = body.method.step;
  parallel_for(body.free_vertex.size(), flesh_state_grain, [&](std::size_t f) {
    const auto v = static_cast<std::size_t>(body.free_vertex[f]);
    const Vec3 u = at(displacement, f);
    state.position[f] = now.goal[v] + now.rotation[v] * u;
    state.velocity[f] = (next.goal[v] + next.rotation[v] * u - state.position[f]) / h;
    // Outside forces and elasticity are in balance, but where nothing holds the body.
    const bool falls = body.dynamics.free_body;
    state.force[f] = falls ? outside_force(body, f, now.rotation[v]) : Vec3{};
    state.acceleration[f] = state.force[f] / body.mass[v];
    state.carried[f] = 0;
    state.rubbed[f] = {};
  });
  std::copy(displacement.begin(), displacement.end(), state.displacement.begin());
  state.previous_displacement = state.displacement;
  multiply(body.stiffness, state.displacement, state.stiff);
  state.previous_stiff = state.stiff;
}

void assemble_right_hand_side(const FleshBody& body, const VertexFrames& before, const VertexFrames& frames,
                              bool acted_on, FleshState& state, std::span<double> b) {
  const GeneralizedAlpha& method = body.method;
  const double mass_factor = method.mass_factor(), force_factor = method.force_factor();
  const double own_reach = body.dynamics.reach;
  parallel_for(body.free_vertex.size(), flesh_state_grain, [&](std::size_t f) {
    const auto v = static_cast<std::size_t>(body.free_vertex[f]);
    const Mat3& rotation = frames.rotation[v];
    const double mass = body.mass[v];
    carry_by_turning(method, before, frames, v, f, state);
    Vec3 world = (mass_factor * mass) * (newmark_predictor(method, state, f) - frames.goal[v]);
    world -= (method.alpha_m * mass) * state.acceleration[f];
    const double reach =
        acted_on ? std::max(reach_when_driven * own_reach, norm(at(state.displacement, f))) : own_reach;
    const double most = mass_factor * mass * reach, squared = squared_norm(world);
    state.stopped[f] = squared > most * most;
    if (state.stopped[f]) {
      world *= most / std::sqrt(squared);
      stop_at(method, frames, v, f, world / (mass_factor * mass), state);
    }
    world += method.alpha_f * state.force[f];
    world += force_factor * outside_force(body, f, rotation);
    put(b, f, transpose_times(rotation, world));
  });
}

void add_damping_of_history(const FleshBody& body, const FleshState& state, std::span<double> b) {
  const double force_factor = body.method.force_factor(), half_rate = 0.5 / body.method.step;
  if (!body.uniform_damping()) {
    std::vector<double> history(b.size()), damping(b.size());
    for (std::size_t k = 0; k < b.size(); ++k)
      history[k] = half_rate * (4 * state.displacement[k] - state.previous_displacement[k]);
    multiply(body.damping, history, damping);
    for (std::size_t k = 0; k < b.size(); ++k) b[k] += force_factor * damping[k];
    return;
  }
  const double mass_damping = body.description.mass_damping, stiffness_damping = body.description.stiffness_damping;
  parallel_for(body.free_vertex.size(), flesh_state_grain, [&](std::size_t f) {
    const double mass = mass_damping * body.mass[static_cast<std::size_t>(body.free_vertex[f])];
    for (std::size_t k = 3 * f; k < 3 * f + 3; ++k)
      b[k] += force_factor * half_rate *
              (mass * (4 * state.displacement[k] - state.previous_displacement[k]) +
               stiffness_damping * (4 * state.stiff[k] - state.previous_stiff[k]));
  });
}

void stiffness_product_from_solution(const FleshBody& body, std::span<const double> right_hand_side,
                                     std::span<const double> displacement, std::span<double> stiff) {
  const GeneralizedAlpha& method = body.method;
  const double mass_part =
      method.mass_factor() + method.force_factor() * method.velocity_factor() * body.description.mass_damping;
  const double stiffness_part =
      method.force_factor() * (1 + method.velocity_factor() * body.description.stiffness_damping);
  parallel_for(body.free_vertex.size(), flesh_state_grain, [&](std::size_t f) {
    const double mass = mass_part * body.mass[static_cast<std::size_t>(body.free_vertex[f])];
    for (std::size_t k = 3 * f; k < 3 * f + 3; ++k)
      stiff[k] = (right_hand_side[k] - mass * displacement[k]) / stiffness_part;
  });
}

void finish_step(const FleshBody& body, const VertexFrames& frames, std::span<const double> displacement,
                 std::span<const double> residual, std::span<const double> stiff, FleshState& state) {
  const GeneralizedAlpha& method = body.method;
  const double h = method.step, inverse = 1 / (method.beta * h * h);
  parallel_for(body.free_vertex.size(), flesh_state_grain, [&](std::size_t f) {
    const auto v = static_cast<std::size_t>(body.free_vertex[f]);
    const Vec3 predicted = newmark_predictor(method, state, f);
    const Vec3 position = frames.goal[v] + frames.rotation[v] * at(displacement, f);
    if (state.stopped[f]) {
      state.position[f] = position;
      return;
    }
    const Vec3 acceleration = (position - predicted) * inverse;
    Vec3 inertia = body.mass[v] * ((1 - method.alpha_m) * acceleration + method.alpha_m * state.acceleration[f]);
    if (!residual.empty()) inertia += frames.rotation[v] * at(residual, f);
    state.velocity[f] += h * ((1 - method.gamma) * state.acceleration[f] + method.gamma * acceleration);
    state.force[f] = (inertia - method.alpha_f * state.force[f]) / method.force_factor();
    state.position[f] = position;
    state.acceleration[f] = acceleration;
  });
  state.previous_displacement.swap(state.displacement);
  std::copy(displacement.begin(), displacement.end(), state.displacement.begin());
  if (stiff.empty()) return;
  state.previous_stiff.swap(state.stiff);
  std::copy(stiff.begin(), stiff.end(), state.stiff.begin());
}

void carry_state(const FleshBody& body, const CutFrames& cut, FleshState& state) {
  parallel_for(body.free_vertex.size(), flesh_state_grain, [&](std::size_t f) {
    const auto v = static_cast<std::size_t>(body.free_vertex[f]);
    const Vec3 u = at(state.displacement, f);
    const Mat3 turn = cut.turn(v);
    state.position[f] = cut.position(v, u);
    state.velocity[f] = cut.velocity_across(v, u, state.velocity[f]);
    state.acceleration[f] = turn * state.acceleration[f];
    state.force[f] = turn * state.force[f];
    state.rubbed[f] = {};
  });
}

void save_state(const FleshState& state, Snapshot& snapshot) {
  snapshot.numbers.clear();
  for (const std::vector<Vec3>* vectors :
       {&state.position, &state.velocity, &state.acceleration, &state.force, &state.rubbed})
    for (const Vec3& v : *vectors) snapshot.numbers.insert(snapshot.numbers.end(), {v.x, v.y, v.z});
  for (const std::vector<double>* numbers :
       {&state.displacement, &state.previous_displacement, &state.stiff, &state.previous_stiff, &state.carried})
    snapshot.numbers.insert(snapshot.numbers.end(), numbers->begin(), numbers->end());
}

void load_state(const Snapshot& snapshot, FleshState& state) {
  if (snapshot.numbers.size() != 9 * state.displacement.size() + state.carried.size())
    throw input_error("the checkpoint holds another body's state; start the run again without --resume.");
  auto next = snapshot.numbers.begin();
  for (std::vector<Vec3>* vectors :
       {&state.position, &state.velocity, &state.acceleration, &state.force, &state.rubbed})
    for (Vec3& v : *vectors) {
      v = {next[0], next[1], next[2]};
      next += 3;
    }
  for (std::vector<double>* numbers :
       {&state.displacement, &state.previous_displacement, &state.stiff, &state.previous_stiff, &state.carried}) {
    std::copy_n(next, numbers->size(), numbers->begin());
    next += static_cast<std::ptrdiff_t>(numbers->size());
  }
  for (const double share : state.carried)
    if (!(share >= 0 && share <= 1))
      throw input_error(
          "the checkpoint says that flesh is carried by more than all; start the run again without --resume.");
}

}  // namespace sinew
