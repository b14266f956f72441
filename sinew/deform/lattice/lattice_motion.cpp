#include "sinew/deform/lattice/lattice_motion.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/flesh/turning.h"
#include "sinew/deform/lattice/solver/adaptation.h"
#include "sinew/deform/lattice/solver/lattice_equations.h"

namespace sinew {
namespace {

constexpr std::size_t lattice_motion_grain = 256;

bool is_unknown(const ActiveFunctions& active, std::size_t f) { return active.unknown[f] >= 0; }

Vec3 newmark_predictor(const LatticeBody& body, const LatticeState& state, std::size_t f) {
  const double h = body.method.step;
  return state.position[f] + h * state.velocity[f] + (h * h * body.predictor_share()) * state.acceleration[f];
}

// a_{n+1}
Vec3 newmark_acceleration(const LatticeBody& body, const LatticeState& state, std::size_t f, const Vec3& position) {
  const double h = body.method.step;
  return (position - newmark_predictor(body, state, f)) / (body.method.beta * h * h);
}

// Acceleration of the path of a function that is not solved for, as the step begins: (p_{n+1} - 2 p_n + p_{n-1}) / h^2.
// Where the skeleton jumps it is limited to what moves flesh by its reach.
Vec3 path_acceleration(const LatticeBody& body, const LatticeState& state, std::size_t f, const Vec3& position) {
  const double h = body.method.step, reach = body.dynamics.reach;
  const Vec3 change = position - 2.0 * state.position[f] + state.previous_position[f];
  const double squared = squared_norm(change);
  return (squared > reach * reach ? change * (reach / std::sqrt(squared)) : change) / (h * h);
}

// Acceleration of that path as the step ends, on a line through the last two, which keeps second order. Implicit
// Euler's own acceleration of unknowns is the plain difference.
Vec3 path_acceleration_at_end(const LatticeBody& body, const LatticeState& state, std::size_t f, const Vec3& now) {
  return body.run.integrator == LatticeIntegrator::implicit_euler ? now : 2.0 * now - state.acceleration[f];
}

}  // namespace

void carry_along(const LatticeBody& body, const LatticeMoment& moment, std::span<Vec3> position) {
  const VertexFrames& frames = moment.pose.functions;
  parallel_for(position.size(), lattice_motion_grain, [&](std::size_t f) {
    position[f] = frames.goal[f];
    if (moment.active.slot[f] < 0 || body.description.role[f] == FunctionRole::driven) return;
    position[f] +=
        frames.rotation[f] * (is_unknown(moment.active, f) ? moment.state.displacement[f]
                                                           : faded_displacement(moment.state, f, body.method.step));
  });
}

void carry_by_turning(const LatticeBody& body, const ActiveFunctions& active, const VertexFrames& before,
                      const VertexFrames& now, LatticeState& state) {
  const double h = body.method.step;
  parallel_for(state.position.size(), lattice_motion_grain, [&](std::size_t f) {
    const double turned = is_unknown(active, f) ? carried_by_turning(before.orientation[f], now.orientation[f], h) : 0;
    const double share = std::max(turned, state.carried[f]);
    state.carried[f] = turned;
    if (share == 0 || !is_unknown(active, f)) return;
    const Vec3 along = now.goal[f] + now.rotation[f] * state.displacement[f];
    state.velocity[f] += share * ((along - state.position[f]) / h - state.velocity[f]);
    state.acceleration[f] *= 1 - share;
    state.impetus[f] *= 1 - share;
  });
}

void keep_within_reach(const LatticeBody& body, const ActiveFunctions& active, const LatticePose& pose, bool acted_on,
                       LatticeState& state) {
  const GeneralizedAlpha& method = body.method;
  const double h = method.step, inertia_left = method.alpha_m / method.mass_factor();
  parallel_for(active.unknowns(), lattice_motion_grain, [&](std::size_t u) {
    const auto f = static_cast<std::size_t>(active.unknown_function[u]);
    const Vec3 &goal = pose.functions.goal[f], &displacement = state.displacement[f];
    const Vec3 away = newmark_predictor(body, state, f) - inertia_left * state.acceleration[f] - goal;
    const double reach =
        acted_on ? std::max(reach_when_driven * body.dynamics.reach, norm(displacement)) : body.dynamics.reach;
    const double squared = squared_norm(away);
    state.stopped[f] = squared > reach * reach;
    if (!state.stopped[f]) return;
    // The function's motion over the step along with the rig.
    const Vec3 carried = goal + pose.functions.rotation[f] * displacement - state.position[f];
    state.velocity[f] = carried / h;
    state.position[f] = goal + away * (reach / std::sqrt(squared)) - carried;
    state.acceleration[f] = state.impetus[f] = {};
  });
}

Vec3 free_flight(const LatticeBody& body, const LatticeState& state, std::size_t f) {
  const double h = body.method.step;
  return state.position[f] + h * state.velocity[f] + (0.5 * h * h) * state.acceleration[f];
}

Vec3 inertial_acceleration(const LatticeBody& body, const LatticeMoment& moment, std::size_t f, const Vec3& position) {
  const GeneralizedAlpha& method = body.method;
  const LatticeState& state = moment.state;
  if (!is_unknown(moment.active, f)) {
    const Vec3 end = path_acceleration_at_end(body, state, f, path_acceleration(body, state, f, position));
    return method.force_factor() * end + method.alpha_f * state.impetus[f];
  }
  return (1 - method.alpha_m) * newmark_acceleration(body, state, f, position) + method.alpha_m * state.acceleration[f];
}

Vec3 relative_rate(const LatticeBody& body, const LatticeMoment& moment, std::size_t f, const Vec3& position) {
  const VertexFrames& frames = moment.pose.functions;
  const LatticeState& state = moment.state;
  const double half_rate = 0.5 / body.method.step;
  return half_rate * (3.0 * (position - frames.goal[f]) -
                      frames.rotation[f] * (4.0 * state.displacement[f] - state.previous_displacement[f]));
}

void finish_step(const LatticeBody& body, const ActiveFunctions& active, const LatticePose& pose,
                 std::span<const Vec3> position, LatticeState& state) {
  const GeneralizedAlpha& method = body.method;
  const double h = method.step;
  const LatticeMoment moment{active, pose, state};
  parallel_for(active.slots(), lattice_motion_grain, [&](std::size_t s) {
    const auto f = static_cast<std::size_t>(active.function[s]);
    if (is_unknown(active, f) && state.stopped[f]) {
      // At rest relative to the rig, whose velocity it has.
    } else if (is_unknown(active, f)) {
      // From the balance itself: (1 - alpha_f) M y_{n+1} + alpha_f M y_n = M inertial.
      const Vec3 inertial = inertial_acceleration(body, moment, f, position[f]);
      state.impetus[f] = (inertial - method.alpha_f * state.impetus[f]) / method.force_factor();
      const Vec3 acceleration = newmark_acceleration(body, state, f, position[f]);
      state.velocity[f] += h * ((1 - method.gamma) * state.acceleration[f] + method.gamma * acceleration);
      state.acceleration[f] = acceleration;
    } else {
      const Vec3 acceleration = path_acceleration(body, state, f, position[f]);
      state.impetus[f] = path_acceleration_at_end(body, state, f, acceleration);
      state.velocity[f] = (position[f] - state.position[f]) / h;
      state.acceleration[f] = acceleration;
    }
    state.previous_position[f] = state.position[f];
    state.position[f] = position[f];
    state.previous_displacement[f] = state.displacement[f];
    state.displacement[f] = transpose_times(pose.functions.rotation[f], position[f] - pose.functions.goal[f]);
  });
}

void rest_displacements(const LatticePose& pose, std::span<const Vec3> position, LatticeState& state) {
  for (std::size_t f = 0; f < position.size(); ++f)
    state.displacement[f] = state.previous_displacement[f] =
        transpose_times(pose.functions.rotation[f], position[f] - pose.functions.goal[f]);
}

void start_at_rest(const LatticeBody& body, const LatticePose& next, std::span<const Vec3> position,
                   LatticeState& state) {
  const double h = body.method.step;
  for (std::size_t f = 0; f < position.size(); ++f) {
    const Vec3 next_position = next.functions.goal[f] + next.functions.rotation[f] * state.displacement[f];
    state.velocity[f] = (next_position - position[f]) / h;
    // Forces are in balance, but where nothing holds the body. Coefficients of detail do not change as it falls.
    const bool falls = body.description.free_body && f < static_cast<std::size_t>(body.description.coarse_functions);
    state.acceleration[f] = state.impetus[f] = falls ? outside_acceleration(body, Mat3::identity()) : Vec3{};
    state.carried[f] = 0;
    state.position[f] = position[f];
    state.previous_position[f] = position[f] - h * state.velocity[f];
  }
  state.steps = 0;
}

void carry_state(const LatticeBody& body, const ActiveFunctions& active, const CutFrames& cut, LatticeState& state) {
  parallel_for(state.position.size(), lattice_motion_grain, [&](std::size_t f) {
    const Vec3& u = state.displacement[f];
    const bool solved = is_unknown(active, f);
    const Mat3 turn = solved ? cut.turn(f) : Mat3::diagonal({});
    state.position[f] = cut.position(f, u);
    state.velocity[f] = solved ? cut.velocity_across(f, u, state.velocity[f]) : cut.carried_velocity(f, u);
    state.acceleration[f] = turn * state.acceleration[f];
    state.impetus[f] = turn * state.impetus[f];
    state.previous_position[f] = state.position[f] - body.method.step * cut.carried_velocity(f, u);
  });
}

}  // namespace sinew
