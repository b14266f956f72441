#include "studio/server/live/live_player.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/base/threads/thread_loan.h"

namespace sinew::studio {
namespace {

constexpr double rounds_per_second = 60;
constexpr std::size_t most_waiting = 4096;
constexpr double still_way = 2e-5;       // of the height: smaller motion between two frames counts as still
constexpr double still_time = 0.5;       // seconds
constexpr double at_clip_end = 0.4;      // seconds to wait at a clip's end before it restarts
constexpr double telling_of_take = 0.5;  // seconds between two reports of what is recorded
constexpr std::size_t most_actions_kept = 10'000;
constexpr int most_failures = 3;
constexpr double long_step = 0.02;  // wall seconds; a longer step is given up where work waits that cannot

bool has_clip(const Character& character, const std::string& name) {
  return name.empty() || std::any_of(character.clips.begin(), character.clips.end(),
                                     [&](const Clip& clip) { return clip.name == name; });
}

}  // namespace

LivePlayer::LivePlayer(PlayerEvents events, WallClock clock)
    : events_(std::move(events)), clock_(std::move(clock)), thread_([this] { run(); }) {}

void LivePlayer::watch(bool somebody) {
  if (somebody && !watched_ && moves()) restart_pace();
  watched_ = somebody;
}

LivePlayer::~LivePlayer() { end(); }

void LivePlayer::end() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  woken_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool LivePlayer::post(Work work) { return post(0, 0, std::move(work)); }

bool LivePlayer::post(PageNumber page, std::int64_t id, Work work, bool can_wait) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= most_waiting) return false;
    queue_.push_back({page, id, std::move(work)});
    if (!can_wait) urgent_ = true;
  }
  woken_.notify_one();
  return true;
}

void LivePlayer::run() {
  // One core is the player's; the others are the browser's and the cook worker's. A parallel loop would wait for a
  // thread that has no core at the moment, which is visible.
  const ThreadLoan alone;
  std::deque<Posted> work;
  while (wait_for_work(work)) {
    do_all(work);
    if (!session_) continue;
    try {
      if (moves() && watched_)
        play_cycle();
      else if (due_ != Due::nothing)
        publish();
    } catch (const Error& error) {
      recover(error.what());
    }
  }
}

// Waits until there is work or a step is due. False if the player closes.
bool LivePlayer::wait_for_work(std::deque<Posted>& work) {
  std::unique_lock lock(mutex_);
  const auto awake = [this] { return ends_ || !queue_.empty(); };
  if (!moves() || !watched_) {
    woken_.wait(lock, awake);
  } else {
    const double seconds = player_->pace().next_cycle() - clock_.now();
    if (seconds > 0) woken_.wait_for(lock, std::chrono::duration<double>(seconds), awake);
  }
  work.clear();
  work.swap(queue_);
  urgent_ = false;
  return !ends_;
}

void LivePlayer::do_all(std::deque<Posted>& work) {
  if (!work.empty()) last_step_ = std::numeric_limits<double>::infinity();
  for (Posted& posted : work) {
    if (ends_) return;
    try {
      posted.work(*this);
    } catch (const std::exception& error) {
      if (events_.failed) events_.failed(error.what());
    }
    if (posted.page != 0) waiting_[posted.page] = static_cast<std::uint32_t>(posted.id & 0xffffffff);
    if (posted.page != 0) want_frame();
    posted.work = {};  // releases what it captured
  }
}

void LivePlayer::play_cycle() {
  const double began = clock_.now();
  player_->waited();
  player_->begin_cycle();
  // Dragging does not wait for the display: a step is made at once, at most one ahead of the clock.
  const RealTimePace& pace = player_->pace();
  const double due = play_.speed * (began - pace_began_) - pace.seconds_behind();
  if (due_ == Due::step && !player_->step_is_due() && pace.simulated() - due < pace.step() && !step()) return;
  while (moves() && player_->step_is_due() && !ends_)
    if (!step()) return;
  if (!moves() || ends_) return;
  if (session_->traits().step == 0) {
    lead_to(player_->elapsed());
    session_->go_to(player_->elapsed());
    follow_comparison();
  }
  if (follow_cycles(play_, session_->playback(), now_played())) go_along(hands_, *session_, play_.to_world);
  publish();
  player_->end_cycle();
  look_for_stillness();
  end_clip();
}

// Returns false where the step was given up for work that cannot wait: it is made again after that.
bool LivePlayer::step() {
  const double before = clock_.now();
  const Deformer& deformer = session_->deformer();
  lead_to(session_->elapsed() + deformer.steps()[deformer.chosen_step()]);
  if (last_step_ <= long_step)
    player_->step();
  else if (!step_unless_urgent())
    return false;
  const double now = clock_.now();
  last_step_ = now - before;
  count_step(meter_, last_step_, now, player_->pace().seconds_behind());
  follow_comparison();
  for (const auto& [page, id] : waiting_) applied_[page] = id;
  waiting_.clear();
  due_ = Due::frame;
  return true;
}

bool LivePlayer::step_unless_urgent() {
  const SessionState before = session_->save();
  try {
    const StopInLoops stops([this](const ProgressReport&) { return !urgent_ && !ends_; });
    player_->step();
    return true;
  } catch (const Stopped&) {
    session_->load(before, std::numeric_limits<double>::infinity());
    return false;
  }
}

void LivePlayer::end_clip() {
  const PlayedRange& range = session_->playback().range;
  const double over = now_played() - range.length;
  switch (play_.mode) {
    case PlayMode::recording:
      if (session_->elapsed() - take_told_ > telling_of_take) report_take(false);
      return;
    case PlayMode::repeating:
      if (session_->elapsed() < take_ends_) return;
      turn_to(PlayEvent::take_ended);
      start(0);
      break;
    case PlayMode::standing:
    case PlayMode::steering:
      if (session_->take().size() > most_actions_kept) session_->forget_take();
      return;
    case PlayMode::playing:
      if (session_->take().size() > most_actions_kept) session_->forget_take();
      if (range.loop) return;
      if (play_.loop && play_.cut && over > at_clip_end) return start(0);
      if (play_.loop || over < 0) return;
      stand(now_played());
      turn_to(PlayEvent::clip_ended);
      break;
  }
  if (events_.played) events_.played(state());
}

// Stops stepping when nothing moves any more.
void LivePlayer::look_for_stillness() {
  const double now = clock_.now(), way = still_way * loaded_.scene->height;
  bool still = !advances(play_.mode) && last_shown_.size() == frames_.positions.size() && !session_->changes_pose();
  for (std::size_t v = 0; still && v < frames_.positions.size(); ++v)
    still = distance(frames_.positions[v], last_shown_[v]) < way;
  last_shown_ = frames_.positions;
  if (!still) still_since_ = now;
  if (now - still_since_ > still_time) player_.reset();
}

void LivePlayer::publish() {
  auto frame = std::make_shared<PlayerFrame>();
  make_frame(frames_, *session_, comparison_ ? &*comparison_ : nullptr, loaded_, play_, meter_, moves(), frame->bytes);
  frame->number = frames_.number;
  if (!moves()) {  // display what was asked for at once
    for (const auto& [page, id] : waiting_) applied_[page] = id;
    waiting_.clear();
  }
  frame->applied = applied_;
  if (due_ == Due::frame || !moves()) due_ = Due::nothing;
  failures_ = 0;
  if (events_.frame) events_.frame(std::move(frame));
}

// After numerical failure: restart in equilibrium, and stop after a few failures in a row.
void LivePlayer::recover(const std::string& why) {
  if (events_.failed) events_.failed(why);
  double from = now_played();
  hands_ = {};
  if (++failures_ > most_failures) {
    turn_to(PlayEvent::gave_up);
    player_.reset();
    due_ = Due::nothing;
    failures_ = 0;
    if (events_.played) events_.played(state());
    return;
  }
  try {
    if (play_.mode == PlayMode::steering) {
      from = turn_to(PlayEvent::new_body).value_or(0);
      if (events_.played) events_.played(state());
    }
    start(from);
  } catch (const Error&) {
    turn_to(PlayEvent::gave_up);
    player_.reset();
    due_ = Due::nothing;
  }
}

void LivePlayer::require_character() const {
  if (!session_) throw usage_error("There is no character yet; open one.");
}

// Changes the mode. Where a take or steering ends by that, playback has to begin anew: returns where, seconds from the
// clip's beginning.
std::optional<double> LivePlayer::turn_to(PlayEvent event) {
  const PlayMode before = play_.mode, next = after(before, event);
  if (before == next || may_loop(before)) {
    play_.mode = next;
    return {};
  }
  if (before == PlayMode::recording) report_take(true);
  play_.mode = next;
  if (before == PlayMode::steering) steered_.reset();
  return before == PlayMode::recording || before == PlayMode::steering ? 0 : now_played();
}

// Restarts in equilibrium at that clip time; grabs keep what they held.
void LivePlayer::start(double from) {
  const Playback playback = playback_of(play_, loaded_, play_.loop && may_loop(play_.mode));
  session_->play(playback, from);
  if (comparison_) comparison_->play(playback, from);
  if (!advances(play_.mode)) stand(from);
  const bool repeats = play_.mode == PlayMode::repeating;
  if (!repeats) act_again(hands_, *session_, play_.to_world);
  const bool posed = !pose_.empty() && !repeats && !loaded_.scene->follows_controls();
  if (posed) change_pose(*session_, loaded_.opened->character.skeleton, {}, pose_);
  if (advances(play_.mode) || !hands_.held.empty() || posed)
    restart_pace();
  else
    player_.reset();
  want_frame();
}

// The clip stands still, while flesh moves on.
void LivePlayer::stand(double played) {
  session_->stand(played);
  if (comparison_) comparison_->stand(played);
}

void LivePlayer::go_on() {
  session_->go_on();
  if (comparison_) comparison_->go_on();
}

void LivePlayer::restart_pace() {
  player_.emplace(*session_, play_.speed, rounds_per_second, clock_);
  pace_began_ = still_since_ = clock_.now();
  restart(meter_, pace_began_);
}

// Makes actions visible in the very next step.
void LivePlayer::hurry() {
  due_ = Due::step;
  wake();
}

// Called when something acts on flesh that stood still.
void LivePlayer::wake() {
  still_since_ = clock_.now();
  want_frame();
  if (moves()) return;
  restart_pace();
}

void LivePlayer::enter(LoadedCharacter loaded, const std::string& clip, bool playing) {
  leave();
  loaded_ = std::move(loaded);
  session_ = std::make_unique<Session>(loaded_.opened->character, *loaded_.scene, Playback{});
  play_.clip = clip;
  play_.mode = playing ? PlayMode::playing : PlayMode::standing;
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
      session_->change(*loaded.scene, controls_of(play_, loaded));
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::simulation) throw;
      went_on = false;
    }
  }
  play_.endings.clear();
  if (went_on) {
    loaded_ = std::move(loaded);
    forget_shapes(hands_, *loaded_.scene);
    for (const Action& shape : hands_.shapes) session_->act(shape);
    if (moved)
      restart_pace();
    else
      wake();
    return true;
  }
  // Throws for settings that the character cannot have, while the present session still plays.
  auto next = std::make_unique<Session>(loaded.opened->character, *loaded.scene, Playback{});
  double at = turn_to(PlayEvent::new_body).value_or(now_played());
  player_.reset();
  session_ = std::move(next);
  if (loaded.opened != loaded_.opened || loaded.scene->follows_controls()) end_comparison();
  loaded_ = std::move(loaded);
  if (!has_clip(loaded_.opened->character, play_.clip)) {
    const std::vector<Clip>& clips = loaded_.opened->character.clips;
    play_.clip = clips.empty() ? "" : clips.front().name;
    at = 0;
  }
  const Capabilities& can = session_->traits().can;
  if (!can.held) hands_.held.clear();
  if (!can.gravity) hands_.gravity.reset();
  if (!can.stiffness) hands_.stiffness.reset();
  if (!can.damping) hands_.damping.reset();
  forget_shapes(hands_, *loaded_.scene);
  start(at);
  return false;
}

void LivePlayer::leave() {
  player_.reset();
  end_comparison();
  session_.reset();
  pose_ = {};
  loaded_ = {};
  hands_ = {};
  play_.endings.clear();
  play_.mode = PlayMode::standing;
  steered_.reset();
  waiting_.clear();
  frames_.picked.reset();
  frames_.moving_cells.forget();
  frames_.moving_muscles.forget();
}

PlayState LivePlayer::state() const {
  PlayState state{play_.clip, play_.mode, play_.loop, play_.speed, 0};
  if (session_) state.time = session_->playback().range.clip_time(now_played());
  return state;
}

}  // namespace sinew::studio
