#include "sinew/session/session.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cook/methods.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/surface_centroid.h"
#include "sinew/rig/bone_scale.h"

namespace sinew {
namespace {

// Fraction of a step below which a difference of times is rounding.
constexpr double no_time = 1e-9;
// Time constant, seconds, with which a hand follows its target: drags come from a mouse, more slowly than steps and in
// jumps.
constexpr double hand_time = 0.02;

// 0 to 1 over the blend's seconds, smoothly.
double blend_share(const Playback& playback, double clip_time) {
  const double to_go = playback.range.begin + playback.range.length - clip_time;
  const double s = std::clamp(1 - to_go / playback.loop_blend.seconds, 0.0, 1.0);
  return s * s * (3 - 2 * s);
}

void blend_loop(const Playback& playback, double elapsed, std::span<Affine> bones) {
  playback.loop_blend.apply(playback.range.cycles(elapsed), blend_share(playback, playback.range.clip_time(elapsed)),
                            bones);
}

ClipMoment for_environment(const Moment& moment) { return {moment.clip_time, moment.pose, moment.bones}; }

// Moves a whole pose by a motion of the world, metres.
void place(const Affine& motion, double metres_per_unit, Pose& pose) {
  const Affine in_units{motion.linear, motion.translation / metres_per_unit};
  for (Affine& joint : pose.world) joint = in_units * joint;
}

bool is_pose(const Action& action) {
  return action.kind == Action::Kind::turn || action.kind == Action::Kind::unturn || action.kind == Action::Kind::carry;
}

}  // namespace

Session::Session(const Character& character, const Scene& scene, const Playback& playback)
    : character_(character),
      scene_(&scene),
      deformer_(scene.deformer()),
      environment_(std::in_place, character, *scene.surface, scene.acting, scene.hold_reach, scene.gravity) {
  check_capabilities(scene.method, traits().can, environment_->everything(), traits().all_with);
  path_ = [this](double elapsed, std::span<double> values) {
    key(playback_.range.clip_time(played_at(elapsed)), values);
  };
  if (!scene.follows_controls()) weights_ = weight_controls(character, *scene.surface);
  play(playback);
}

std::int64_t Session::multiple() const {
  if (traits().step == 0) return 1;
  return std::llround(deformer_->steps()[deformer_->chosen_step()] / traits().step);
}

void Session::choose_step(std::size_t choice) {
  if (choice == deformer_->chosen_step()) return;
  if (choice >= deformer_->steps().size())
    throw usage_error("the method " + scene_->method + " has no step of number " + std::to_string(choice) +
                      "; see the steps of its deformer.");
  deformer_->choose_step(choice, state(earlier(deformer_->steps()[choice])));
}

// The rig so much before the last step's end: poses by hand are known at steps alone, and
// in between and before on a line through the last two.
Moment Session::earlier(double by) const {
  if (!posed_) return driven_at(last_.elapsed - by);
  const double share = by / (static_cast<double>(last_step_) * traits().step);
  Moment moment = last_;
  moment.elapsed -= by;
  for (std::size_t b = 0; b < moment.bones.size(); ++b) {
    const Affine &now = last_.bones[b], &before = other_.bones[b];
    moment.bones[b].translation += share * (before.translation - now.translation);
    moment.bones[b].linear = now.linear + share * (before.linear - now.linear);
  }
  for (std::size_t c = 0; c < moment.controls.size(); ++c)
    moment.controls[c] += share * (other_.controls[c] - last_.controls[c]);
  return moment;
}

void Session::key(double clip_time, std::span<double> controls) const {
  std::copy(scene_->rest_controls.begin(), scene_->rest_controls.end(), controls.begin());
  if (playback_.controls && !controls.empty()) playback_.controls->sample(clip_time, controls);
}

Moment Session::moment_at(double elapsed) const {
  Moment moment;
  moment_at(elapsed, moment);
  return moment;
}

void Session::moment_at(double elapsed, Moment& moment) const {
  moment_of(playback_.clip, elapsed, moment);
  find_controls(moment);
}

Moment Session::driven_at(double elapsed) const {
  Moment moment;
  driven_at(elapsed, moment);
  return moment;
}

void Session::driven_at(double elapsed, Moment& moment) const {
  moment_of(motion_ ? &motion_->driving(*playback_.clip) : playback_.clip, elapsed, moment);
  find_controls(moment);
}

void Session::moment_of(const Clip* clip, double elapsed, Moment& moment) const {
  moment.elapsed = elapsed;
  moment.clip_time = playback_.range.clip_time(played_at(elapsed));
  if (posed_)
    moment.pose = *posed_;
  else
    sample_posed(clip, elapsed, moment);
  if (floating_) place(floating_->at(elapsed - last_.elapsed), character_.metres_per_unit, moment.pose);
  // One of the two is empty.
  moment.controls.resize(scene_->rest_controls.size() + weights_.size());
  const std::span keyed = std::span(moment.controls).first(scene_->rest_controls.size());
  key(moment.clip_time, keyed);
  fixed_at(fixed_keys(), traits().curves, moment.clip_time, step_length(), moment.fixed);
  if (scene_->pose_joints) scene_->pose_joints(keyed, moment.pose.world);
  read_weights(weights_, moment.pose, std::span(moment.controls).subspan(keyed.size()));
  moment.bones.resize(scene_->bones.size());
  bone_transforms(character_, scene_->bones, moment.pose, moment.bones);
  if (!playback_.loop_blend.bones.empty() && !posed_) blend_loop(playback_, played_at(elapsed), moment.bones);
}

void Session::sample_posed(const Clip* clip, double elapsed, Moment& moment) const {
  sample(character_.skeleton, clip, moment.clip_time, sampling_, moment.pose);
  apply_pose_changes(character_, poses_, elapsed, sampling_, moment.pose);
}

std::span<const FixedStretch> Session::fixed_keys() const {
  return scene_->fixed_keys.of(playback_.clip ? playback_.clip->name : "");
}

bool Session::only_the_clip_acts(double begin, double end) const {
  const std::span<const FixedStretch> fixed = fixed_keys();
  return !environment_->acts_between(begin, end) &&
         std::none_of(fixed.begin(), fixed.end(),
                      [&](const FixedStretch& s) { return s.begin() < end && s.end() >= begin; });
}

// Once for each clip.
void Session::find_motion() {
  motion_ = nullptr;
  if (!playback_.clip || traits().step == 0) return;
  const auto [found, is_new] = motions_.try_emplace(playback_.clip);
  if (is_new) found->second = clip_motion(character_, *scene_->surface, *playback_.clip);
  motion_ = &found->second;
}

std::span<const Cut> Session::cuts() const {
  return motion_ ? std::span<const Cut>(motion_->cuts) : std::span<const Cut>{};
}

bool Session::is_cut_between(double elapsed_before, double elapsed) const {
  if (!motion_ || motion_->cuts.empty() || posed_ || stands_at_) return false;
  const PlayedRange& range = playback_.range;
  const double begin = range.clip_time(played_at(elapsed_before)), end = range.clip_time(played_at(elapsed));
  if (begin <= end) return motion_->is_cut(begin, end);
  return motion_->is_cut(begin, range.begin + range.length) || motion_->is_cut(range.begin, end);
}

// In place of a step. While a cut goes on, the rig counts as standing still.
void Session::carry_to(const Moment& now) {
  const double h = traits().step, before = last_.elapsed - h, after = now.elapsed + h;
  const bool was_cut = is_cut_between(before, last_.elapsed), goes_on = is_cut_between(now.elapsed, after);
  const Moment earlier = was_cut ? last_ : driven_at(before), next = goes_on ? now : driven_at(after);
  deformer_->carry({state(earlier), state(last_), state(now), state(next)});
}

void Session::play(const Playback& playback, double from) {
  playback_ = playback;
  environment_->play(playback.clip ? playback.clip->name : "");
  find_motion();
  shift_ = from;
  stands_at_.reset();
  stood_at_ = -HUGE_VAL;
  posed_.reset();
  grabs_.clear();
  loads_.clear();
  tissue_ = {};
  shapes_.clear();
  poses_ = {};
  take_.clear();
  repeated_.clear();
  next_repeated_ = 0;
  steps_ = 0;
  last_step_ = 1;
  still_ = true;
  floating_.reset();
  falling_ = FallingBalls(scene_->acting.colliders);
  last_ = other_ = driven_at(elapsed(0));
  if (is_free()) let_go();
  displayed_time_ = last_.elapsed;
  if (traits().step > 0) deformer_->reset(state(last_), state(driven_at(elapsed(1))));
}

void Session::let_go() {
  free_goal_.resize(scene_->surface->rest.positions.size());
  free_displacement_.resize(free_goal_.size());
  goal(last_, free_goal_);
  floating_.emplace(free_goal_.size(), surface_centroid(scene_->surface->rest, free_goal_), *scene_->toss,
                    traits().step);
}

void Session::follow_free_body() {
  goal(other_, free_goal_);
  deformer_->unclamped_displacements(state(other_), free_displacement_);
  floating_->step_to(step_length(), free_goal_, free_displacement_);
}

void Session::pose(const Pose& pose) {
  if (scene_->follows_controls())
    throw usage_error("the method " + scene_->method + " moves a rig's own controls, which no pose by hand sets.");
  posed_ = pose;
}

void Session::unpose(double played) {
  posed_.reset();
  shift_ = played - last_.elapsed;
  stood_at_ = -HUGE_VAL;
}

void Session::go_on() {
  if (!stands_at_) return;
  stood_at_ = played();
  shift_ = stood_at_ - last_.elapsed;
  stands_at_.reset();
}

void Session::change(const Scene& scene, const RigAnimation* controls) {
  std::unique_ptr<DisplayedDeformer> other = scene.deformer();
  if (scene.surface->rest.positions.size() != scene_->surface->rest.positions.size() ||
      scene.bones.size() != scene_->bones.size() || scene.rest_controls.size() != scene_->rest_controls.size() ||
      other->traits().step != traits().step || scene.preroll != scene_->preroll || scene.toss.has_value() != is_free())
    throw usage_error(
        "a running session goes on in a scene of the same surface, bones and time step, whose bones hold the body as "
        "before; begin a new one.");
  ClipEnvironment environment(character_, *scene.surface, scene.acting, scene.hold_reach, scene.gravity);
  check_capabilities(scene.method, other->traits().can, environment.everything(), other->traits().all_with);
  if (traits().step > 0) {
    Snapshot snapshot;
    deformer_->save(snapshot);
    Moment next = driven_at(elapsed(steps_ + 1));
    for (Moment* moment : {&last_, &next}) find_activation(scene, *moment);  // of the muscles that are there now
    other->take_over(snapshot, state(last_), state(next), HUGE_VAL);
  }
  FallingBalls falling(scene.acting.colliders);
  falling.take_over(falling_);
  falling_ = std::move(falling);
  if (scene.controls != scene_->controls) playback_.controls = controls;
  scene_ = &scene;
  deformer_ = std::move(other);
  environment_.emplace(character_, *scene.surface, scene.acting, scene.hold_reach, scene.gravity);
  environment_->play(playback_.clip ? playback_.clip->name : "");
  for (ActiveGrab& grab : grabs_) grab.attachment.reach = reach_of(grab.attachment, scene.hold_reach);
}

void Session::repeat(Take take) {
  repeated_ = std::move(take);
  next_repeated_ = 0;
}

const Environment& Session::acting(const Moment& before, const Moment& now) {
  const double step = step_length();
  acting_.clear();
  acting_.friction = scene_->acting.friction;  // skin rubs on skin also where nothing else acts
  if (!environment_->empty()) environment_->over(for_environment(before), for_environment(now), step, acting_);
  std::erase_if(loads_, [&](const ActiveLoad& load) { return load.until <= before.elapsed + no_time * traits().step; });
  for (const ActiveLoad& load : loads_) acting_.loads.push_back(load.load);
  tissue_.apply(now.elapsed, scene_->gravity, acting_);
  if (!falling_.empty()) move_balls(now, step);
  const double share = step > 0 ? 1 - std::exp(-step / hand_time) : 1;
  for (ActiveGrab& grab : grabs_) {
    const SimulationSurface& surface = *scene_->surface;
    const Vec3 target = within_reach(grab.attachment, surface, now.bones, grab.target), before_step = grab.hand;
    grab.hand = within_reach(grab.attachment, surface, now.bones, grab.hand + share * (target - grab.hand));
    const Vec3 displacement = grab.hand - before_step;
    hold(grab.attachment, surface, grab.name, {grab.hand, displacement, before.bones, now.bones, step}, acting_.held);
  }
  return acting_;
}

// Balls are let go when the pre-roll is over.
void Session::move_balls(const Moment& now, double step) {
  const bool let_go = now.elapsed > no_time * traits().step;
  falling_.follow(acting_, step, !let_go);
  if (let_go) falling_.fly(acting_.gravity.value_or(scene_->gravity), step, acting_);
}

// True if the character is scaled to nothing; its flesh starts when it appears.
bool Session::is_hidden(const Moment& moment) const {
  return !posed_ && !moment.bones.empty() && are_all_collapsed(moment.bones);
}

void Session::go_to(double elapsed) {
  while (next_repeated_ < repeated_.size() &&
         repeated_[next_repeated_].elapsed <= last_.elapsed + no_time * traits().step) {
    const TimedAction& timed = repeated_[next_repeated_++];
    act(timed.action, timed.elapsed);
  }
  last_step_ = multiple();
  steps_ += last_step_;
  Moment& now = other_;
  driven_at(elapsed, now);
  const Moment& before = traits().step > 0 ? last_ : now;
  const Environment& environment = acting(before, now);
  if (traits().step > 0 && is_hidden(now)) {
    // Flesh waits.
  } else if (traits().step > 0 && is_hidden(before)) {
    deformer_->reset(state(now), state(driven_at(elapsed + traits().step)));
  } else if (traits().step > 0 && is_cut_between(before.elapsed, elapsed)) {
    carry_to(now);
  } else {
    deformer_->advance(state(now), environment);
    if (!environment.balls.empty()) falling_.take(deformer_->statistics().balls, environment);
  }
  if (floating_) follow_free_body();
  still_ = now.controls == last_.controls && now.forces == last_.forces && now.stiffening == last_.stiffening &&
           now.activation == last_.activation && now.fixed.empty() &&
           std::equal(now.bones.begin(), now.bones.end(), last_.bones.begin(), last_.bones.end()) &&
           environment.held.empty() && environment.loads.empty() && environment.colliders.empty() &&
           !environment.gravity && environment.stiffness == last_stiffness_;
  last_stiffness_ = environment.stiffness;
  std::swap(last_, other_);
  displayed_time_ = last_.elapsed;
}

bool Session::try_step(const Progress& goes_on, double interval) {
  // Not by load(), which finds the last moment anew: since the last step, the pose may have been changed by hand.
  const SessionState before = save();
  const Moment last = last_, other = other_;
  const std::size_t repeated = next_repeated_, taken = take_.size();
  const bool still = still_;
  const double stiffness = last_stiffness_;
  try {
    const StopInLoops stops(goes_on, interval);
    step();
    return true;
  } catch (const Stopped&) {
  }
  take_actions_of(before);
  poses_ = before.poses;
  posed_ = before.posed;
  next_repeated_ = repeated;
  take_.erase(take_.begin() + static_cast<std::ptrdiff_t>(taken), take_.end());
  last_ = last;
  other_ = other;
  still_ = still;
  last_stiffness_ = stiffness;
  const double anywhere = std::numeric_limits<double>::infinity();
  if (floating_) floating_->load(*before.floating, anywhere);
  falling_.load(before.balls);
  deformer_->load(before.deformer, state(last_), anywhere);
  return false;
}

void Session::advance(double seconds) {
  if (traits().step == 0) return go_to(displayed_time_ + seconds);
  const double until = displayed_time_ + seconds;
  while (last_.elapsed < until - no_time * traits().step) step();
  displayed_time_ = until;
}

double Session::before(double elapsed) const {
  const double last = static_cast<double>(last_step_) * traits().step;
  return last > 0 ? std::clamp((last_.elapsed - elapsed) / last, 0.0, 1.0) : 0;
}

void Session::surface(std::span<Vec3> positions) {
  const double share = before(displayed_time_);
  deformer_->surface(state(share > 0 || !follows_clip_itself() ? moment_at(displayed_time_) : last_), share, positions);
}

double Session::driven_displacement(const Moment& moment) {
  double driven = environment_->empty() ? 0 : environment_->driven_displacement(for_environment(moment));
  if (!grabs_.empty()) {
    std::vector<Vec3> by_rig(scene_->surface->rest.positions.size());
    goal(moment, by_rig);
    for (const ActiveGrab& grab : grabs_)
      driven = std::max(driven, distance(grab.target, place_of(grab.attachment.middle, by_rig)));
  }
  return deformer_->driven_displacement() + driven;
}

SessionState Session::save() const {
  SessionState state{steps_, last_step_, displayed_time_, {},         grabs_, loads_, tissue_, shapes_, poses_,
                     posed_, {},         shift_,          stands_at_, {},     {}};
  if (posed_) state.posed_before = other_.pose;
  if (floating_) state.floating = floating_->state();
  state.balls = falling_.numbers();
  deformer_->save(state.deformer);
  return state;
}

void Session::take_actions_of(const SessionState& state) {
  steps_ = state.steps;
  last_step_ = state.last;
  displayed_time_ = state.displayed_time;
  grabs_ = state.grabs;
  loads_ = state.loads;
  tissue_ = state.tissue;
  shapes_ = state.shapes;
}

void Session::load(const SessionState& state, double reach) {
  take_actions_of(state);
  shift_ = state.shift;
  stands_at_ = state.stands_at;
  stood_at_ = -HUGE_VAL;
  const double now = traits().step > 0 ? elapsed(steps_) : displayed_time_;
  const auto is_done = [&](const TimedAction& timed) { return timed.elapsed < now - no_time * traits().step; };
  poses_ = repeated_.empty() ? state.poses : PoseChanges{};
  for (const TimedAction& timed : repeated_)
    if (is_done(timed) && is_pose(timed.action)) change_pose(timed.action, timed.elapsed);
  if (floating_) {
    if (!state.floating) throw forged_state("where its free body is");
    floating_->load(*state.floating, reach);
    last_.elapsed = now;  // which the frame counts from
  }
  falling_.load(state.balls);
  posed_ = state.posed_before;
  driven_at(elapsed(steps_ - last_step_), other_);
  posed_ = state.posed;
  last_ = driven_at(now);
  deformer_->load(state.deformer, this->state(last_), reach);
  still_ = false;
  if (repeated_.empty()) return;
  // Of a take that is repeated, what was done by then.
  grabs_.clear();
  loads_.clear();
  tissue_ = {};
  shapes_.clear();
  take_.clear();
  for (next_repeated_ = 0; next_repeated_ < repeated_.size() && is_done(repeated_[next_repeated_]); ++next_repeated_) {
    const TimedAction& done = repeated_[next_repeated_];
    if (!is_pose(done.action)) start_action(done.action, done.elapsed);
    if (kind_of(done.action).load) loads_.back().until = done.elapsed + done.action.seconds;
    take_.push_back(done);
  }
  for (Moment* moment : {&other_, &last_}) find_controls(*moment);
  if (grabs_.size() != state.grabs.size()) throw forged_state("what holds it");
  for (std::size_t k = 0; k < grabs_.size(); ++k) {
    check_within(std::span(&state.grabs[k].hand, 1), reach, "what holds it");
    grabs_[k].hand = state.grabs[k].hand;
  }
}

}  // namespace sinew
