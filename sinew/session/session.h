// A character alive in memory. It follows a clip or is posed by hand, is pushed and dragged, can be looked at between
// any two steps, and goes back to any moment that was kept (docs/session.md). Baking runs one over a clip
// (bake/bake.h).
//
//   Session session(character, scene, whole(character.clips[0]));   // scene: what a method made of it (deform/scene.h)
//   session.act({.kind = Action::Kind::point_force, .point = belly, .force = {0, 0, -50}, .radius = 0.1, .seconds =
//   0.1}); session.advance(1.0 / 60);                                      // as much time as has passed
//   session.surface(positions);
//
// One thread at a time; where one steps and another looks, base/threads/hand_over.h takes surfaces from the one to the
// other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/scene.h"
#include "sinew/rig/clip_motion.h"
#include "sinew/rig/weight_controls.h"
#include "sinew/session/action.h"
#include "sinew/session/clip_environment.h"
#include "sinew/session/playback.h"

namespace sinew {

// The rig at a moment.
struct Moment {
  double elapsed = 0;    // seconds since the pre-roll's end
  double clip_time = 0;  // seconds on the clip's time line
  Pose pose;
  std::vector<Affine> bones;     // rest space to world, metres
  std::vector<double> controls;  // as RigState has them
};

struct ActiveGrab {
  SharedText name;
  Grip grip;
  Vec3 target, hand;  // metres, world: where its middle is led, and where the hand is, which follows smoothly
};
struct ActiveLoad {
  Load load;
  double until = 0;  // seconds elapsed
};

// All that a session goes on from, but what it plays.
struct SessionState {
  std::int64_t steps = 0, last = 1;  // made, and the last one's length: in shortest ones
  double shown = 0;                  // seconds elapsed
  Snapshot deformer;
  std::vector<ActiveGrab> grabs;
  std::vector<ActiveLoad> loads;
  std::optional<Vec3> gravity;
  std::optional<Pose> posed, posed_before;  // the latter: at the step before the last
  double shift = 0;                         // seconds: so much further is what is played than `elapsed` says
};

class Session {
 public:
  // Plays from the beginning; without a playback it stands in the rest pose. Both must outlive the session. Throws
  // usage_error for what the scene's settings let act and the character does not have, or the method does not obey.
  Session(const Character& character, const Scene& scene, const Playback& playback = {});

  const DeformerTraits& traits() const { return deformer_->traits(); }
  const DisplayedDeformer& deformer() const { return *deformer_; }
  const Scene& scene() const { return *scene_; }
  const Playback& playback() const { return playback_; }
  const ClipEnvironment& environment() const { return *environment_; }

  // From its beginning, or so many seconds into it, in equilibrium and moving along. Ends what acted and what was
  // posed, and begins a new take.
  void play(const Playback& playback, double from = 0);
  // Stands in this pose from the next step on, in place of the clip. Throws usage_error where the goal follows the
  // rig's own controls.
  void pose(const Pose& pose);
  // Follows the clip again from the next step on, which is `played` seconds into it now; flesh goes on as it moves.
  void unpose(double played);
  // Seconds into what is played, at the last step; not of a pose.
  double played() const { return last_.elapsed + shift_; }
  // Goes on as it stands in another scene of the same character, such as one whose settings somebody has just changed:
  // flesh that is cooked again (cook/flesh/prepare.h), or other things that act. The scene must outlive the session.
  // Throws usage_error where it has another surface, bones or time step, input_error where its body cannot take over
  // the state.
  void change(const Scene& scene);
  // Acts from the next step on, and becomes part of the take. Throws usage_error where the method cannot, or there is
  // nothing of this name to be dragged or released.
  void act(const Action& action);
  // Does the same again, each at its time. To be called before the first step.
  void repeat(Take take);
  const Take& take() const { return take_; }
  // What was done so far is kept no longer: for sessions that go on for hours and of which nobody wants it.
  void forget_take() { take_.clear(); }

  // One internal step, of methods that have some.
  void step() { go_to(elapsed(steps_ + multiple())); }
  // The steps that follow have one of the lengths of deformer().steps(). Nothing that is shown changes by it.
  void choose_step(std::size_t choice);
  // Of methods without memory: the pose at any time.
  void go_to(double elapsed);
  // So much time, in whole steps that come due; what is shown lies between the last two.
  void advance(double seconds);

  std::int64_t steps() const { return steps_; }  // made, in shortest ones: so nothing adds up
  double elapsed(std::int64_t after_steps) const {
    return static_cast<double>(after_steps) * traits().step - playback_.range.preroll;
  }
  double elapsed() const { return last_.elapsed; }  // seconds since the pre-roll's end: of the last step
  double shown() const { return shown_; }           // of what surface() shows
  // The share of the last step, 0 to 1, by which its end is beyond this time.
  double before(double elapsed) const;
  bool still() const { return still_; }  // the rig did not move in the last step, nor does anything lead the flesh

  // The rig at another time of what is played; and as physics follows it, where keys hold poses.
  Moment moment_at(double elapsed) const;
  void moment_at(double elapsed, Moment& moment) const;  // uses the memory of `moment` again
  Moment driven_at(double elapsed) const;
  void driven_at(double elapsed, Moment& moment) const;
  RigState state(const Moment& moment) const { return {moment.elapsed, moment.bones, moment.controls, &path_}; }

  // Where the flesh is shown, and where the rig alone has it: metres, world, per vertex of the scene's surface.
  void surface(std::span<Vec3> positions);
  // `before`: share of the last step, before its end; with the rig as it is at `moment`.
  // Discontinuities of the clip that is played, across which flesh is carried (rig/clip_motion.h).
  std::span<const Cut> cuts() const;

  void goal(const Moment& moment, std::span<Vec3> positions) { deformer_->goal(state(moment), positions); }
  void displacements(const Moment& moment, double before, std::span<Vec3> from_goal) {
    deformer_->displacements(state(moment), before, from_goal);
  }
  // Clamps displacements that were changed after they were asked for.
  void clamp(const Moment& moment, std::span<Vec3> from_goal) { deformer_->clamp(state(moment), from_goal); }
  void surface(const Moment& moment, double before, std::span<Vec3> positions) {
    deformer_->surface(state(moment), before, positions);
  }
  // Of the state as it is. Where physics follows another motion than the clip shows, `moment` is not looked at.
  BodyMeasures measure(const Moment& moment) {
    return deformer_->measure(state(follows_clip_itself() ? moment : last_));
  }
  // Metres: how far hands, belts and the method itself drive flesh away from the rig.
  double driven_displacement(const Moment& moment);

  SessionState save() const;
  // After play() of the same, and repeat() of the same take. `reach`: metres from the origin that nothing can be
  // beyond. Of a repeated take, grabs are told by their hands alone. Throws input_error where it is no state of this.
  void load(const SessionState& state, double reach);

 private:
  std::int64_t multiple() const;  // of the shortest step: the length of the next one
  double step_length() const { return static_cast<double>(multiple()) * traits().step; }
  void key(double clip_time, std::span<double> controls) const;
  const Environment& acting(const Moment& before, const Moment& now);
  void find_motion();
  bool follows_clip_itself() const { return !motion_ || !motion_->driven || posed_; }
  void moment_of(const Clip* clip, double elapsed, Moment& moment) const;
  bool is_hidden(const Moment& moment) const;
  bool is_cut_between(double elapsed_before, double elapsed) const;
  void carry_to(const Moment& now);
  void start_action(const Action& action);
  Moment earlier(double by) const;
  void share_points();  // among all that grab
  ActiveGrab& grab_of(const std::string& name);
  double hold_radius(const Action& grab) const;

  const Character& character_;
  const Scene* scene_;
  std::unique_ptr<DisplayedDeformer> deformer_;
  std::optional<ClipEnvironment> environment_;
  Playback playback_;
  std::map<const Clip*, ClipMotion> motions_;  // of clips that were played
  const ClipMotion* motion_ = nullptr;         // of the one that is; null: of none
  ControlPath path_;
  std::vector<WeightControl> weights_;  // the controls, where the goal follows bones
  std::optional<Pose> posed_;
  // The rig as physics follows it: at the last step; at the one before it, or the one in the making.
  Moment last_, other_;
  Environment acting_;  // over it
  mutable SamplingSpace sampling_;
  std::int64_t steps_ = 0, last_step_ = 1;  // in shortest steps: made, and the length of the last one
  double shown_ = 0;
  double shift_ = 0;  // seconds: so much further is what is played than elapsed() says
  bool still_ = true;
  std::vector<ActiveGrab> grabs_;
  std::vector<ActiveLoad> loads_;
  std::optional<Vec3> gravity_;  // in place of the scene's own
  Take take_, repeated_;
  std::size_t next_repeated_ = 0;
};

}  // namespace sinew
