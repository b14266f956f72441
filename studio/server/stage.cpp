#include "studio/server/stage.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/thread_loan.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"

namespace sinew {
namespace {

constexpr double rounds_per_second = 60;
constexpr std::size_t most_waiting = 4096, most_hands = 16;
constexpr double still_way = 2e-5;       // of the height: what moves less between two frames stands still
constexpr double still_time = 0.5;       // seconds
constexpr double heat_of_height = 0.03;  // the hottest colour
constexpr double farthest_of_height = 1000;
constexpr double at_clip_end = 0.4;      // seconds that a clip stands at its end, before it begins anew
constexpr double telling_of_take = 0.5;  // seconds between two reports of what is recorded
constexpr std::size_t most_actions_kept = 10'000;
constexpr int most_failures = 3;

// Carried by so little of the height, a round ends where it began.
constexpr double no_travel = 1e-3;

Action action_of(Action::Kind kind, const std::string& name = {}) {
  Action action;
  action.kind = kind;
  action.name = name;
  return action;
}

Action grab_of(const Hand& hand, const Affine& to_world) {
  Action action = action_of(Action::Kind::grab, hand.name);
  action.point = hand.point;
  action.radius = hand.radius;
  action.target = to_world * hand.target;
  return action;
}

Action drag_of(const std::string& name, const Vec3& target) {
  Action action = action_of(Action::Kind::drag, name);
  action.target = target;
  return action;
}

Action gravity_of(const Vec3& gravity) {
  Action action = action_of(Action::Kind::gravity);
  action.gravity = gravity;
  return action;
}

}  // namespace

Stage::Stage(StageEvents events, WallClock clock)
    : events_(std::move(events)), clock_(std::move(clock)), thread_([this] { run(); }) {}

void Stage::watch(bool somebody) {
  if (somebody && !watched_ && moves()) restart_pace();
  watched_ = somebody;
}

Stage::~Stage() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

bool Stage::post(Work work) { return post(0, 0, std::move(work)); }

bool Stage::post(PageNumber page, std::int64_t id, Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= most_waiting) return false;
    queue_.push_back({page, id, std::move(work)});
  }
  woken_.notify_one();
  return true;
}

void Stage::run() {
  // One core is the stage's, the others are the browser's and the kitchen's: a loop that is shared with a thread that
  // has no core at the moment waits for it, which shows.
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

// Until there is work, or the next round. False: the stage closes.
bool Stage::wait_for_work(std::deque<Posted>& work) {
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

void Stage::do_all(std::deque<Posted>& work) {
  for (Posted& posted : work) {
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

void Stage::play_round() {
  const double began = clock_.now();
  player_->waited();
  player_->begin_round();
  // Who drags does not wait for the display: a step is made at once, at most one ahead of the clock.
  const RealTimePace& pace = player_->pace();
  const double due = speed_ * (began - pace_began_) - pace.seconds_behind();
  if (hurry_ && !player_->step_is_due() && pace.simulated() - due < pace.step()) step();
  while (moves() && player_->step_is_due()) step();
  if (!moves()) return;
  if (session_->traits().step == 0) session_->go_to(player_->elapsed());
  follow_rounds();
  publish();
  player_->end_round();
  look_for_stillness();
  end_clip();
}

void Stage::step() {
  const double seconds = player_->pace().step(), before = clock_.now();
  if (posing_) lead_pose(seconds);
  player_->step();
  count_steps(clock_.now() - before);
  for (const auto& [page, id] : waiting_) applied_[page] = id;
  waiting_.clear();
  hurry_ = false;
}

void Stage::lead_pose(double seconds) {
  if (playing_) played_ += seconds;
  const double time = session_->playback().range.clip_time(played_);
  Pose pose = posed_->at(clip(), time, seconds);
  if (rounds_ > 0) {
    const Affine carried{to_world_.linear, to_world_.translation / cast_.opened->character.metres_per_unit};
    for (Affine& joint : pose.world) joint = carried * joint;
  }
  session_->pose(pose);
  if (!playing_ || !posed_->follows_clip()) return;
  session_->unpose(played_ - seconds);
  posing_ = false;
}

// A loop that travels is shown where its first round was; hands go along.
void Stage::follow_rounds() {
  const int rounds = session_->playback().range.rounds(now_played());
  if (rounds == rounds_ || session_->playback().seam.bones.empty()) return;
  rounds_ = rounds;
  Affine carried;
  for (int k = 0; k < rounds; ++k) carried = round_ * carried;
  to_world_ = carried;
  for (const Hand& hand : hands_) session_->act(drag_of(hand.name, to_world_ * hand.target));
}

void Stage::end_clip() {
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
  if (!playing_ || range.loop) return;
  const double over = now_played() - range.length;
  if (loop_ && cut_ && over > at_clip_end) return start(0);
  if (!loop_ && over >= 0) {
    playing_ = false;
    played_ = now_played();
    posing_ = true;
    if (events_.played) events_.played(state());
  }
}

// What nothing moves any more needs no steps.
void Stage::look_for_stillness() {
  const double now = clock_.now(), way = still_way * cast_.prepared->scene.height;
  bool still = !playing_ && last_shown_.size() == positions_.size() && (!posed_ || posed_->arrived());
  for (std::size_t v = 0; still && v < positions_.size(); ++v) still = distance(positions_[v], last_shown_[v]) < way;
  last_shown_ = positions_;
  if (!still) still_since_ = now;
  if (now - still_since_ > still_time) player_.reset();
}

void Stage::count_steps(double seconds) {
  const double now = clock_.now();
  step_seconds_ += (seconds - step_seconds_) * 0.05;
  ++counted_steps_;
  if (now - counted_since_ < 1) return;
  const double lost = player_->pace().seconds_behind();
  steps_per_second_ = counted_steps_ / (now - counted_since_);
  behind_ = std::max(0.0, lost - behind_before_);
  behind_before_ = lost;
  counted_steps_ = 0;
  counted_since_ = now;
}

FrameMeasures Stage::measures() {
  FrameMeasures result;
  result.step_milliseconds = static_cast<float>(1e3 * step_seconds_);
  result.steps_per_second = static_cast<float>(moves() ? steps_per_second_ : 0);
  const BodyMeasures body = session_->measure(moment_);
  result.energy = static_cast<float>(body.energy);
  result.volume = static_cast<float>(body.volume_ratio);
  double largest = 0;
  for (std::size_t v = 0; v < positions_.size(); ++v) largest = std::max(largest, distance(positions_[v], by_rig_[v]));
  result.largest = static_cast<float>(largest);
  if (picked_) {
    const SurfaceSpot spot = nearest_spot(cast_.prepared->scene.surface->rest, rest_point(*picked_));
    result.picked = static_cast<float>(distance(place_of(spot, positions_), place_of(spot, by_rig_)));
  }
  return result;
}

void Stage::publish() {
  const Scene& scene = cast_.prepared->scene;
  const Character& character = cast_.opened->character;
  positions_.resize(scene.surface->rest.positions.size());
  session_->surface(positions_);
  session_->moment_at(session_->shown(), moment_);
  for (const Vec3& position : positions_)
    if (!(distance(position, positions_[0]) < farthest_of_height * scene.height))
      throw simulation_error("The flesh flew apart; it begins anew.");
  const bool with_rig = heat_ || goal_ || measures_;
  if (with_rig) {
    by_rig_.resize(positions_.size());
    session_->goal(moment_, by_rig_);
  }
  auto frame = std::make_shared<StageFrame>();
  FrameContent content;
  if (measures_) content.measures = measures();
  const Affine shown = inverse(to_world_);
  const bool travels = rounds_ > 0;
  if (travels)
    for (std::vector<Vec3>* points : {&positions_, &by_rig_})
      for (Vec3& point : *points) point = shown * point;
  const double unit = character.metres_per_unit;
  joints_.resize(moment_.pose.world.size());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const Affine& world = moment_.pose.world[j];
    const Affine metres{unit * world.linear, unit * world.translation};
    joints_[j] = travels && posing_ ? shown * metres : metres;  // the clip's own pose has no rounds
  }
  content.number = frame->number = ++frame_number_;
  content.character = cast_.number;
  content.elapsed = session_->shown();
  content.clip_time = posing_ ? session_->playback().range.clip_time(played_) : moment_.clip_time;
  content.behind = behind_;
  content.positions = positions_;
  content.joints = joints_;
  content.goal = by_rig_;
  content.with_goal = goal_;
  content.with_heat = heat_;
  content.heat_scale = heat_of_height * scene.height;
  write_frame(content, frame->bytes);
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
void Stage::recover(const std::string& why) {
  if (events_.failed) events_.failed(why);
  const double from = now_played();
  hands_.clear();
  gravity_.reset();
  if (++failures_ > most_failures) {
    playing_ = false;
    player_.reset();
    dirty_ = false;
    failures_ = 0;
    if (events_.played) events_.played(state());
    return;
  }
  try {
    start(from);
  } catch (const Error&) {
    playing_ = false;
    player_.reset();
    dirty_ = false;
  }
}

void Stage::require_character() const {
  if (!session_) throw usage_error("There is no character yet; open one.");
}

const Clip* Stage::clip() const {
  if (clip_.empty()) return nullptr;
  const Character& character = cast_.opened->character;
  return &character.clips[static_cast<std::size_t>(choose_clip(character, clip_))];
}

const ClipEnd& Stage::ending(const Clip& clip) {
  const auto found = endings_.find(&clip);
  if (found != endings_.end()) return found->second;
  const Scene& scene = cast_.prepared->scene;
  ActingSettings but_ground = scene.acting;
  but_ground.ground.reset();
  return endings_[&clip] = live_ending(cast_.opened->character, *scene.surface, clip, but_ground.empty());
}

Playback Stage::playback_of(bool loop) {
  cut_ = false;
  round_ = to_world_ = {};
  rounds_ = 0;
  const Clip* played = clip();
  if (!played) return {};
  const Character& character = cast_.opened->character;
  const Scene& scene = cast_.prepared->scene;
  refuse_stray_clip(character, played);
  Playback playback = whole(*played, false);
  if (!scene.rest_controls.empty()) {
    if (cast_.prepared->controls) playback.controls = cast_.prepared->controls(choose_clip(character, clip_));
    playback.range.loop = loop;
    return playback;
  }
  if (!loop) return playback;
  const ClipEnd& end = ending(*played);
  cut_ = end.ending == Ending::elsewhere;
  if (cut_) return playback;
  round_ = end.travel;
  if (norm(round_.translation) < no_travel * scene.height) round_ = {};
  return live_loop(character, *scene.surface, *played, round_);
}

// In equilibrium at that time of the clip; hands hold what they held.
void Stage::start(double from) {
  session_->play(playback_of(loop_ && !recording_ && !repeating_), from);
  played_ = from;
  posing_ = (!playing_ || (posed_ && !posed_->follows_clip())) && cast_.prepared->scene.rest_controls.empty();
  if (gravity_) session_->act(gravity_of(*gravity_));
  for (const Hand& hand : hands_) session_->act(grab_of(hand, to_world_));
  posed_->begin_again();
  if (playing_ || !hands_.empty() || !posed_->follows_clip())
    restart_pace();
  else
    player_.reset();
  dirty_ = true;
}

void Stage::restart_pace() {
  player_.emplace(*session_, speed_, rounds_per_second, clock_);
  pace_began_ = counted_since_ = still_since_ = clock_.now();
  counted_steps_ = 0;
  behind_before_ = behind_ = 0;
}

// Something happens to flesh that stood still.
void Stage::wake() {
  still_since_ = clock_.now();
  dirty_ = true;
  if (moves()) return;
  if (!playing_ && !posing_ && cast_.prepared->scene.rest_controls.empty()) {
    played_ = session_->played();
    posing_ = true;
  }
  restart_pace();
}

void Stage::enter(Cast cast, const std::string& clip, bool playing) {
  leave();
  cast_ = std::move(cast);
  posed_.emplace(cast_.opened->character);
  session_.emplace(cast_.opened->character, cast_.prepared->scene, Playback{});
  clip_ = clip;
  playing_ = playing;
  loop_ = true;
  speed_ = 1;
  start(0);
}

bool Stage::change(Cast cast) {
  require_character();
  const bool moved = moves();
  bool went_on = cast.opened == cast_.opened;
  if (went_on) {
    try {
      session_->change(cast.prepared->scene);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::simulation) throw;
      went_on = false;
    }
  }
  const double at = now_played();
  endings_.clear();
  if (went_on) {
    cast_ = std::move(cast);
    if (moved)
      restart_pace();
    else
      wake();
    return true;
  }
  player_.reset();
  session_.reset();
  if (cast.opened != cast_.opened) posed_.emplace(cast.opened->character);
  cast_ = std::move(cast);
  session_.emplace(cast_.opened->character, cast_.prepared->scene, Playback{});
  const Capabilities& can = session_->traits().can;
  if (!can.held) hands_.clear();
  if (!can.gravity) gravity_.reset();
  recording_ = repeating_ = false;
  start(at);
  return false;
}

void Stage::leave() {
  player_.reset();
  session_.reset();
  posed_.reset();
  cast_ = {};
  hands_.clear();
  gravity_.reset();
  endings_.clear();
  recording_ = repeating_ = posing_ = false;
  playing_ = false;
  waiting_.clear();
  picked_.reset();
}

PlayState Stage::state() const {
  PlayState state{clip_, playing_, loop_, speed_, 0};
  if (session_) state.time = session_->playback().range.clip_time(now_played());
  return state;
}

void Stage::play(const command::Play& play) {
  require_character();
  if (recording_) stop_recording();
  repeating_ = false;
  std::string clip = clip_;
  if (play.clip && !play.clip->empty()) {
    const Character& character = cast_.opened->character;
    const Clip& chosen = character.clips[static_cast<std::size_t>(choose_clip(character, *play.clip))];
    refuse_stray_clip(character, &chosen);
    clip = *play.clip;
  } else if (play.clip) {
    clip.clear();
  }
  if (play.speed) speed_ = *play.speed;
  const bool loop = play.loop.value_or(loop_);
  const PlayedRange& range = session_->playback().range;
  const bool other = clip != clip_, at_end = !range.loop && now_played() >= range.length;
  const double from = other || at_end ? 0 : now_played();
  const bool anew = other || at_end || loop != loop_;
  clip_ = clip;
  loop_ = loop;
  playing_ = true;
  if (anew) return start(from);
  if (!moves())
    restart_pace();
  else if (play.speed)
    restart_pace();
  if (posing_ && posed_->follows_clip()) {
    session_->unpose(played_);
    posing_ = false;
  }
}

void Stage::pause() {
  require_character();
  if (recording_) stop_recording();
  repeating_ = false;
  playing_ = false;
  player_.reset();
  dirty_ = true;
  if (!posing_ && cast_.prepared->scene.rest_controls.empty()) {
    played_ = session_->played();
    posing_ = true;
  }
}

void Stage::scrub(double time) {
  require_character();
  if (recording_) stop_recording();
  repeating_ = false;
  const PlayedRange& range = session_->playback().range;
  start(std::clamp(time - range.begin, 0.0, range.length));
}

void Stage::speed(double value) {
  speed_ = value;
  if (moves()) restart_pace();
}

void Stage::pose(const HandPose& pose) {
  require_character();
  if (!cast_.prepared->scene.rest_controls.empty())
    throw usage_error("The method " + cast_.prepared->scene.method +
                      " moves a rig's own controls, which no hand poses; choose another one.");
  if (recording_ && !pose.empty())
    throw usage_error("A take holds what is done to the flesh, and no poses by hand; stop recording first.");
  for (const auto& [joint, rotation] : pose.joints)
    if (joint < 0 || static_cast<std::size_t>(joint) >= cast_.opened->character.skeleton.joints.size())
      throw usage_error("The character has no joint " + std::to_string(joint) + ".");
  posed_->lead_to(pose);
  if (posed_->follows_clip()) return;
  if (!posing_) {
    played_ = session_->played();
    posing_ = true;
  }
  hurry_ = true;
  wake();
}

Vec3 Stage::rest_point(const SkinPlace& place) const {
  if (const Vec3* point = std::get_if<Vec3>(&place)) return *point;
  const auto& spot = std::get<SkinSpot>(place);
  const TriangleMesh& rest = cast_.prepared->scene.surface->rest;
  if (static_cast<std::size_t>(spot.triangle) >= rest.triangles.size())
    throw usage_error("The surface has no triangle " + std::to_string(spot.triangle) + ".");
  const auto& corner = rest.triangles[static_cast<std::size_t>(spot.triangle)];
  const auto at = [&](std::size_t k) { return rest.positions[static_cast<std::size_t>(corner[k])]; };
  return (1 - spot.u - spot.v) * at(0) + spot.u * at(1) + spot.v * at(2);
}

// Where it is shown.
Vec3 Stage::place_now(const Vec3& rest_point) {
  positions_.resize(cast_.prepared->scene.surface->rest.positions.size());
  session_->surface(positions_);
  return inverse(to_world_) * place_of(nearest_spot(cast_.prepared->scene.surface->rest, rest_point), positions_);
}

void Stage::grab(const command::Grab& grab) {
  require_character();
  if (hands_.size() >= most_hands)
    throw usage_error("No more than " + std::to_string(most_hands) + " hands hold at a time; release one.");
  Hand hand{grab.name, rest_point(grab.at), {}, grab.radius};
  hand.target = grab.target ? *grab.target : place_now(hand.point);
  session_->act(grab_of(hand, to_world_));
  hands_.push_back(hand);
  hurry_ = true;
  wake();
}

void Stage::drag(const command::Drag& drag) {
  require_character();
  session_->act(drag_of(drag.name, to_world_ * drag.target));
  for (Hand& hand : hands_)
    if (hand.name == drag.name) hand.target = drag.target;
  hurry_ = true;
  wake();
}

void Stage::release(const std::string& name) {
  require_character();
  if (name.empty()) {
    for (const Hand& hand : hands_) session_->act(action_of(Action::Kind::release, hand.name));
    hands_.clear();
  } else {
    session_->act(action_of(Action::Kind::release, name));
    std::erase_if(hands_, [&](const Hand& hand) { return hand.name == name; });
  }
  hurry_ = true;
  wake();
}

void Stage::poke(const command::Poke& poke) {
  require_character();
  Action action = action_of(Action::Kind::poke);
  action.point = rest_point(poke.at);
  action.force = to_world_.linear * poke.force;
  action.radius = poke.radius;
  action.seconds = poke.seconds;
  session_->act(action);
  hurry_ = true;
  wake();
}

void Stage::gravity(const std::optional<Vec3>& gravity) {
  require_character();
  if (gravity) {
    session_->act(gravity_of(*gravity));
    gravity_ = gravity;
    wake();
  } else if (gravity_) {  // a session has no way back to its scene's own but to begin anew
    gravity_.reset();
    start(now_played());
  }
}

void Stage::show(const command::Show& show) {
  require_character();
  if (show.heat) heat_ = *show.heat;
  if (show.goal) goal_ = *show.goal;
  if (show.measures) measures_ = *show.measures;
  if (show.picked) {
    rest_point(*show.picked);  // whether there is one
    picked_ = show.picked;
  }
  dirty_ = true;
}

void Stage::record() {
  require_character();
  if (posed_ && !posed_->follows_clip())
    throw usage_error(
        "A take holds what is done to the flesh, and no poses by hand; give the pose back to the clip first.");
  hands_.clear();
  gravity_.reset();
  recording_ = true;
  repeating_ = false;
  playing_ = true;
  take_told_ = 0;
  start(0);
}

void Stage::stop_recording() {
  if (!recording_) throw usage_error("Nothing is recorded.");
  report_take(true);
  recording_ = false;
  start(0);
}

void Stage::report_take(bool ended) {
  take_told_ = session_->elapsed();
  if (recording_ && events_.recorded) events_.recorded({clip_, session_->elapsed(), session_->take()}, ended);
}

void Stage::repeat(const RecordedTake& take) {
  require_character();
  if (recording_) stop_recording();
  if (!take.clip.empty()) choose_clip(cast_.opened->character, take.clip);  // whether there is one
  hands_.clear();
  gravity_.reset();
  clip_ = take.clip;
  repeating_ = true;
  playing_ = true;
  take_ends_ = take.seconds;
  start(0);
  session_->repeat(take.actions);
}

}  // namespace sinew
