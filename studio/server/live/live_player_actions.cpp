// What pages ask of the player, on its thread: playing, posing, hands, loads, comparison and takes.
#include "studio/server/live/live_player.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"
#include "sinew/deform/muscle_controls.h"

namespace sinew::studio {
namespace {

bool has_muscle(const Scene& scene, const std::string& name) {
  if (!scene.muscles) return false;
  const std::span<const std::string> names = scene.muscles->names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

void LivePlayer::play(const command::Play& play) {
  require_character();
  std::string clip = play_.clip;
  if (play.clip && !play.clip->empty()) {
    const Character& character = loaded_.opened->character;
    const Clip& chosen = character.clips[static_cast<std::size_t>(choose_clip(character, *play.clip))];
    refuse_outlier_clip(character, &chosen);
    clip = *play.clip;
  } else if (play.clip) {
    clip.clear();
  }
  if (play.speed) play_.speed = *play.speed;
  const bool loop = play.loop.value_or(play_.loop);
  const PlayedRange& range = session_->playback().range;
  const bool other = clip != play_.clip, at_end = !range.loop && now_played() >= range.length;
  const std::optional<double> anew = turn_to(PlayEvent::play);
  const bool begins = other || at_end || loop != play_.loop || anew;
  play_.clip = clip;
  play_.loop = loop;
  if (begins) return start(other || at_end ? 0 : anew.value_or(now_played()));
  if (!moves())
    restart_pace();
  else if (play.speed)
    restart_pace();
  go_on();
}

void LivePlayer::pause() {
  require_character();
  if (const std::optional<double> anew = turn_to(PlayEvent::pause)) return start(*anew);  // without what the take did
  player_.reset();
  want_frame();
  stand(now_played());
}

void LivePlayer::scrub(double time) {
  require_character();
  const bool steered = steered_ != nullptr;
  turn_to(PlayEvent::scrub);
  if (steered) start(0);  // the session has the range of another clip
  const PlayedRange& range = session_->playback().range;
  start(std::clamp(time - range.begin, 0.0, range.length));
}

void LivePlayer::speed(double value) {
  play_.speed = value;
  if (moves()) restart_pace();
}

void LivePlayer::pose(const HandPose& pose) {
  require_character();
  for (const auto& [joint, rotation] : pose.joints)
    if (joint < 0 || static_cast<std::size_t>(joint) >= loaded_.opened->character.skeleton.joints.size())
      throw usage_error("The character has no joint " + std::to_string(joint) + ".");
  // Undo may bring back a pose while a method plays that cannot be posed: start() poses the next one that can.
  const bool acts = !steered_ && !loaded_.scene->follows_controls();
  if (acts) change_pose(*session_, loaded_.opened->character.skeleton, pose_, pose);
  pose_ = pose;
  if (acts) hurry();
}

bool LivePlayer::forget_page(PageNumber page) {
  applied_.erase(page);
  waiting_.erase(page);
  const std::size_t before = hands_.held.size();
  if (session_) release_page(hands_, *session_, page);
  if (steered_ && steered_->leader == page) steered_->wish = {};
  const bool held = hands_.held.size() < before;
  if (held) hurry();
  return held;
}

void LivePlayer::grab(const command::Grab& grab, PageNumber page) {
  require_character();
  studio::grab(hands_, *session_, grab, page, play_.to_world);
  hurry();
}

void LivePlayer::drag(const command::Drag& drag) {
  require_character();
  studio::drag(hands_, *session_, drag, play_.to_world);
  hurry();
}

void LivePlayer::release(const std::string& name) {
  require_character();
  studio::release(hands_, *session_, name);
  hurry();
}

void LivePlayer::act(const command::Act& act) {
  require_character();
  studio::act(*session_, act, play_.to_world);
  hurry();
}

void LivePlayer::gravity(const std::optional<Vec3>& gravity) {
  require_character();
  set_gravity(hands_, *session_, gravity);
  wake();
}

void LivePlayer::tissue(const command::Tissue& tissue) {
  require_character();
  set_tissue(hands_, *session_, tissue);
  wake();
}

void LivePlayer::shape(const command::Shape& shape) {
  require_character();
  set_shape(hands_, *session_, shape.action);
  hurry();
}

void LivePlayer::activate(const Action& activation) {
  require_character();
  if (play_.mode != PlayMode::recording) throw usage_error("The recording has ended; hold the muscle once more.");
  session_->act(activation);
  hurry();
}

void LivePlayer::show(const command::Show& show) {
  require_character();
  studio::show(frames_, *loaded_.scene, show);
  want_frame();
}

void LivePlayer::play_comparison(std::shared_ptr<const Scene> scene) {
  require_character();
  comparison_.reset();
  want_frame();
  if (!scene) return;
  if (loaded_.scene->follows_controls())
    throw usage_error("The method " + loaded_.scene->method +
                      " moves the rig's own controls and cannot be compared live; choose another one.");
  if (play_.mode == PlayMode::recording) throw usage_error("Stop recording before you start a comparison.");
  if (play_.mode == PlayMode::steering) throw usage_error("End steering (Esc) before you start a comparison.");
  comparison_.emplace(loaded_.opened, std::move(scene), clock_);
  start(now_played());
}

const MovingCells& LivePlayer::cells() {
  require_character();
  frames_.moving_cells.of(loaded_.scene);
  return frames_.moving_cells;
}

void LivePlayer::end_comparison() {
  if (!comparison_) return;
  comparison_.reset();
  if (events_.comparison_ended) events_.comparison_ended();
}

// A failure of the comparison ends only the comparison.
void LivePlayer::follow_comparison() {
  if (!comparison_) return;
  try {
    comparison_->follow(*session_);
  } catch (const Error& error) {
    end_comparison();
    if (events_.failed) events_.failed(std::string("What plays beside ended: ") + error.what());
  }
}

void LivePlayer::record() {
  require_character();
  hands_.held.clear();
  turn_to(PlayEvent::record);
  take_told_ = 0;
  start(0);
}

void LivePlayer::stop() {
  require_character();
  if (play_.mode != PlayMode::recording) return pause();
  turn_to(PlayEvent::stop_recording);
  start(0);
}

void LivePlayer::report_take(bool ended) {
  take_told_ = session_->elapsed();
  if (events_.recorded) events_.recorded({play_.clip, session_->elapsed(), session_->take()}, ended);
}

void LivePlayer::repeat(const RecordedTake& take) {
  require_character();
  if (!take.clip.empty()) choose_clip(loaded_.opened->character, take.clip);  // throws if there is none
  for (const auto& [elapsed, action] : take.actions)
    if (action.kind == Action::Kind::activation && !has_muscle(*loaded_.scene, action.name))
      throw usage_error("The take holds the muscle '" + action.name +
                        "', which is not there; place it again, or forget the take.");
  turn_to(PlayEvent::repeat);
  hands_.held.clear();
  play_.clip = take.clip;
  take_ends_ = take.seconds;
  start(take.begin);
  session_->repeat(take.actions);
}

void LivePlayer::steer(const std::shared_ptr<const LiveGraph>& graph) {
  require_character();
  if (graph->opened != loaded_.opened) throw usage_error("The character has other clips now; steer it anew.");
  if (loaded_.scene->follows_controls())
    throw usage_error("The method " + loaded_.scene->method +
                      " moves the rig's own controls and cannot be steered; choose another one.");
  if (play_.mode == PlayMode::recording) throw usage_error("Stop recording before you steer.");
  auto steered = std::make_unique<Steered>(graph);
  ClipPlay first = play_;
  first.clip = steered->character.first_clip().name;
  const Playback playback = playback_of(first, loaded_, false);
  end_comparison();
  turn_to(PlayEvent::steer);
  play_.to_world = play_.cycle = {};
  play_.cycles = 0;
  const double from = steered->character.first_time() - playback.range.begin;
  session_->play(playback, from);
  session_->stand(from);
  act_again(hands_, *session_, play_.to_world);
  steered->begin = session_->elapsed();
  steered_ = std::move(steered);
  restart_pace();
  want_frame();
}

void LivePlayer::lead(const command::Steer& steer, PageNumber page) {
  require_character();
  if (!steered_) throw usage_error("The character is not steered now; begin with that.");
  steered_->wish = steer_wish(steered_->character.graph(), steer.turn, steer.pace);
  steered_->leader = page;
}

// The pose that steering has at a time of the session.
void LivePlayer::lead_to(double elapsed) {
  if (steered_) session_->pose(steered_->character.pose(elapsed - steered_->begin, steered_->wish));
}

void LivePlayer::end_steering() {
  require_character();
  if (!steered_) return;
  if (const std::optional<double> anew = turn_to(PlayEvent::play)) start(*anew);
}

}  // namespace sinew::studio
