#include "studio/server/live/live_player.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "sinew/base/error.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"

namespace sinew::studio {
namespace {

constexpr double rounds_per_second = 60;
constexpr std::size_t most_waiting = 4096;
constexpr double still_way = 2e-5;       // of the height: what moves less between two frames stands still
constexpr double still_time = 0.5;       // seconds
constexpr double at_clip_end = 0.4;      // seconds that a clip stands at its end, before it begins anew
constexpr double telling_of_take = 0.5;  // seconds between two reports of what is recorded
constexpr std::size_t most_actions_kept = 10'000;
constexpr int most_failures = 3;

}  // namespace

LivePlayer::LivePlayer(PlayerEvents events, WallClock clock)
    : events_(std::move(events)), clock_(std::move(clock)), thread_([this] { run(); }) {}

void LivePlayer::watch(bool somebody) {
  if (somebody && !watched_ && moves()) restart_pace();
  watched_ = somebody;
}

LivePlayer::~LivePlayer() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

bool LivePlayer::post(Work work) { return post(0, 0, std::move(work)); }

bool LivePlayer::post(PageNumber page, std::int64_t id, Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= most_waiting) return false;
    queue_.push_back({page, id, std::move(work)});
  }
  woken_.notify_one();
  return true;
}

void LivePlayer::run() {
  // One core is the player's, the others are the browser's and the cook worker's: a loop that is shared with a thread
  // that has no core at the moment waits for it, which shows.
  const ThreadLoan alone;
  std::deque<Posted> work;
  while (wait_for_work(work)) {
    do_all(work);
    if (!session_) continue;
    try {
      if (moves() && watched_)
        play_round();
      else if (dirty_)
        publish();
    } catch (const Error& error) {
      recover(error.what());
    }
  }
}

// Until there is work, or the next round. False: the player closes.
bool LivePlayer::wait_for_work(std::deque<Posted>& work) {
  std::unique_lock lock(mutex_);
  const auto awake = [this] { return ends_ || !queue_.empty(); };
  if (!moves() || !watched_) {
    woken_.wait(lock, awake);
  } else {
    const double seconds = player_->pace().next_round() - clock_.now();
    if (seconds > 0) woken_.wait_for(lock, std::chrono::duration<double>(seconds), awake);
  }
  work.clear();
  work.swap(queue_);
  return !ends_;
}

void LivePlayer::do_all(std::deque<Posted>& work) {
  for (Posted& posted : work) {
    if (ends_) return;
    try {
      posted.work(*this);
    } catch (const std::exception& error) {
      if (events_.failed) events_.failed(error.what());
    }
    if (posted.page != 0) waiting_[posted.page] = static_cast<std::uint32_t>(posted.id & 0xffffffff);
    dirty_ = dirty_ || posted.page != 0;
    posted.work = {};  // what it holds on to goes now
  }
}

void LivePlayer::play_round() {
  const double began = clock_.now();
  player_->waited();
  player_->begin_round();
  // Who drags does not wait for the display: a step is made at once, at most one ahead of the clock.
  const RealTimePace& pace = player_->pace();
  const double due = play_.speed * (began - pace_began_) - pace.seconds_behind();
  if (hurry_ && !player_->step_is_due() && pace.simulated() - due < pace.step()) step();
  while (moves() && player_->step_is_due() && !ends_) step();
  if (!moves() || ends_) return;
  if (session_->traits().step == 0) {
    session_->go_to(player_->elapsed());
    follow_comparison();
  }
  if (follow_rounds(play_, session_->playback(), now_played())) go_along(hands_, *session_, play_.to_world);
  publish();
  player_->end_round();
  look_for_stillness();
  end_clip();
}

void LivePlayer::step() {
  const double seconds = player_->pace().step(), before = clock_.now();
  if (posing_.leads) {
    const Pose pose = led_pose(posing_, session_->playback(), play_, loaded_, seconds);
    session_->pose(pose);
    if (comparison_) comparison_->pose(pose);
    if (play_.playing) give_lead_back(posing_.played - seconds);
  }
  player_->step();
  const double now = clock_.now();
  count_step(meter_, now - before, now, player_->pace().seconds_behind());
  follow_comparison();
  for (const auto& [page, id] : waiting_) applied_[page] = id;
  waiting_.clear();
  hurry_ = false;
}

void LivePlayer::end_clip() {
  const PlayedRange& range = session_->playback().range;
  if (recording_ || repeating_) {
    const double elapsed = session_->elapsed();
    if (session_->elapsed() - take_told_ > telling_of_take) report_take(false);
    if (repeating_ && elapsed >= take_ends_) {
      repeating_ = false;
      start(0);
      if (events_.played) events_.played(state());
    }
    return;
  }
  if (session_->take().size() > most_actions_kept) session_->forget_take();
  if (!play_.playing || range.loop) return;
  const double over = now_played() - range.length;
  if (play_.loop && play_.cut && over > at_clip_end) return start(0);
  if (!play_.loop && over >= 0) {
    take_lead(posing_, *session_);
    play_.playing = false;
    if (events_.played) events_.played(state());
  }
}

// What nothing moves any more needs no steps.
void LivePlayer::look_for_stillness() {
  const double now = clock_.now(), way = still_way * loaded_.scene->height;
  bool still = !play_.playing && last_shown_.size() == frames_.positions.size() &&
               (!posing_.character || posing_.character->arrived());
  for (std::size_t v = 0; still && v < frames_.positions.size(); ++v)
    still = distance(frames_.positions[v], last_shown_[v]) < way;
  last_shown_ = frames_.positions;
  if (!still) still_since_ = now;
  if (now - still_since_ > still_time) player_.reset();
}

void LivePlayer::publish() {
  auto frame = std::make_shared<PlayerFrame>();
  make_frame(frames_, *session_, comparison_ ? &*comparison_ : nullptr, loaded_, play_, posing_, meter_, moves(),
             frame->bytes);
  frame->number = frames_.number;
  if (!moves()) {  // what was asked for shows at once
    for (const auto& [page, id] : waiting_) applied_[page] = id;
    waiting_.clear();
  }
  frame->applied = applied_;
  dirty_ = false;
  failures_ = 0;
  if (events_.frame) events_.frame(std::move(frame));
}

// The numbers went wrong: back to equilibrium, and after a few times in a row to a stop.
void LivePlayer::recover(const std::string& why) {
  if (events_.failed) events_.failed(why);
  const double from = now_played();
  hands_ = {};
  if (++failures_ > most_failures) {
    play_.playing = false;
    player_.reset();
    dirty_ = false;
    failures_ = 0;
    if (events_.played) events_.played(state());
    return;
  }
  try {
    start(from);
  } catch (const Error&) {
    play_.playing = false;
    player_.reset();
    dirty_ = false;
  }
}

void LivePlayer::require_character() const {
  if (!session_) throw usage_error("There is no character yet; open one.");
}

// In equilibrium at that time of the clip; hands hold what they held.
void LivePlayer::start(double from) {
  const Playback playback = playback_of(play_, loaded_, play_.loop && !recording_ && !repeating_);
  session_->play(playback, from);
  if (comparison_) comparison_->play(playback, from);
  posing_.played = from;
  posing_.leads = (!play_.playing || (posing_.character && !posing_.character->follows_clip())) &&
                  loaded_.scene->rest_controls.empty();
  act_again(hands_, *session_, play_.to_world);
  posing_.character->begin_again();
  if (play_.playing || !hands_.held.empty() || !posing_.character->follows_clip())
    restart_pace();
  else
    player_.reset();
  dirty_ = true;
}

void LivePlayer::give_lead_back(double played) {
  if (!gives_lead_back(posing_)) return;
  session_->unpose(played);
  if (comparison_) comparison_->unpose(played);
  posing_.leads = false;
}

void LivePlayer::restart_pace() {
  player_.emplace(*session_, play_.speed, rounds_per_second, clock_);
  pace_began_ = still_since_ = clock_.now();
  restart(meter_, pace_began_);
}

// Who does something sees it in the very next step.
void LivePlayer::hurry() {
  hurry_ = true;
  wake();
}

// Something happens to flesh that stood still.
void LivePlayer::wake() {
  still_since_ = clock_.now();
  dirty_ = true;
  if (moves()) return;
  if (!play_.playing) take_lead(posing_, *session_);
  restart_pace();
}

void LivePlayer::enter(LoadedCharacter loaded, const std::string& clip, bool playing) {
  leave();
  loaded_ = std::move(loaded);
  posing_.character.emplace(loaded_.opened->character);
  session_.emplace(loaded_.opened->character, *loaded_.scene, Playback{});
  play_.clip = clip;
  play_.playing = playing;
  play_.loop = true;
  play_.speed = 1;
  start(0);
}

bool LivePlayer::change(LoadedCharacter loaded) {
  require_character();
  const bool moved = moves();
  bool went_on = loaded.opened == loaded_.opened;
  if (went_on) {
    try {
      session_->change(*loaded.scene);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::simulation) throw;
      went_on = false;
    }
  }
  const double at = now_played();
  play_.endings.clear();
  if (went_on) {
    loaded_ = std::move(loaded);
    if (moved)
      restart_pace();
    else
      wake();
    return true;
  }
  player_.reset();
  session_.reset();
  if (loaded.opened != loaded_.opened || !loaded.scene->rest_controls.empty()) end_comparison();
  if (loaded.opened != loaded_.opened) posing_.character.emplace(loaded.opened->character);
  loaded_ = std::move(loaded);
  session_.emplace(loaded_.opened->character, *loaded_.scene, Playback{});
  const Capabilities& can = session_->traits().can;
  if (!can.held) hands_.held.clear();
  if (!can.gravity) hands_.gravity.reset();
  recording_ = repeating_ = false;
  start(at);
  return false;
}

void LivePlayer::leave() {
  player_.reset();
  end_comparison();
  session_.reset();
  posing_.character.reset();
  loaded_ = {};
  hands_ = {};
  play_.endings.clear();
  recording_ = repeating_ = posing_.leads = play_.playing = false;
  waiting_.clear();
  frames_.picked.reset();
  frames_.moving_cells.forget();
}

PlayState LivePlayer::state() const {
  PlayState state{play_.clip, play_.playing, play_.loop, play_.speed, 0, repeating_};
  if (session_) state.time = session_->playback().range.clip_time(now_played());
  return state;
}

void LivePlayer::play(const command::Play& play) {
  require_character();
  if (recording_) stop_recording();
  repeating_ = false;
  std::string clip = play_.clip;
  if (play.clip && !play.clip->empty()) {
    const Character& character = loaded_.opened->character;
    const Clip& chosen = character.clips[static_cast<std::size_t>(choose_clip(character, *play.clip))];
    refuse_stray_clip(character, &chosen);
    clip = *play.clip;
  } else if (play.clip) {
    clip.clear();
  }
  if (play.speed) play_.speed = *play.speed;
  const bool loop = play.loop.value_or(play_.loop);
  const PlayedRange& range = session_->playback().range;
  const bool other = clip != play_.clip, at_end = !range.loop && now_played() >= range.length;
  const double from = other || at_end ? 0 : now_played();
  const bool anew = other || at_end || loop != play_.loop;
  play_.clip = clip;
  play_.loop = loop;
  play_.playing = true;
  if (anew) return start(from);
  if (!moves())
    restart_pace();
  else if (play.speed)
    restart_pace();
  give_lead_back(posing_.played);
}

void LivePlayer::pause() {
  require_character();
  if (recording_) stop_recording();
  repeating_ = false;
  play_.playing = false;
  player_.reset();
  dirty_ = true;
  take_lead(posing_, *session_);
}

void LivePlayer::scrub(double time) {
  require_character();
  if (recording_) stop_recording();
  repeating_ = false;
  const PlayedRange& range = session_->playback().range;
  start(std::clamp(time - range.begin, 0.0, range.length));
}

void LivePlayer::speed(double value) {
  play_.speed = value;
  if (moves()) restart_pace();
}

void LivePlayer::pose(const HandPose& pose) {
  require_character();
  if (!loaded_.scene->rest_controls.empty())
    throw usage_error("The method " + loaded_.scene->method +
                      " moves a rig's own controls, which no hand poses; choose another one.");
  if (recording_ && !pose.empty())
    throw usage_error("A take holds what is done to the flesh, and no poses by hand; stop recording first.");
  for (const auto& [joint, rotation] : pose.joints)
    if (joint < 0 || static_cast<std::size_t>(joint) >= loaded_.opened->character.skeleton.joints.size())
      throw usage_error("The character has no joint " + std::to_string(joint) + ".");
  posing_.character->lead_to(pose);
  if (posing_.character->follows_clip()) return;
  take_lead(posing_, *session_);
  hurry();
}

bool LivePlayer::forget_page(PageNumber page) {
  applied_.erase(page);
  waiting_.erase(page);
  const std::size_t before = hands_.held.size();
  if (session_) release_page(hands_, *session_, page);
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
  if (gravity) {
    set_gravity(hands_, *session_, *gravity);
    wake();
  } else if (hands_.gravity) {  // a session has no way back to its scene's own but to begin anew
    hands_.gravity.reset();
    start(now_played());
  }
}

void LivePlayer::show(const command::Show& show) {
  require_character();
  studio::show(frames_, *loaded_.scene, show);
  dirty_ = true;
}

void LivePlayer::play_comparison(std::shared_ptr<const Scene> scene) {
  require_character();
  comparison_.reset();
  dirty_ = true;
  if (!scene) return;
  if (!loaded_.scene->rest_controls.empty())
    throw usage_error("The method " + loaded_.scene->method +
                      " moves a rig's own controls, which nothing else can follow beside it; choose another one.");
  if (recording_) throw usage_error("Stop recording before another method plays beside.");
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

// It is a guest: what it fails at ends it, and nothing else.
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
  if (posing_.character->is_posed())
    throw usage_error(
        "A take holds what is done to the flesh, and no poses by hand; give the pose back to the clip first.");
  hands_ = {};
  posing_.character->begin_again();
  recording_ = true;
  repeating_ = false;
  play_.playing = true;
  take_told_ = 0;
  start(0);
}

void LivePlayer::stop_recording() {
  if (!recording_) throw usage_error("Nothing is recorded.");
  report_take(true);
  recording_ = false;
  start(0);
}

void LivePlayer::report_take(bool ended) {
  take_told_ = session_->elapsed();
  if (recording_ && events_.recorded) events_.recorded({play_.clip, session_->elapsed(), session_->take()}, ended);
}

void LivePlayer::repeat(const RecordedTake& take) {
  require_character();
  if (recording_) stop_recording();
  if (!take.clip.empty()) choose_clip(loaded_.opened->character, take.clip);  // whether there is one
  hands_ = {};
  play_.clip = take.clip;
  repeating_ = true;
  play_.playing = true;
  take_ends_ = take.seconds;
  start(take.begin);
  session_->repeat(take.actions);
}

}  // namespace sinew::studio
