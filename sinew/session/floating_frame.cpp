#include "sinew/session/floating_frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "sinew/deform/snapshot_numbers.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"
#include "sinew/session/pose_changes.h"

namespace sinew {
namespace {

// The motion from `earlier` to `now`, gone on by `share` of it.
RigidPlacement gone_on(const RigidPlacement& earlier, const RigidPlacement& now, double share) {
  const Vec3 turn = rotation_logarithm(now.rotation * conjugate(earlier.rotation));
  return {normalized(rotation_exponential(share * turn) * now.rotation),
          now.position + share * (now.position - earlier.position)};
}

void check_placement(const RigidPlacement& placement, double reach) {
  check_within(std::span(&placement.position, 1), reach, "where its free body is");
  if (!(std::abs(dot(placement.rotation, placement.rotation) - 1) < 1e-6))
    throw forged_state("how its free body is turned");
}

}  // namespace

std::vector<double> FloatingFrame::numbers_of(const State& state) {
  std::vector<double> numbers{state.step};
  for (const RigidPlacement* each : {&state.now, &state.before, &state.fitted, &state.earlier}) {
    const Quat& q = each->rotation;
    numbers.insert(numbers.end(), {q.x, q.y, q.z, q.w});
    append_vectors(numbers, std::span(&each->position, 1));
  }
  return numbers;
}

FloatingFrame::State FloatingFrame::state_of(std::span<const double> numbers) {
  SnapshotNumbers from(numbers);
  State state;
  state.step = from.number();
  for (RigidPlacement* each : {&state.now, &state.before, &state.fitted, &state.earlier}) {
    for (double* number : {&each->rotation.x, &each->rotation.y, &each->rotation.z, &each->rotation.w})
      *number = from.number();
    each->position = from.vectors(1)[0];
  }
  from.finish();
  return state;
}

FloatingFrame::FloatingFrame(std::size_t vertices, const Vec3& middle, const Toss& toss, double step)
    : middle_(middle) {
  whole_.vertices.resize(vertices);
  std::iota(whole_.vertices.begin(), whole_.vertices.end(), 0);
  whole_.weight.assign(vertices, 1 / static_cast<double>(vertices));
  state_.now = state_.fitted = {{}, middle_};
  state_.before =
      state_.earlier = {rotation_exponential(-2 * std::numbers::pi * step * toss.spin), middle_ - step * toss.velocity};
  state_.step = step;
}

RigidPlacement FloatingFrame::placement(double seconds) const {
  const double share = seconds / state_.step;
  if (share > 0) return gone_on(state_.earlier, state_.fitted, share);
  const double back = std::min(1.0, -share);
  if (back == 0) return state_.now;
  return {slerp(state_.now.rotation, state_.before.rotation, back),
          state_.now.position + back * (state_.before.position - state_.now.position)};
}

Affine FloatingFrame::at(double seconds) const {
  const RigidPlacement placed = placement(seconds);
  const Mat3 rotation = to_matrix(placed.rotation);
  return {rotation, placed.position - rotation * middle_};
}

void FloatingFrame::step_to(double seconds, std::span<const Vec3> goal, std::span<const Vec3> displacement) {
  const RigidPlacement placed = placement(seconds);
  const Affine moved = rigid_fit(whole_, goal, displacement).map();
  state_.before = state_.now;
  state_.now = placed;
  state_.earlier = state_.fitted;
  state_.fitted = {normalized(to_quaternion(moved.linear) * placed.rotation), moved * placed.position};
  state_.step = seconds;
}

void FloatingFrame::load(const State& state, double reach) {
  for (const RigidPlacement* each : {&state.now, &state.before, &state.fitted, &state.earlier})
    check_placement(*each, reach);
  if (!(state.step > 0 && state.step < 1)) throw forged_state("its time step");
  state_ = state;
}

}  // namespace sinew
