#include "sinew/dynamics/flight/fly.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/search_numbers.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double counts_from = 1;                    // seconds
constexpr double most_tail = 0.25;                   // radians: a tail that is turned farther stalls
constexpr double most_bank = 0.5, most_pitch = 0.4;  // radians

// How the body's back and head are turned, and how fast.
struct Attitude {
  double pitch = 0, bank = 0;            // radians: head up, to the left
  double lean = 0;                       // of its back from upright
  double pitch_rate = 0, bank_rate = 0;  // rad/s
};
Attitude attitude_of(const Flyer& flyer, const PlacedJoints& placed, const LinkVelocities& velocities) {
  const Quat turn = placed.rotation[0] * conjugate(flyer.bound[0]);
  const Vec3 ahead = rotate(turn, {0, 0, 1}), up = rotate(turn, {0, 1, 0}), left = rotate(turn, {1, 0, 0});
  const Vec3& spin = velocities.angular[0];
  return {std::asin(std::clamp(ahead.y, -1.0, 1.0)), std::asin(std::clamp(-left.y, -1.0, 1.0)),
          std::acos(std::clamp(up.y, -1.0, 1.0)), -dot(spin, left), -dot(spin, ahead)};
}

FlightGoal goal_at(const std::vector<FlightGoal>& goals, double time) {
  if (goals.empty()) return {time, 0, 0};
  std::size_t k = 0;
  while (k < goals.size() && goals[k].time <= time) ++k;
  if (k == 0 || k == goals.size()) return {time, goals[k == 0 ? 0 : k - 1].height, goals[k == 0 ? 0 : k - 1].heading};
  const FlightGoal &a = goals[k - 1], &b = goals[k];
  const double share = (time - a.time) / (b.time - a.time);
  return {time, std::lerp(a.height, b.height, share), std::lerp(a.heading, b.heading, share)};
}

// A flight, step by step.
class FlightRun {
 public:
  FlightRun(const Flyer& flyer, const Stroke& stroke, const FlightOptions& options)
      : flyer_(flyer),
        body_(flyer.links.body),
        stroke_(stroke),
        options_(options),
        engine_(body_, engine_options()),
        targets_(body_.size()),
        torque_(body_.size()),
        rotations_(body_.size()),
        ahead_(body_.size()),
        strips_(flyer.strips) {
    BodyState state;
    state.pose.local.assign(body_.size(), Quat{});
    wing_targets(flyer, stroke, {}, 0, state.pose.local);
    state.pose.local[0] = flyer.bound[0];
    state.root_velocity = {0, 0, options.speed};
    state.spin.assign(body_.size(), Vec3{});
    engine_.set_state(state);
  }

  FlightRecord run() {
    const auto steps = static_cast<int>(std::lround(options_.seconds / options_.step));
    const double per_frame = 1 / (options_.frames_per_second * options_.step);
    const double energy = engine_.energy();
    place();
    for (int k = 0; k <= steps; ++k) {
      if (k >= static_cast<int>(std::lround(per_frame * static_cast<double>(flight_.times.size())))) record(k);
      if (k == steps || (flight_.lost && options_.ends_lost)) break;
      if (!step(k * options_.step)) break;
      judge((k + 1) * options_.step);
    }
    flight_.gained = engine_.energy() - energy;
    if (counted_ > 0) {
      const double count = counted_;
      flight_.speed /= count;
      flight_.power /= count;
      flight_.off_height = std::sqrt(flight_.off_height / count);
      flight_.off_heading = std::sqrt(flight_.off_heading / count);
    }
    return std::move(flight_);
  }

 private:
  EngineOptions engine_options() const {
    EngineOptions engine;
    engine.step = options_.step;
    engine.has_ground = false;
    engine.inertia_added = inertia_added(flyer_.drives, options_.step);
    return engine;
  }

  void place() {
    place_joints(body_.tree, engine_.state().pose, placed_);
    velocities_ = link_velocities(body_, engine_.state(), placed_);
    attitude_ = attitude_of(flyer_, placed_, velocities_);
    // The way that it flies, which sways less than the way that it looks.
    const Vec3& velocity = velocities_.linear[0];
    heading_ += std::remainder(std::atan2(velocity.x, velocity.z) - heading_, 2 * std::numbers::pi);
  }

  // Height is held by the pitch, speed by the amplitude, and the heading by banking. What they need in the long run is
  // learned on the way.
  WingCommand command(double time) {
    const FlightGoal goal = goal_at(options_.goals, time);
    const double speed = options_.speed;
    const Vec3& velocity = velocities_.linear[0];
    const double wanted_climb = std::clamp(goal.height - placed_.place[0].y, -0.2 * speed, 0.2 * speed);
    const double climb = (wanted_climb - velocity.y) / speed;
    const double slow = 1 - std::hypot(velocity.x, velocity.z) / speed;
    constexpr double most_learned = 0.3, pitch_rate = 0.8, power_rate = 0.6;  // radians and shares; per second
    learned_pitch_ =
        std::clamp(learned_pitch_ + pitch_rate * stroke_.pitch * climb * options_.step, -most_learned, most_learned);
    learned_power_ =
        std::clamp(learned_power_ + power_rate * stroke_.push * slow * options_.step, -most_learned, 2 * most_learned);
    WingCommand result;
    result.amplitude = std::clamp(1 + learned_power_ + stroke_.climb * climb + stroke_.push * slow, 0.2, 1.8);
    const double own_time = flyer_.wings.span / speed;  // gains of rates follow it
    const double bank = std::clamp(stroke_.bank * (goal.heading - heading_), -most_bank, most_bank);
    // The body yaws as fast as its bank turns its way; what it yaws beyond that, the tail damps.
    const double turn = standard_gravity * std::tan(std::clamp(attitude_.bank, -1.0, 1.0)) / speed;
    result.yaw = std::clamp(own_time * (velocities_.angular[0].y - turn), -most_tail, most_tail);
    // A banked body needs more lift.
    const double carried = 0.15 * (1 / std::cos(std::clamp(attitude_.bank, -1.0, 1.0)) - 1);
    const double pitch = std::clamp(learned_pitch_ + stroke_.pitch * climb, -most_pitch, most_pitch) + carried;
    result.tail =
        std::clamp(1.5 * (pitch - attitude_.pitch) - 0.7 * own_time * attitude_.pitch_rate, -most_tail, most_tail);
    result.roll = std::clamp(1.5 * (bank - attitude_.bank) - 0.3 * own_time * attitude_.bank_rate, -0.3, 0.3);
    return result;
  }

  // False where the links go out of bounds, as those of a body that spins down may.
  bool step(double time) {
    const WingCommand asked = command(time);
    wing_targets(flyer_, stroke_, asked, beats_, rotations_);
    beats_ += stroke_.frequency * options_.step;
    wing_targets(flyer_, stroke_, asked, beats_, ahead_);
    for (std::size_t k = 1; k < body_.size(); ++k)
      targets_[k] = {ahead_[k], rotation_logarithm(normalized(conjugate(rotations_[k]) * ahead_[k])) / options_.step};
    drive_torques(body_, flyer_.drives, targets_, engine_.state(), options_.step, torque_);
    // The tail's trailing edge is raised about the body's x.
    const Quat raised = conjugate(flyer_.bound[0]) * axis_angle({1, 0, 0}, asked.tail);
    WingStrip& tail = strips_[strips_.size() - 2];
    tail.forward = rotate(raised, {0, 0, 1});
    tail.up = rotate(raised, {0, 1, 0});
    const Quat aside = conjugate(flyer_.bound[0]) * axis_angle({0, 1, 0}, asked.yaw);
    strips_.back().forward = rotate(aside, {0, 0, 1});
    strips_.back().up = rotate(aside, {1, 0, 0});
    const AirForces air = air_forces(strips_, flyer_.wings.aspect(), placed_, velocities_);
    const std::vector<Vec3> spin = engine_.state().spin;
    try {
      engine_.step(torque_, air.forces);
    } catch (const Error&) {
      if (!flight_.lost) flight_.lost = time;
      return false;
    }
    place();
    const AirForces then = air_forces(strips_, flyer_.wings.aspect(), placed_, velocities_);
    power_ = 0;
    for (std::size_t k = 1; k < body_.size(); ++k) power_ += dot(torque_[k], (spin[k] + engine_.state().spin[k]) / 2);
    flight_.worked += power_ * options_.step;
    for (std::size_t k = 0; k < strips_.size(); ++k)
      flight_.taken -= dot(air.forces[k].force, (air.velocities[k] + then.velocities[k]) / 2) * options_.step;
    return true;
  }

  void judge(double time) {
    const FlightGoal goal = goal_at(options_.goals, time);
    const double off = placed_.place[0].y - goal.height;
    flight_.most_lean = std::max(flight_.most_lean, attitude_.lean);
    constexpr double over = 75 * std::numbers::pi / 180, farthest = 2;  // spans
    if (!flight_.lost && (attitude_.lean > over || !(std::abs(off) < farthest * flyer_.wings.span)))
      flight_.lost = time;
    if (time < counts_from) return;
    ++counted_;
    const Vec3 ahead{std::sin(goal.heading), 0, std::cos(goal.heading)};
    flight_.speed += dot(velocities_.linear[0], ahead);
    flight_.power += std::abs(power_);
    flight_.off_height += off * off;
    flight_.off_heading += (heading_ - goal.heading) * (heading_ - goal.heading);
  }

  void record(int step) {
    flight_.times.push_back(step * options_.step);
    flight_.poses.push_back(engine_.state().pose);
  }

  const Flyer& flyer_;
  const ArticulatedBody& body_;
  Stroke stroke_;
  const FlightOptions& options_;
  RigidBodyEngine engine_;
  std::vector<JointTarget> targets_;
  std::vector<Vec3> torque_;
  std::vector<Quat> rotations_, ahead_;
  std::vector<WingStrip> strips_;
  PlacedJoints placed_;
  LinkVelocities velocities_;
  Attitude attitude_;
  double heading_ = 0, beats_ = 0, power_ = 0, learned_pitch_ = 0, learned_power_ = 0;
  int counted_ = 0;
  FlightRecord flight_;
};

double cost_of(const Flyer& flyer, const FlightOptions& options, const FlightRecord& flight) {
  if (flight.lost) return 10 + 10 * (1 - *flight.lost / options.seconds);
  const double usual_power = 0.3 * flyer.mass * standard_gravity * options.speed;
  return 4 * bounded_square(4 * flight.off_height / flyer.wings.span) +
         3 * bounded_square((flight.speed / options.speed - 1) / 0.15) + 2 * bounded_square(flight.off_heading / 0.2) +
         bounded_square(flight.power / usual_power);
}

}  // namespace

FlightRecord fly(const Flyer& flyer, const Stroke& stroke, const FlightOptions& options) {
  return FlightRun(flyer, stroke, options).run();
}

Stroke usual_stroke(const Flyer& flyer, double speed) {
  Stroke stroke;
  constexpr double strouhal = 0.3;
  stroke.frequency = std::clamp(strouhal * speed / (flyer.wings.span * std::sin(stroke.amplitude)), 0.5, 30.0);
  // The wings' lift is to pass through the mass centre; half of it is farther out than 0.45 of the wing.
  double length = 0;
  for (const std::array<Wing, 2>& pair : flyer.wings.pairs) length = std::max(length, pair[0].length);
  stroke.back = std::asin(std::clamp(flyer.ahead / (0.45 * length), -0.4, 0.4));
  return stroke;
}

FoundStroke find_stroke(const Flyer& flyer, const Stroke& first, const FlightOptions& options, int tries,
                        std::uint64_t seed, const Progress& progress) {
  const double frequency = first.frequency;
  const SearchedNumber ranges[stroke_numbers] = {{frequency, 0.5 * frequency, 2 * frequency},
                                                 {0.4, 0.05, 1.1},
                                                 {0.3, -0.3, 0.5},
                                                 {0.2, -0.2, 0.5},
                                                 {0.3, -0.2, 0.8},
                                                 {0.3, -0.3, 0.6},
                                                 {0.3, -0.5, 0.5},
                                                 {0.3, 0, 0.5},
                                                 {1, 0, 4},
                                                 {1, 0, 4},
                                                 {0.5, -1, 2},
                                                 {1, 0, 3}};
  const auto stroke_from = [](std::span<const double> numbers) {
    std::array<double, stroke_numbers> own{};
    std::copy(numbers.begin(), numbers.end(), own.begin());
    return stroke_of(own);
  };
  FlightOptions tried = options;
  tried.ends_lost = true;
  // A stroke is to bear a climb and a turn.
  if (tried.goals.empty())
    tried.goals = {{1, 0, 0}, {3, 0.5 * flyer.wings.span, 0.7}, {tried.seconds, 0.5 * flyer.wings.span, 0.7}};
  const auto cost = [&](std::span<const double> numbers) {
    return cost_of(flyer, tried, fly(flyer, stroke_from(numbers), tried));
  };
  const FoundNumbers found =
      search_numbers(numbers_of(first), ranges, cost, tries, seed, "searching for a stroke", progress);
  FoundStroke result{stroke_from(found.numbers), {}, 0, found.tries};
  result.flight = fly(flyer, result.stroke, options);
  result.cost = cost_of(flyer, tried, fly(flyer, result.stroke, tried));
  return result;
}

}  // namespace sinew
