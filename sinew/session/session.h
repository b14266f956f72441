// An interactive simulation of a character. It follows a clip or is posed by hand, is pushed and dragged, can be
// sampled between steps, and can return to saved states (docs/session.md). Baking runs one over a clip (bake/bake.h).
//
//   Session session(character, scene, whole(character.clips[0]));   // scene: cooked by a method (deform/scene.h)
//   Action push{.kind = Action::Kind::point_force, .point = belly, .force = {0, 0, -50}};
//   push.radius = 0.1, push.seconds = 0.1;
//   session.act(push);
//   session.advance(1.0 / 60);                                      // seconds since the last call
//   session.surface(positions);
//
// Not thread-safe. base/threads/hand_over.h passes surfaces from the thread that steps to one that displays.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/deform/deformer.h"
#include "sinew/deform/scene.h"
#include "sinew/rig/clip_motion.h"
#include "sinew/rig/weight_controls.h"
#include "sinew/session/action.h"
#include "sinew/session/clip_environment.h"
#include "sinew/session/falling_balls.h"
#include "sinew/session/floating_frame.h"
#include "sinew/session/playback.h"
#include "sinew/session/pose_changes.h"

namespace sinew {

// The rig at a moment.
struct Moment {
  double elapsed = 0;    // seconds since the pre-roll's end
  double clip_time = 0;  // seconds on the clip's time line
  Pose pose;
  std::vector<Affine> bones;                      // rest space to world, metres
  std::vector<double> controls;                   // controls of RigState
  std::vector<PointForce> forces;                 // forces of RigState
  std::vector<PointDisplacement> shown_by_rig{};  // likewise
  std::vector<PointStiffening> stiffening{};      // likewise
  std::vector<FixedControl> fixed{};              // likewise
  std::vector<double> activation{};               // likewise
};

// A grab in progress.
struct ActiveGrab {
  SharedText name;
  Attachment attachment;
  Vec3 target, hand;  // metres, world; the hand follows the target smoothly
};
// A load in progress.
struct ActiveLoad {
  Load load;
  double until = 0;  // end of the load, seconds since the pre-roll's end
};

// A change of a value in progress, or over.
template <class Value>
struct ActiveChange {
  Value from{}, to{};
  double begin = 0, seconds = 0;  // seconds since the pre-roll's end; how long the way takes

  Value at(double elapsed) const {
    return elapsed - begin < seconds ? on_the_way(from, to, (elapsed - begin) / seconds) : to;
  }
};
// Tissue and gravity as actions have changed them; empty: as settings and keys say.
struct TissueChanges {
  std::optional<ActiveChange<double>> stiffness, damping;
  std::optional<ActiveChange<Vec3>> gravity;
  bool gravity_is_given_back = false;  // `gravity` leads to what keys and the scene say, in place of its `to`

  // `gravity_of_scene`: where no key says otherwise.
  void apply(double elapsed, const Vec3& gravity_of_scene, Environment& environment) const;
};

// A control of force rigs that is held, a rig's share or a muscle's activation, on its way from one value to another.
struct ShapeChange {
  Action::Kind kind = Action::Kind::control;
  std::string name;  // of the control, rig or muscle
  double from = 0;
  std::optional<double> to;  // empty: it goes back to the value that keys or the pose give it
  double begin = 0, seconds = 0;

  bool is_over(double elapsed) const { return !to && share(elapsed) == 1; }
  double at(double elapsed, double own) const { return std::lerp(from, to.value_or(own), share(elapsed)); }
  // Share of the way, from 0 to 1.
  double share(double elapsed) const {
    return elapsed - begin < seconds ? std::max(0.0, (elapsed - begin) / seconds) : 1;
  }
};

// The state of a session, without its playback.
struct SessionState {
  std::int64_t steps = 0, last = 1;  // steps made and length of the last one, in shortest steps
  double displayed_time = 0;         // time that surface() displays, seconds since the pre-roll's end
  Snapshot deformer;
  std::vector<ActiveGrab> grabs;
  std::vector<ActiveLoad> loads;
  TissueChanges tissue;
  std::vector<ShapeChange> shapes;
  PoseChanges poses;
  std::optional<Pose> posed, posed_before;         // pose by hand now, and at the step before the last
  double shift = 0;                                // offset from session time to time played, seconds
  std::optional<double> stands_at;                 // time played at which the clip stands, seconds
  std::optional<FloatingFrame::State> floating{};  // of free bodies
  std::vector<double> balls{};                     // FallingBalls::numbers()
};

class Session {
 public:
  // Starts at the beginning of the playback; without one, in the rest pose. Character and scene must outlive the
  // session. Throws usage_error if the scene's settings refer to elements that the character lacks, or to loads that
  // the method does not support.
  Session(const Character& character, const Scene& scene, const Playback& playback = {});

  const DeformerTraits& traits() const { return deformer_->traits(); }
  const DisplayedDeformer& deformer() const { return *deformer_; }
  const Scene& scene() const { return *scene_; }
  const Playback& playback() const { return playback_; }
  const ClipEnvironment& environment() const { return *environment_; }
  // Balls that fall, at the end of the last step.
  const FallingBalls& falling() const { return falling_; }

  // Restarts with this playback, `from` seconds into it, in equilibrium and moving with the rig. Ends all actions and
  // poses, and begins a new take.
  void play(const Playback& playback, double from = 0);
  // Holds this pose from the next step on, in place of the clip. Throws usage_error if the goal follows the rig's own
  // controls.
  void pose(const Pose& pose);
  // Resumes the clip from the next step on, now `played` seconds into it. The state of the flesh does not change.
  void unpose(double played);
  // Lets the clip stand still once it has played `played` seconds, while the flesh moves on; and lets it play on.
  void stand(double played) { stands_at_ = played; }
  void go_on();
  bool stands() const { return stands_at_.has_value(); }
  // Time played at the last step, seconds. Not meaningful while posed.
  double played() const { return played_at(last_.elapsed); }
  // Whether the scene's body is held by no bone: its joints move with it.
  bool is_free() const { return scene_->toss.has_value(); }
  // True while joints are on their way to where actions turn them, or the character is carried.
  bool changes_pose() const { return !poses_.over(last_.elapsed); }
  // Continues the current state in another scene of the same character, such as one cooked again with changed settings.
  // The scene must outlive the session. Throws usage_error if its surface, bones or time step differ, input_error if
  // its body cannot take over the state. `controls`: the clip as parameters of the scene's rig, where that is another
  // one (Scene::controls).
  void change(const Scene& scene, const RigAnimation* controls = nullptr);
  // Starts an action at the next step and adds it to the take. Throws usage_error if the method does not support it, or
  // no grab of this name can be dragged or released.
  void act(const Action& action);
  // Replays a take, each action at its time. Call before the first step.
  void repeat(Take take);
  const Take& take() const { return take_; }
  // Clears the take, for sessions that run for hours without recording.
  void forget_take() { take_.clear(); }

  // Takes one internal step. Only for methods with memory.
  void step() { go_to(elapsed(steps_ + multiple())); }
  // Steps like step(), and asks every `interval` seconds of it whether to go on. Returns false where `goes_on` did: the
  // session is then as it was before.
  bool try_step(const Progress& goes_on, double interval);
  // Sets the length of the following steps: an index into deformer().steps(). The displayed flesh does not change.
  void choose_step(std::size_t choice);
  // Goes to any time. Only for methods without memory.
  void go_to(double elapsed);
  // Advances the displayed time, taking whole steps as they come due. The display interpolates between the last two.
  void advance(double seconds);

  std::int64_t steps() const { return steps_; }  // steps made, in shortest steps
  double elapsed(std::int64_t after_steps) const {
    return static_cast<double>(after_steps) * traits().step - playback_.range.preroll;
  }
  double elapsed() const { return last_.elapsed; }           // last step's time since the pre-roll's end, seconds
  double displayed_time() const { return displayed_time_; }  // time that surface() displays, seconds
  // The position of a time within the last step: 0 at its end, 1 at its beginning.
  double before(double elapsed) const;
  bool still() const { return still_; }  // the rig did not move in the last step, and no load drives the flesh

  // The rig at any time, as played (moment_at) and as physics follows it (driven_at); they differ where keys hold
  // poses.
  Moment moment_at(double elapsed) const;
  void moment_at(double elapsed, Moment& moment) const;  // reuses the memory of `moment`
  Moment driven_at(double elapsed) const;
  void driven_at(double elapsed, Moment& moment) const;
  RigState state(const Moment& moment) const {
    return {moment.elapsed,      moment.bones,      moment.controls, &path_,           moment.forces,
            moment.shown_by_rig, moment.stiffening, moment.fixed,    moment.activation};
  }

  // The displayed flesh: metres, world, per vertex of the scene's surface.
  void surface(std::span<Vec3> positions);
  // Cuts of the clip that is played, across which flesh is carried (rig/clip_motion.h).
  std::span<const Cut> cuts() const;

  // Surfaces and displacements at a moment, as in Deformer. `before`: position within the last step, 0 at its end.
  void goal(const Moment& moment, std::span<Vec3> positions) { deformer_->goal(state(moment), positions); }
  void displacements(const Moment& moment, double before, std::span<Vec3> from_goal) {
    deformer_->displacements(state(moment), before, from_goal);
  }
  // Clamps displacements that the caller changed after displacements().
  void clamp(const Moment& moment, std::span<Vec3> from_goal) { deformer_->clamp(state(moment), from_goal); }
  void surface(const Moment& moment, double before, std::span<Vec3> positions) {
    deformer_->surface(state(moment), before, positions);
  }
  // Measures the current state. `moment` is ignored where physics follows another motion than the clip's.
  BodyMeasures measure(const Moment& moment) {
    return deformer_->measure(state(follows_clip_itself() ? moment : last_));
  }
  // True if only the clip itself acts between two times of it, seconds: no loads, no keys.
  bool only_the_clip_acts(double begin, double end) const;
  // Distance by which hands, ring constraints and the method drive flesh from the rig, metres.
  double driven_displacement(const Moment& moment);

  SessionState save() const;
  // Restores a saved state. Call play() with the same playback and repeat() with the same take first. `reach`: upper
  // bound of any distance from the origin, metres. With a repeated take, grabs come from the take, and the state gives
  // only the positions of their hands. Throws input_error if no run of this scene can have produced the state.
  void load(const SessionState& state, double reach);

 private:
  double played_at(double elapsed) const {
    return std::max(stood_at_, std::min(elapsed + shift_, stands_at_.value_or(HUGE_VAL)));
  }
  std::int64_t multiple() const;  // length of the next step, in shortest steps
  double step_length() const { return static_cast<double>(multiple()) * traits().step; }
  void key(double clip_time, std::span<double> controls) const;
  const Environment& acting(const Moment& before, const Moment& now);
  void move_balls(const Moment& now, double step);
  std::span<const FixedStretch> fixed_keys() const;  // of the clip that is played
  void find_motion();
  void let_go();
  void follow_free_body();
  bool follows_clip_itself() const { return !motion_ || !motion_->driven || posed_; }
  void moment_of(const Clip* clip, double elapsed, Moment& moment) const;
  void sample_posed(const Clip* clip, double elapsed, Moment& moment) const;
  void find_shape_forces(Moment& moment) const;
  void find_activation(const Scene& scene, Moment& moment) const;
  void find_controls(Moment& moment) const {
    find_shape_forces(moment);
    find_activation(*scene_, moment);
  }
  bool is_hidden(const Moment& moment) const;
  bool is_cut_between(double elapsed_before, double elapsed) const;
  void carry_to(const Moment& now);
  void take_actions_of(const SessionState& state);
  // `elapsed`: the action's time, at or before the last step's end.
  void act(const Action& action, double elapsed);
  void start_action(const Action& action, double elapsed);
  void change_shape(const Action& action, double elapsed);
  void change_activation(const Action& action, double elapsed);
  void replace_shape(ShapeChange change, double own);
  void change_pose(const Action& action, double elapsed);
  ClipRotation clip_rotation_of(int joint, double elapsed) const;
  Environment tissue_at(double elapsed) const;  // stiffness, damping and gravity in force
  Moment earlier(double by) const;
  void share_points();  // divides the held points among all grabs
  ActiveGrab& grab_of(const std::string& name);
  double hold_radius(const Action& grab) const;

  const Character& character_;
  const Scene* scene_;
  std::unique_ptr<DisplayedDeformer> deformer_;
  std::optional<ClipEnvironment> environment_;
  Playback playback_;
  std::map<const Clip*, ClipMotion> motions_;  // per clip that was played
  const ClipMotion* motion_ = nullptr;         // motion of the current clip; null: none
  ControlPath path_;
  std::vector<WeightControl> weights_;  // the controls if the goal follows bones
  std::optional<Pose> posed_;
  // The rig as physics follows it: at the last step, and at the one before it or in progress.
  Moment last_, other_;
  Environment acting_;  // during that step
  FallingBalls falling_;
  mutable SamplingSpace sampling_;
  std::int64_t steps_ = 0, last_step_ = 1;  // steps made and length of the last one, in shortest steps
  double displayed_time_ = 0;
  double shift_ = 0;                       // offset from elapsed() to the time played, seconds
  std::optional<double> stands_at_;        // SessionState
  double stood_at_ = -HUGE_VAL;            // where the clip stood before it played on: it was not earlier since
  std::optional<FloatingFrame> floating_;  // of free bodies
  std::vector<Vec3> free_goal_, free_displacement_;
  bool still_ = true;
  double last_stiffness_ = 1;  // Environment::stiffness in the last step
  std::vector<ActiveGrab> grabs_;
  std::vector<ActiveLoad> loads_;
  TissueChanges tissue_;
  std::vector<ShapeChange> shapes_;
  PoseChanges poses_;
  mutable ShapeControls::Held held_shapes_;  // of the moment that is being found
  Take take_, repeated_;
  std::size_t next_repeated_ = 0;
};

}  // namespace sinew
