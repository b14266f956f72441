#include "sinew/dynamics/react.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/number_text.h"
#include "sinew/dynamics/joint_drives.h"
#include "sinew/dynamics/rigid_body_engine.h"
#include "sinew/dynamics/touching_links.h"
#include "sinew/dynamics/units.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double ball_density = 500, ball_flight = 0.3, longest = 600;
// A body that lets go keeps this share of its stiffness, which it comes down to in steps of half.
constexpr double limp_share = 0.03, limp_interval = 0.04;

void check_times(const ReactOptions& options, std::size_t links) {
  if (!(options.seconds > 0 && options.seconds <= longest))
    throw usage_error("--seconds: the reaction lasts more than 0 and at most 600 seconds.");
  const auto check = [&](const char* what, double time, int link, const Vec3& vector) {
    if (!(time >= 0 && time <= options.seconds))
      throw usage_error(std::string(what) + ": " + plain(time) + " s is outside of the reaction, which lasts " +
                        plain(options.seconds) + " s; change the time or --seconds.");
    if (!is_finite(vector)) throw usage_error(std::string(what) + ": its numbers have to be finite.");
    if (link < 0 || index(link) >= links) throw usage_error(std::string(what) + ": there is no such link.");
  };
  for (const Push& push : options.pushes) check("--push", push.time, push.link, push.impulse);
  for (const ThrownBall& ball : options.balls) {
    check("--throw", ball.time, ball.link, ball.velocity);
    if (!(ball.mass > 0 && ball.mass < 1e6)) throw usage_error("--throw: a ball has a mass of more than 0 kg.");
  }
  if (options.limp) check("--limp", *options.limp, 0, {});
}

std::vector<EngineBall> engine_balls(const ReactOptions& options) {
  std::vector<EngineBall> balls;
  for (const ThrownBall& ball : options.balls) balls.push_back({radius_of(ball), ball.mass});
  return balls;
}

// The state in which the motion begins.
BodyState beginning(const ReferenceState& reference) {
  BodyState state{reference.pose, reference.root_velocity, {}};
  for (const JointTarget& target : reference.targets) state.spin.push_back(target.spin);
  return state;
}

using Pairs = std::vector<std::array<int, 2>>;

// One run of the links through the reaction.
class ReactionRun {
 public:
  ReactionRun(const CharacterLinks& links, const ReferenceMotion& motion, const ReactOptions& options)
      : links_(links),
        motion_(motion),
        options_(options),
        firm_(drives_for(links.body, links.bears, links.height, options.strength)),
        drives_(firm_),
        balance_(links, {options.gait ? 0 : options.support, motion.ground()}),
        stepping_(links, motion.ground()),
        touching_(options.gait ? Pairs{} : links_that_touch(links.body, poses_of_motion())),
        engine_(links.body, engine_options(), engine_balls(options)),
        torque_(links.body.size()),
        weight_(total_mass(links.body) * standard_gravity) {
    motion.at(0, reference_);
    if (options.gait) {
      gait_.emplace(links, reference_.pose, *options.gait, motion.ground());
      find_reference(0);
    }
    let_legs_touch(false);
    engine_.set_state(beginning(reference_));
  }

  Reaction run(const Progress& progress) {
    const auto steps = static_cast<long>(std::llround(options_.seconds / options_.step));
    const long of_frame = std::max(1L, std::lround(1 / (options_.frames_per_second * options_.step)));
    for (long s = 0; s <= steps && !(options_.ends_with_a_fall && reaction_.fell); ++s) {
      const double time = static_cast<double>(s) * options_.step;
      if (s % of_frame == 0) {
        keep_frame(time);
        report_or_stop(progress, "simulating links", static_cast<double>(s) / static_cast<double>(steps + 1));
      }
      if (s < steps) advance(time);
    }
    reaction_.steps = gait_ ? gait_->steps_taken() : stepping_.steps_taken();
    if (steps > 0) {
      reaction_.mean_help /= static_cast<double>(steps);
      reaction_.effort /= static_cast<double>(steps);
    }
    if (standing_ > 0) reaction_.missed /= static_cast<double>(standing_);
    return std::move(reaction_);
  }

 private:
  EngineOptions engine_options() const {
    EngineOptions engine;
    engine.step = options_.step;
    engine.has_ground = options_.has_ground;
    engine.ground = motion_.ground();
    engine.inertia_added = inertia_added(firm_, options_.step);
    engine.touching = touching_;
    return engine;
  }

  // Legs that keep the balance step past each other, and those of a body that lets go stop each other.
  void let_legs_touch(bool touch) {
    const auto is_leg = [&](int link) { return links_.bears[index(link)] || links_.foot[index(link)]; };
    for (std::size_t k = 0; k < touching_.size(); ++k)
      if (is_leg(touching_[k][0]) && is_leg(touching_[k][1])) engine_.set_touching(k, touch);
  }

  // Some thirty a second, and at most 300.
  std::vector<TreePose> poses_of_motion() const {
    const int count = std::clamp(static_cast<int>(30 * motion_.seconds()), 1, 300);
    std::vector<TreePose> poses;
    ReferenceState state;
    for (int k = 0; k <= count; ++k) {
      motion_.at(motion_.seconds() * k / count, state);
      poses.push_back(state.pose);
    }
    return poses;
  }

  void keep_frame(double time) {
    reaction_.times.push_back(time);
    reaction_.poses.push_back(engine_.state().pose);
    std::vector<Vec3> balls;
    for (std::size_t b = 0; b < options_.balls.size(); ++b) balls.push_back(engine_.ball_place(static_cast<int>(b)));
    if (!balls.empty()) reaction_.balls.push_back(std::move(balls));
  }

  // A body that walks by itself is judged by how it would stand.
  void find_reference(double time) {
    motion_.at(gait_ ? 0 : time, reference_);
    if (!gait_) return;
    reference_.pose = gait_->standing();
    reference_.root_velocity = {};
    for (std::size_t k = 0; k < reference_.targets.size(); ++k) reference_.targets[k] = {reference_.pose.local[k], {}};
  }

  // Whether something that happens at a time happens in the step that begins at `now`.
  bool is_due(double time, double now) const { return time >= now - 1e-9 && time < now + options_.step - 1e-9; }

  void advance(double time) {
    find_reference(time);
    const BodyState& state = engine_.state();
    const BalanceHelp help = balance_.help(reference_, state, options_.step);
    note(help, time);
    loosen(time);
    place_joints(links_.body.tree, state.pose, placed_);
    const bool keeps_up = !let_go_ && options_.steps;
    if (keeps_up && gait_)
      gait_->advance(state, placed_, options_.step, reference_.targets);
    else if (keeps_up)
      stepping_.adjust(balance_.error(), balance_.placed(), balance_.motion(), options_.step, reference_.targets);
    drive_torques(links_.body, drives_, reference_.targets, state, options_.step, torque_);
    if (keeps_up && gait_)
      gait_->hold_trunk(placed_, 1.5 * drives_[index(gait_->standing_thigh())].most, torque_);
    else if (keeps_up)
      hold_posture();
    note_effort();
    torque_[0] = rotate(conjugate(state.pose.local[0]), help.torque);
    forces_.clear();
    const auto mass_centre = [&](int link) { return placed_(link, links_.body.tree.mass_centre[index(link)]); };
    forces_.push_back({0, mass_centre(0), help.force});
    for (const Push& push : options_.pushes)
      if (time >= push.time - 1e-9 && time < push.time + push_seconds - 1e-9)
        forces_.push_back({push.link, mass_centre(push.link), push.impulse / push_seconds});
    throw_balls(time);
    engine_.step(torque_, forces_);
  }

  void note_effort() {
    double sum = 0;
    for (std::size_t k = 1; k < torque_.size(); ++k) sum += dot(torque_[k], torque_[k]);
    reaction_.effort += sum / std::pow(weight_ * links_.height, 2);
  }

  // Hips of standing legs turn the trunk upright, against the ground.
  void hold_posture() {
    const std::vector<int> thighs = stepping_.standing_thighs();
    for (const int thigh : thighs) {
      const double most = drives_[index(thigh)].most;
      const Vec3 torque = shortened(balance_.posture_torque() / static_cast<double>(thighs.size()), most);
      torque_[index(thigh)] -= rotate(conjugate(placed_.rotation[index(thigh)]), torque);
    }
  }

  void note(const BalanceHelp& help, double time) {
    const double share = norm(help.force) / weight_;
    reaction_.mean_help += share;
    reaction_.most_help = std::max(reaction_.most_help, share);
    reaction_.most_lean = std::max(reaction_.most_lean, balance_.lean());
    if (options_.limp && is_due(*options_.limp, time)) let_go_ = time;
    if (balance_.fallen() && !let_go_) {
      let_go_ = time;
      reaction_.fell = time;
    }
    if (let_go_ || links_.body.size() < 2) return;
    ++standing_;
    double sum = 0;
    for (std::size_t k = 1; k < links_.body.size(); ++k)
      sum += turned_angle(normalized(conjugate(engine_.state().pose.local[k]) * reference_.pose.local[k]));
    reaction_.missed += sum / static_cast<double>(links_.body.size() - 1);
  }

  // The drives of a body that lets go get softer step by step.
  void loosen(double time) {
    if (!let_go_ || share_ <= limp_share) return;
    if (loosened_ == 0) let_legs_touch(true);
    balance_.let_go();
    if (time < *let_go_ + limp_interval * loosened_ - 1e-9) return;
    ++loosened_;
    share_ = std::max(limp_share, 0.5 * share_);
    drives_ = limp(firm_, share_);
    engine_.set_inertia_added(inertia_added(drives_, options_.step));
  }

  void throw_balls(double time) {
    for (std::size_t b = 0; b < options_.balls.size(); ++b) {
      const ThrownBall& ball = options_.balls[b];
      if (time < ball.time - 1e-9) {
        engine_.place_ball(static_cast<int>(b), {0, 1000 + 10.0 * static_cast<double>(b), 0}, {});
      } else if (is_due(ball.time, time)) {
        const Vec3 down{0, -standard_gravity * ball_flight, 0};
        const Vec3 target = placed_(ball.link, links_.body.tree.mass_centre[index(ball.link)]);
        engine_.place_ball(static_cast<int>(b), target - ball.velocity * ball_flight + down * (0.5 * ball_flight),
                           ball.velocity - down);
      }
    }
  }

  const CharacterLinks& links_;
  const ReferenceMotion& motion_;
  const ReactOptions& options_;
  std::vector<JointDrive> firm_, drives_;
  Balance balance_;
  Stepping stepping_;
  std::optional<GaitControl> gait_;
  Pairs touching_;
  RigidBodyEngine engine_;
  ReferenceState reference_;
  PlacedJoints placed_;
  std::vector<Vec3> torque_;
  std::vector<LinkForce> forces_;
  double weight_ = 0, share_ = 1;
  long standing_ = 0;
  int loosened_ = 0;
  std::optional<double> let_go_;
  Reaction reaction_;
};

}  // namespace

double radius_of(const ThrownBall& ball) { return std::cbrt(0.75 * ball.mass / (std::numbers::pi * ball_density)); }

Reaction react(const CharacterLinks& links, const ReferenceMotion& motion, const ReactOptions& options,
               const Progress& progress) {
  check_times(options, links.body.size());
  return ReactionRun(links, motion, options).run(progress);
}

}  // namespace sinew
