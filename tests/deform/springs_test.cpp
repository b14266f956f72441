// Springs on joints: the recurrence that they are, worked out by hand, and what must not change them.
#include "sinew/deform/springs/spring_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

// Two bones along y, both of which swing.
SpringChain rope() {
  SpringChain chain;
  chain.parent = {-1, 0};
  chain.springs = {{0, {0, 0, 0}, {0, 0.5, 0}}, {1, {0, 0.5, 0}, {0, 0.8, 0}}};
  return chain;
}

Affine rotated(const Vec3& axis, double angle, const Vec3& translation = {}) {
  const Vec3 a = normalized(axis) * std::sin(angle / 2);
  return {to_matrix(Quat{a.x, a.y, a.z, std::cos(angle / 2)}), translation};
}

std::vector<Affine> shaken(int step, double size = 1) {
  const double t = step * spring_step;
  const Affine whole = rotated({0.2, 0.1, 1}, 0.5 * std::sin(9 * t),
                               size * Vec3{0.2 * std::sin(11 * t), 0.1 * std::cos(7 * t), 0.05 * t});
  return {whole, whole};
}

SpringState run(const SpringChain& chain, const SpringForces& forces, int steps, double size = 1) {
  SpringState state = springs_at_rest(chain, shaken(0, size), shaken(1, size));
  for (int k = 1; k <= steps; ++k) step_springs(chain, forces, size, shaken(k, size), {}, {}, state);
  return state;
}

TEST(Springs, StandWhereTheRigStands) {
  const SpringChain chain = rope();
  const std::vector<Affine> bones(2, rotated({1, 2, 3}, 0.7, {3, -2, 5}));
  SpringState state = springs_at_rest(chain, bones, bones);
  for (int k = 0; k < 600; ++k) step_springs(chain, {}, 1, bones, {}, {}, state);
  for (std::size_t s = 0; s < 2; ++s) EXPECT_LE(distance(state.tail[s], bones[s] * chain.springs[s].tail), 1e-14);
}

// Near the rig's direction, at angle a: the tail's way across is L (a + (1 - drag)(a - a_before)), its way along L + h
// k, and the angle after the step their ratio.
TEST(Springs, SmallSwingsFollowTheirRecurrence) {
  SpringChain chain;
  chain.parent = {-1};
  chain.springs = {{0, {0, 0, 0}, {0, 0.5, 0}}};
  const SpringForces forces{.stiffness = 1.2, .drag = 0.3};
  const std::vector<Affine> bones(1);
  SpringState state = springs_at_rest(chain, bones, bones);
  const double length = 0.5, along = length / (length + spring_step * forces.stiffness);
  double angle = 1e-5, before = 1e-5;
  state.tail[0] = state.before[0] = {length * std::sin(angle), length * std::cos(angle), 0};
  for (int k = 0; k < 200; ++k) {
    const double next = along * (angle + (1 - forces.drag) * (angle - before));
    before = angle;
    angle = next;
    step_springs(chain, forces, 1, bones, {}, {}, state);
    ASSERT_NEAR(state.tail[0].x / length, angle, 1e-13) << k;
  }
}

TEST(Springs, TailsKeepTheirLength) {
  const SpringChain chain = rope();
  const SpringState state = run(chain, {.stiffness = 0.5, .drag = 0.1, .gravity = 0.4}, 300);
  SwungBones swung;
  const std::span<const Affine> bones = turned_bones(chain, shaken(300), state.turned, swung);
  EXPECT_NEAR(distance(state.tail[0], bones[0] * chain.springs[0].head), 0.5, 1e-12);
  EXPECT_NEAR(distance(state.tail[1], bones[1] * chain.springs[1].head), 0.3, 1e-12);
  // And the bones that are shown have them: the second hangs on the first.
  EXPECT_LE(distance(bones[0] * chain.springs[0].tail, state.tail[0]), 1e-12);
  EXPECT_LE(distance(bones[1] * chain.springs[1].tail, state.tail[1]), 1e-12);
  EXPECT_LE(distance(bones[1] * chain.springs[1].head, state.tail[0]), 1e-12);
}

// With no pull to the rig a tail falls until it hangs.
TEST(Springs, HangDownAtLast) {
  const SpringChain chain = rope();
  std::vector<Affine> bones(2, rotated({0, 0, 1}, 1.0));
  SpringState state = springs_at_rest(chain, bones, bones);
  for (int k = 0; k < 2000; ++k)
    step_springs(chain, {.stiffness = 0, .drag = 0.2, .gravity = 1}, 1, bones, {}, {}, state);
  EXPECT_LE(distance(state.tail[0], {0, -0.5, 0}), 1e-6);
  EXPECT_LE(distance(state.tail[1], {0, -0.8, 0}), 1e-6);
}

TEST(Springs, ATailLiesOnABoxAndHangsBesideIt) {
  SpringChain chain;
  chain.parent = {-1};
  chain.springs = {{0, {0, 1, 0}, {0.5, 1, 0}}};
  const std::vector<Affine> bones(1);
  const SpringForces forces{.stiffness = 0, .drag = 0.3, .gravity = 1, .radius = 0.02};
  const auto tail_over = [&](double z) {
    Colliders box;
    box.boxes = {{{0.3, 0.4, z}, Mat3::identity(), {0.3, 0.4, 0.2}, 0.05}};
    SpringState state = springs_at_rest(chain, bones, bones);
    for (int k = 0; k < 2000; ++k) {
      step_springs(chain, forces, 1, bones, box, {}, state);
      EXPECT_GE(gap_to(box, 0, state.tail[0]).distance, 0.02 - 1e-4) << k;
    }
    return state.tail[0];
  };
  EXPECT_NEAR(tail_over(0).y, 0.82, 1e-3);  // its top is at 0.8
  EXPECT_LE(distance(tail_over(0.3), {0, 0.5, 0}), 1e-6);
}

TEST(Springs, TailsKeepOutOfSpheresAndGround) {
  SpringChain chain;
  chain.parent = {-1};
  chain.springs = {{0, {0, 1, 0}, {0.5, 1, 0}}};
  const std::vector<Affine> bones(1);
  const SpringForces forces{.stiffness = 0, .drag = 0.3, .gravity = 1, .radius = 0.02};
  Colliders ball;
  ball.capsules = {sphere_collider({0.3, 0.7, 0}, 0.1)};
  SpringState state = springs_at_rest(chain, bones, bones);
  for (int k = 0; k < 300; ++k) {
    step_springs(chain, forces, 1, bones, ball, {}, state);
    ASSERT_GE(distance(state.tail[0], {0.3, 0.7, 0}), 0.12 - 1e-4) << k;
  }
  EXPECT_GT(state.tail[0].x, 0.3);  // it rests on the ball, which is on its way down
  for (int k = 0; k < 300; ++k) step_springs(chain, forces, 1, bones, {}, 0.8, state);
  EXPECT_GE(state.tail[0].y, 0.82 - 1e-4);
}

TEST(Springs, AreTheSameAtAnySizeAndAnywhere) {
  const SpringChain chain = rope();
  const SpringForces forces{.stiffness = 0.7, .drag = 0.2, .gravity = 0.3};
  SpringChain large = chain;
  for (Spring& s : large.springs) s.head *= 64.0, s.tail *= 64.0;
  const SpringState small_state = run(chain, forces, 200), large_state = run(large, forces, 200, 64);
  for (std::size_t s = 0; s < 2; ++s) EXPECT_EQ(large_state.tail[s] / 64.0, small_state.tail[s]);

  // Turned about gravity and moved.
  const Affine frame = rotated({0, 1, 0}, 2, {4, -3, 7});
  const auto there = [&](int step) {
    std::vector<Affine> bones = shaken(step);
    for (Affine& bone : bones) bone = frame * bone;
    return bones;
  };
  SpringState moved = springs_at_rest(chain, there(0), there(1));
  for (int k = 1; k <= 200; ++k) step_springs(chain, forces, 1, there(k), {}, {}, moved);
  for (std::size_t s = 0; s < 2; ++s) EXPECT_LE(distance(moved.tail[s], frame * small_state.tail[s]), 1e-11);
}

}  // namespace
}  // namespace sinew
