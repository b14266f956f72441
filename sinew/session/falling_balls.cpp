#include "sinew/session/falling_balls.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "sinew/deform/snapshot_numbers.h"

namespace sinew {
namespace {

constexpr int most_bounces = 16;  // per step; more are a rest
// A ball whose speed towards a surface is below this many steps of gravity comes to rest on it.
constexpr double steps_of_rest = 2;
// Depth, as a fraction of the radius, within which a ball touches.
constexpr double touching = 1e-9;
// Share of mass times speed that stops the slip of a solid sphere, and its moment of inertia over m r^2.
constexpr double slip_share = 2.0 / 7, inertia_share = 0.4;
constexpr double farthest = 1e9;  // metres, m/s and rad/s in a checkpoint

// Changes velocity and spin by friction at a touching surface (its normal away from it, its velocity there) under an
// impulse per mass along the normal.
void rub(const Ball& ball, double friction, const Vec3& normal, const Vec3& surface_velocity, double normal_impulse,
         BallState& state) {
  const Vec3 arm = -ball.radius * normal, relative = state.velocity + cross(state.spin, arm) - surface_velocity;
  const Vec3 slip = relative - dot(relative, normal) * normal;
  const double speed = norm(slip);
  if (!(speed > 0) || !(friction > 0)) return;
  const double impulse = std::min(friction * normal_impulse, slip_share * speed);
  const Vec3 change = (-impulse / speed) * slip;
  state.velocity += change;
  state.spin += (1 / (inertia_share * ball.radius * ball.radius)) * cross(arm, change);
}

// A plane at rest that the ball may bounce on exactly.
struct Floor {
  Vec3 point, normal;  // unit

  double gap(const Ball& ball, const Vec3& place) const { return dot(normal, place - point) - ball.radius; }
};

bool is_at_rest(const Environment& environment, std::size_t plane) {
  if (environment.colliders_before.empty()) return true;
  const PlaneCollider &now = environment.colliders.planes[plane], &before = environment.colliders_before.planes[plane];
  return now.point == before.point && now.normal == before.normal;
}

std::vector<Floor> floors_of(const Environment& environment) {
  std::vector<Floor> floors;
  if (environment.ground) floors.push_back({{0, *environment.ground, 0}, {0, 1, 0}});
  for (std::size_t k = 0; k < environment.colliders.planes.size(); ++k)
    if (const PlaneCollider& plane = environment.colliders.planes[k]; is_at_rest(environment, k))
      floors.push_back({plane.point, normalized(plane.normal)});
  return floors;
}

// The first time in (0, most] at which a ball that moves towards the floor reaches it, under constant acceleration.
std::optional<double> time_of_touch(double gap, double speed, double acceleration, double most) {
  if (gap <= 0) return speed < 0 ? std::optional<double>(0) : std::nullopt;
  // gap + speed t + acceleration t^2 / 2 = 0, in the form without cancellation.
  const double root = speed * speed - 2 * acceleration * gap;
  if (root < 0) return std::nullopt;
  const double q = -speed + std::sqrt(root);
  if (!(q > 0)) return std::nullopt;
  const double time = 2 * gap / q;
  return time <= most ? std::optional<double>(time) : std::nullopt;
}

void drift(BallState& state, const Vec3& acceleration, double seconds) {
  state.place += seconds * state.velocity + 0.5 * seconds * seconds * acceleration;
  state.velocity += seconds * acceleration;
}

// Moves a ball among floors: free flight between bounces, and along floors that it rests on.
void fly_among(const std::vector<Floor>& floors, const Ball& ball, const BallSurroundings& around, BallState& state) {
  const double friction = around.environment.friction, rest = steps_of_rest * norm(around.gravity) * around.step;
  double left = around.step;
  for (int bounce = 0; bounce < most_bounces && left > 0; ++bounce) {
    Vec3 acceleration = around.gravity;
    for (const Floor& floor : floors) {
      const double along = dot(acceleration, floor.normal);
      if (std::abs(floor.gap(ball, state.place)) > touching * ball.radius || along >= 0 ||
          std::abs(dot(state.velocity, floor.normal)) > touching * rest)
        continue;
      acceleration -= along * floor.normal;  // the floor carries it
      state.velocity -= dot(state.velocity, floor.normal) * floor.normal;
      rub(ball, friction, floor.normal, {}, -along * left, state);
    }
    const Floor* met = nullptr;
    double when = left;
    for (const Floor& floor : floors) {
      const double speed = dot(state.velocity, floor.normal), gap = floor.gap(ball, state.place);
      if (gap <= touching * ball.radius && speed >= -touching * rest) continue;
      if (const auto time = time_of_touch(gap, speed, dot(acceleration, floor.normal), when))
        met = &floor, when = *time;
    }
    drift(state, acceleration, when);
    left -= when;
    if (!met) return;
    state.place -= met->gap(ball, state.place) * met->normal;  // rounding
    const double speed = -dot(state.velocity, met->normal);
    const double kept = speed > rest ? ball.restitution * speed : 0;
    state.velocity += (speed + kept) * met->normal;
    rub(ball, friction, met->normal, {}, speed + kept, state);
  }
}

// Moves a ball out of one collider, or the ground, and lets it bounce there.
void leave(const Gap& gap, const Vec3& surface_velocity, double restitution, double slow, const Ball& ball,
           double friction, BallState& state) {
  const double depth = ball.radius - gap.distance;
  if (depth <= 0) return;
  state.place += depth * gap.normal;
  const double speed = -dot(state.velocity - surface_velocity, gap.normal);
  if (speed <= 0) return;
  const double kept = speed > slow ? restitution * speed : 0;
  state.velocity += (speed + kept) * gap.normal;
  rub(ball, friction, gap.normal, surface_velocity, speed + kept, state);
}

bool is_ball(const Environment& environment, std::size_t collider) {
  return std::any_of(environment.balls.begin(), environment.balls.end(),
                     [&](const FallingBall& ball) { return ball.collider == collider; });
}

// Moves a ball out of all colliders that are not balls, and of the ground.
void leave_all(const Ball& ball, const BallSurroundings& around, double restitution, BallState& state) {
  const Environment& environment = around.environment;
  const Obstacles obstacles = environment.obstacles();
  const double slow = steps_of_rest * norm(around.gravity) * around.step;
  for (std::size_t k = 0; k < obstacles.size(); ++k) {
    if (is_ball(environment, k)) continue;
    const Vec3 velocity = around.step > 0 ? obstacles.velocity(k, state.place, around.step) : Vec3{};
    leave(obstacles.gap(k, state.place), velocity, restitution, slow, ball, environment.friction, state);
  }
}

// Two balls that overlap are moved apart and exchange momentum.
void collide(const Ball& a, BallState& one, const Ball& b, BallState& other) {
  const Vec3 way = one.place - other.place;
  const double far = norm(way), depth = a.radius + b.radius - far;
  if (depth <= 0) return;
  const Vec3 normal = far > 0 ? way / far : Vec3{0, 1, 0};
  const double share = b.mass / (a.mass + b.mass), speed = -dot(one.velocity - other.velocity, normal);
  one.place += share * depth * normal;
  other.place -= (1 - share) * depth * normal;
  if (speed <= 0) return;
  const double change = (1 + std::min(a.restitution, b.restitution)) * speed;
  one.velocity += share * change * normal;
  other.velocity -= (1 - share) * change * normal;
}

}  // namespace

std::vector<Ball> falling_balls(std::span<const ColliderSettings> settings) {
  std::vector<Ball> balls;
  std::size_t capsules = 0;
  for (std::size_t k = 0; k < settings.size(); ++k) {
    const ColliderSettings& collider = settings[k];
    if (collider.shape != ColliderShape::sphere && collider.shape != ColliderShape::capsule) continue;
    if (collider.shape == ColliderShape::sphere && collider.falls) {
      const double volume = 4.0 / 3 * std::numbers::pi * std::pow(collider.radius, 3);
      balls.push_back(
          {k, capsules, collider.radius, collider.density * volume, collider.bounce, collider.point, collider.joint});
    }
    ++capsules;
  }
  return balls;
}

bool is_same_ball(const Ball& a, const Ball& b) {
  return a.radius == b.radius && a.mass == b.mass && a.restitution == b.restitution && a.start == b.start &&
         a.joint == b.joint;
}

void fly(const Ball& ball, const BallSurroundings& around, BallState& state) {
  fly_among(floors_of(around.environment), ball, around, state);
  leave_all(ball, around, ball.restitution, state);
}

void FallingBalls::follow(const Environment& environment, double step, bool all) {
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    if (begun_[b] && !all) continue;
    begun_[b] = 1;
    const Vec3& now = environment.colliders.capsules[balls_[b].capsule].from;
    const std::vector<CapsuleCollider>& before = environment.colliders_before.capsules;
    const Vec3 moved = before.empty() ? Vec3{} : now - before[balls_[b].capsule].from;
    states_[b] = {now, step > 0 ? moved / step : Vec3{}, {}};
  }
}

void FallingBalls::fly(const Vec3& gravity, double step, Environment& environment) {
  if (environment.colliders_before.empty()) environment.colliders_before = environment.colliders;
  for (const Ball& ball : balls_)
    environment.balls.push_back({environment.colliders.planes.size() + ball.capsule, ball.mass, {}});
  const BallSurroundings around{environment, gravity, step};
  const std::vector<BallState> before = states_;
  for (std::size_t b = 0; b < balls_.size(); ++b) sinew::fly(balls_[b], around, states_[b]);
  for (std::size_t b = 0; b < balls_.size(); ++b)
    for (std::size_t c = 0; c < b; ++c) collide(balls_[b], states_[b], balls_[c], states_[c]);
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    const Ball& ball = balls_[b];
    environment.colliders.capsules[ball.capsule] = sphere_collider(states_[b].place, ball.radius);
    environment.colliders_before.capsules[ball.capsule] = sphere_collider(before[b].place, ball.radius);
    environment.balls[b].velocity = states_[b].velocity;
  }
}

void FallingBalls::take(std::span<const BallPush> pushes, const Environment& environment) {
  if (pushes.size() != balls_.size()) return;
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    if (pushes[b].displacement == Vec3{} && pushes[b].impulse == Vec3{}) continue;
    states_[b].place += pushes[b].displacement;
    states_[b].velocity += pushes[b].impulse / balls_[b].mass;
    leave_all(balls_[b], {environment, {}, 0}, 0, states_[b]);
  }
}

void FallingBalls::take_over(const FallingBalls& other) {
  std::vector<char> is_taken(other.balls_.size(), 0);
  for (std::size_t b = 0; b < balls_.size(); ++b)
    for (std::size_t k = 0; k < other.balls_.size(); ++k) {
      if (is_taken[k] || !is_same_ball(balls_[b], other.balls_[k])) continue;
      is_taken[k] = 1;
      states_[b] = other.states_[k];
      begun_[b] = other.begun_[k];
      break;
    }
}

std::vector<double> FallingBalls::numbers() const {
  std::vector<double> numbers;
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    numbers.push_back(begun_[b]);
    for (const Vec3* each : {&states_[b].place, &states_[b].velocity, &states_[b].spin})
      append_vectors(numbers, std::span(each, 1));
  }
  return numbers;
}

void FallingBalls::load(std::span<const double> numbers) {
  check_within(numbers, farthest, "where its balls are");
  SnapshotNumbers from(numbers);
  for (std::size_t b = 0; b < balls_.size(); ++b) {
    begun_[b] = from.number() != 0;
    for (Vec3* each : {&states_[b].place, &states_[b].velocity, &states_[b].spin}) *each = from.vectors(1)[0];
  }
  from.finish();
}

}  // namespace sinew
