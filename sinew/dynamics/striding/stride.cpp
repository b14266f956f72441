#include "sinew/dynamics/striding/stride.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/rigid_body_engine.h"
#include "sinew/dynamics/search_numbers.h"
#include "sinew/dynamics/units.h"

namespace sinew {
namespace {

constexpr double usual_step = 1.0 / 1250;  // seconds, for a leg of measured_leg
constexpr double short_delay = 0.005, middle_delay = 0.010, long_delay = 0.020;
constexpr double lowest_hip = 0.6, largest_lean = 1;
// Activations with which a walk begins, in the middle of a stance: in the order of LegMuscle.
constexpr std::array<double, leg_muscles_count> standing_activation{0.15, 0.05, 0.15, 0.25, 0.1, 0.2, 0.05};
constexpr double swinging_activation = 0.05;
constexpr double least_swing = 0.15;  // seconds: feet that are off the ground for less have not made a step
constexpr double usual_peak = 1.3;    // body weights
constexpr double pad_softness = 0.02, peak_seconds = 0.02;
constexpr double stands_from = 0.02;  // body weights

double angle_about_x(const Quat& q) { return 2 * std::atan2(q.x, q.w); }

// Senses of the last steps.
class SenseMemory {
 public:
  SenseMemory(double unit, double step) {
    const auto steps = [&](double delay) {
      return static_cast<std::size_t>(std::max(1L, std::lround(delay * unit / step)));
    };
    delays_ = {steps(short_delay), steps(middle_delay), steps(long_delay)};
    senses_.resize(delays_[2] + 1);
  }
  void fill(const BodySense& sense) { std::fill(senses_.begin(), senses_.end(), sense); }
  void push(const BodySense& sense) {
    at_ = (at_ + 1) % senses_.size();
    senses_[at_] = sense;
  }
  DelayedSenses delayed() const { return {before(delays_[0]), before(delays_[1]), before(delays_[2])}; }

 private:
  const BodySense* before(std::size_t steps) const { return &senses_[(at_ + senses_.size() - steps) % senses_.size()]; }
  std::array<std::size_t, 3> delays_{};
  std::vector<BodySense> senses_;
  std::size_t at_ = 0;
};

// A walk, step by step.
class StrideRun {
 public:
  StrideRun(const PlanarMeasures& measures, const Reflexes& reflexes, const StrideOptions& options)
      : measures_(measures),
        reflexes_(reflexes),
        options_(options),
        leg_(measures.leg()),
        unit_(std::sqrt(measures.leg() / measured_leg)),
        step_(usual_step * unit_),
        weight_(measures.mass() * standard_gravity),
        body_(planar_body(measures)),
        muscles_(muscles_for(measures)),
        engine_(body_, engine_options()),
        memory_(unit_, step_),
        torque_(body_.size()) {
    times_ = {ActivationTimes{}.up * unit_, ActivationTimes{}.down * unit_};
    begin();
  }

  StrideRecord run() {
    const auto steps = static_cast<long>(std::lround(options_.seconds / step_));
    for (long s = 0; s <= steps; ++s) {
      time_ = static_cast<double>(s) * step_;
      if (time_ >= static_cast<double>(record_.frames.size()) / options_.frames_per_second - 0.5 * step_) keep_frame();
      if (s == steps || (record_.fell && options_.ends_with_a_fall)) break;
      try {
        advance();
      } catch (const Error&) {
        if (!record_.fell) record_.fell = time_;
        break;
      }
      judge();
    }
    finish();
    return std::move(record_);
  }

 private:
  EngineOptions engine_options() const {
    EngineOptions engine;
    engine.step = step_;
    engine.planar = true;
    engine.softness = pad_softness * unit_;
    return engine;
  }

  void begin() {
    BodyState state;
    const auto thigh = [&](std::size_t leg) { return reflexes_[leg == 0 ? first_stance_thigh : first_swing_thigh]; };
    const auto bend = [&](std::size_t leg) { return reflexes_[leg == 0 ? first_stance_knee : first_swing_knee]; };
    const auto turn = [](double angle) { return axis_angle({1, 0, 0}, angle); };
    const double lean = reflexes_[first_lean];
    state.pose.local.assign(body_.size(), Quat{});
    state.spin.assign(body_.size(), Vec3{});
    state.pose.local[planar_trunk] = turn(lean);
    for (std::size_t leg = 0; leg < 2; ++leg) {
      const std::size_t at = thigh_of(leg);
      state.pose.local[at] = turn(thigh(leg) - lean);
      state.pose.local[at + 1] = turn(bend(leg));
      // The foot that stands is level, the other at right angles to its shank.
      state.pose.local[at + 2] = turn(leg == 0 ? -(thigh(leg) + bend(leg)) : 0);
    }
    PlacedJoints placed;
    place_joints(body_.tree, state.pose, placed);
    state.pose.root = {0, -lowest_point(body_, placed), 0};
    state.root_velocity = {0, 0, options_.speed * reflexes_[first_speed]};
    engine_.set_state(state);
    find_angles();
    for (std::size_t leg = 0; leg < 2; ++leg)
      for (std::size_t m = 0; m < leg_muscles_count; ++m)
        states_[leg][m] = muscle_at_rest(muscles_.all[m].muscle, muscles_.all[m].length(angles_[leg]),
                                         leg == 0 ? standing_activation[m] : swinging_activation);
    load_ = {1, 0};
    memory_.fill(sense());
    lean_at_lift_off_ = {lean, lean};
  }

  void find_angles() {
    const BodyState& state = engine_.state();
    for (std::size_t leg = 0; leg < 2; ++leg)
      for (std::size_t j = 0; j < leg_joints; ++j) {
        angles_[leg][j] = angle_about_x(state.pose.local[thigh_of(leg) + j]);
        rates_[leg][j] = state.spin[thigh_of(leg) + j].x;
      }
    lean_ = angle_about_x(state.pose.local[planar_trunk]);
    place_joints(body_.tree, state.pose, placed_);
  }

  BodySense sense() const {
    BodySense sense;
    for (std::size_t leg = 0; leg < 2; ++leg) {
      for (std::size_t m = 0; m < leg_muscles_count; ++m) {
        sense.legs[leg].force[m] = states_[leg][m].force / muscles_.all[m].muscle.force;
        sense.legs[leg].length[m] = states_[leg][m].length;
      }
      sense.legs[leg].knee = angles_[leg][knee];
      sense.legs[leg].knee_rate = rates_[leg][knee] * unit_;
      sense.legs[leg].load = load_[leg];
    }
    sense.lean = lean_;
    sense.lean_rate = engine_.state().spin[planar_trunk].x * unit_;
    return sense;
  }

  void find_states(const DelayedSenses& senses) {
    for (std::size_t leg = 0; leg < 2; ++leg) {
      const auto stands = [&](std::size_t which) { return senses.hip->legs[which].load > stands_from; };
      const double own = placed_.place[thigh_of(leg) + 2].z, other = placed_.place[thigh_of(1 - leg) + 2].z;
      const bool stood = state_[leg] == LegState::stance || state_[leg] == LegState::lift_off;
      if (stands(leg)) {
        if (!stood && !record_.fell && time_ - lifted_at_[leg] > least_swing * unit_) {
          ++record_.steps;
          if (!first_step_ && time_ > options_.counts_from) first_step_ = own, first_count_ = record_.steps;
          last_step_ = own;
        }
        state_[leg] = stands(1 - leg) && own < other ? LegState::lift_off : LegState::stance;
      } else {
        if (stood) {
          lean_at_lift_off_[leg] = lean_;
          lifted_at_[leg] = time_;
        }
        const double ahead = (own - placed_.place[planar_trunk].z) / leg_;
        state_[leg] = ahead > reflexes_[landing_ahead] ? LegState::landing : LegState::swing;
      }
    }
  }

  void advance() {
    memory_.push(sense());
    const DelayedSenses senses = memory_.delayed();
    find_states(senses);
    double squares = 0;
    for (std::size_t leg = 0; leg < 2; ++leg) {
      const auto wanted = stimulation(reflexes_, senses, leg, state_[leg], lean_at_lift_off_[leg]);
      for (std::size_t m = 0; m < leg_muscles_count; ++m) {
        MuscleState& state = states_[leg][m];
        state.activation = activation_after(state.activation, wanted[m], times_, step_);
        advance_muscle(muscles_.all[m].muscle, muscles_.all[m].length(angles_[leg]), step_, state);
        squares += state.activation * state.activation;
      }
      const LegAngles torques = leg_torques(muscles_, states_[leg], angles_[leg], rates_[leg]);
      for (std::size_t j = 0; j < leg_joints; ++j) torque_[thigh_of(leg) + j] = {torques[j], 0, 0};
    }
    engine_.step(torque_, {});
    find_angles();
    const std::vector<Vec3> ground = engine_.ground_forces();
    for (std::size_t leg = 0; leg < 2; ++leg) {
      load_[leg] = std::max(0.0, ground[thigh_of(leg) + 2].y) / weight_;
      mean_load_[leg] += (load_[leg] - mean_load_[leg]) * step_ / (peak_seconds * unit_);
    }
    if (record_.fell) return;
    effort_ += squares / (2 * leg_muscles_count);
    ++stood_;
  }

  void judge() {
    const double now = time_ + step_;
    const Vec3& hip_at = placed_.place[planar_trunk];
    if (record_.fell) return;
    if (hip_at.y < lowest_hip * leg_ || std::abs(lean_) > largest_lean) record_.fell = now;
    record_.travelled = hip_at.z;
    if (now < options_.counts_from) {
      counted_place_ = hip_at.z;
      counted_time_ = now;
      return;
    }
    ++counted_;
    for (std::size_t leg = 0; leg < 2; ++leg) record_.peak_load = std::max(record_.peak_load, mean_load_[leg]);
    lean_sum_ += lean_;
    lean_squares_ += lean_ * lean_;
  }

  void keep_frame() {
    StrideFrame frame;
    frame.time = time_;
    for (std::size_t k = 0; k < planar_links; ++k) frame.pose.angle[k] = angle_about_x(placed_.rotation[k]);
    frame.pose.y = placed_.place[planar_trunk].y;
    frame.pose.z = placed_.place[planar_trunk].z;
    for (std::size_t leg = 0; leg < 2; ++leg)
      for (std::size_t m = 0; m < leg_muscles_count; ++m) frame.activation[leg][m] = states_[leg][m].activation;
    frame.load = load_;
    frame.state = state_;
    record_.frames.push_back(frame);
  }

  void finish() {
    const double until = record_.fell.value_or(options_.seconds);
    if (until > counted_time_) record_.speed = (record_.travelled - counted_place_) / (until - counted_time_);
    if (first_step_ && record_.steps > first_count_)
      record_.step_length = (last_step_ - *first_step_) / (record_.steps - first_count_);
    if (stood_ > 0) record_.effort = effort_ / static_cast<double>(stood_);
    if (counted_ == 0) return;
    const auto count = static_cast<double>(counted_);
    record_.lean = lean_sum_ / count;
    record_.lean_away = std::sqrt(std::max(0.0, lean_squares_ / count - record_.lean * record_.lean));
  }

  PlanarMeasures measures_;
  Reflexes reflexes_;
  StrideOptions options_;
  double leg_, unit_, step_, weight_;
  ArticulatedBody body_;
  LegMuscles muscles_;
  RigidBodyEngine engine_;
  SenseMemory memory_;
  std::vector<Vec3> torque_;
  ActivationTimes times_;
  std::array<std::array<MuscleState, leg_muscles_count>, 2> states_{};
  std::array<LegAngles, 2> angles_{}, rates_{};
  std::array<double, 2> load_{}, mean_load_{}, lean_at_lift_off_{}, lifted_at_{};
  std::array<LegState, 2> state_{LegState::stance, LegState::swing};
  PlacedJoints placed_;
  double lean_ = 0, time_ = 0, effort_ = 0, counted_place_ = 0, counted_time_ = 0, lean_sum_ = 0, lean_squares_ = 0;
  std::optional<double> first_step_;  // place of the first foot that came down where steps count, metres
  double last_step_ = 0;              // place of the last one
  long stood_ = 0, counted_ = 0;
  int first_count_ = 0;
  StrideRecord record_;
};

}  // namespace

StrideRecord stride(const PlanarMeasures& measures, const Reflexes& reflexes, const StrideOptions& options) {
  return StrideRun(measures, reflexes, options).run();
}

double cost_of(const PlanarMeasures& measures, const StrideSearch& search, const StrideRecord& walk) {
  const double missed = (walk.speed - search.speed) / std::max(search.speed, 0.3);
  // Animals on legs take steps of 1.2 times the hip's height times Froude's number to the power of 0.3 (Alexander
  // 1976).
  const double froude = search.speed * search.speed / (standard_gravity * measures.leg());
  const double usual_step_length = 1.2 * measures.leg() * std::pow(froude, 0.3);
  const double longer = std::log(std::max(walk.step_length, 0.01 * usual_step_length) / usual_step_length);
  const double own = 5 * bounded_square(4 * missed) + 2 * bounded_square(std::sqrt(20 * walk.effort)) +
                     bounded_square(walk.lean_away / 0.1) + bounded_square(longer / 0.25) +
                     2 * bounded_square(std::max(0.0, walk.peak_load - usual_peak) / 0.8);
  if (!walk.fell) return own;
  const double way = std::clamp(walk.travelled / (search.speed * search.seconds), 0.0, 1.0);
  return 11 + 10 * (1 - 0.5 * *walk.fell / search.seconds - 0.5 * way) + 0.1 * own;
}

FoundStride find_stride(const PlanarMeasures& measures, const Reflexes& first, const StrideSearch& search,
                        const Progress& progress) {
  std::vector<SearchedNumber> ranges;
  for (const ReflexRange& range : reflex_ranges())
    ranges.push_back({(range.most - range.least) / 3, range.least, range.most});
  StrideOptions options;
  options.speed = search.speed;
  options.seconds = search.seconds;
  options.ends_with_a_fall = true;
  options.frames_per_second = 1;
  const auto reflexes_from = [](std::span<const double> numbers) {
    Reflexes own{};
    std::copy(numbers.begin(), numbers.end(), own.begin());
    return own;
  };
  const auto cost = [&](std::span<const double> numbers) {
    return cost_of(measures, search, stride(measures, reflexes_from(numbers), options));
  };
  const FoundNumbers best =
      search_numbers(first, ranges, cost, search.tries, search.seed, "searching for reflexes", progress);
  FoundStride found;
  found.reflexes = reflexes_from(best.numbers);
  found.tries = best.tries;
  found.walk = stride(measures, found.reflexes, options);
  found.cost = cost_of(measures, search, found.walk);
  return found;
}

}  // namespace sinew
