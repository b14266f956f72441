// One character alive, on a thread of its own: it plays at the clock's pace, obeys what pages ask, and shows the newest
// frame. Nobody waits for it: what is asked is queued and answered by a call back, and frames are made whether somebody
// takes them or not.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sinew/session/real_time.h"
#include "sinew/session/session.h"
#include "studio/server/command.h"
#include "studio/server/live/body_cells.h"
#include "studio/server/live/clip_play.h"
#include "studio/server/live/comparison.h"
#include "studio/server/live/hand_pose.h"
#include "studio/server/live/hands.h"
#include "studio/server/live/loaded_character.h"
#include "studio/server/live/posing.h"
#include "studio/server/live/step_meter.h"
#include "studio/server/web/frame_maker.h"
#include "studio/server/web/web_server.h"

namespace sinew::studio {

// The newest message of a page whose effect is in a frame.
using Applied = std::map<PageNumber, std::uint32_t>;

struct PlayerFrame {
  std::uint32_t number = 0;
  std::vector<std::byte> bytes;  // frame.h
  Applied applied;
};

struct PlayState {
  std::string clip;  // empty: the rest pose
  bool playing = false, loop = true;
  double speed = 1, time = 0;
  bool repeats_take = false;
};

// What was done live, over a clip.
struct RecordedTake {
  std::string clip;
  double seconds = 0;
  Take actions;
  double begin = 0;  // seconds into the clip, where the take begins
};

struct PlayerEvents {
  std::function<void(std::shared_ptr<const PlayerFrame>)> frame;
  std::function<void(const PlayState&)> played;  // it plays otherwise than before, and not because somebody asked
  std::function<void(const RecordedTake&, bool ended)>
      recorded;  // twice a second while a take is recorded, and at its end
  std::function<void(const std::string& sentence)> failed;
  std::function<void()> comparison_ended{};  // and not because somebody asked
};

class LivePlayer {
 public:
  explicit LivePlayer(PlayerEvents events, WallClock clock = steady_wall_clock());
  ~LivePlayer();
  LivePlayer(const LivePlayer&) = delete;
  LivePlayer& operator=(const LivePlayer&) = delete;

  // Done on the player's thread, in order, before the next step. False: more is waiting than ever will be done.
  using Work = std::function<void(LivePlayer&)>;
  bool post(Work work);
  // The same for a page's message, whose effect is then in a frame to come.
  bool post(PageNumber page, std::int64_t id, Work work);

  // What follows is for the player's thread alone: in Work. All throw Error for what cannot be done.

  // Another character, in the first frame of its clip.
  void enter(LoadedCharacter loaded, const std::string& clip, bool playing);
  // The same character as something else made it: it goes on where it was if it can. Returns whether it could.
  bool change(LoadedCharacter loaded);
  void leave();
  // Time stands while nobody looks.
  void watch(bool somebody);

  void play(const command::Play& play);
  void pause();
  void scrub(double time);
  void speed(double value);
  void pose(const HandPose& pose);
  void grab(const command::Grab& grab, PageNumber page);
  void drag(const command::Drag& drag);
  void release(const std::string& name);
  void act(const command::Act& act);
  void gravity(const std::optional<Vec3>& gravity);
  void show(const command::Show& show);
  // A second body of the same character, in step with this one, until there is another character; null: none any more.
  void play_comparison(std::shared_ptr<const Scene> scene);
  // Those that frames with cells are about.
  const MovingCells& cells();
  // From the clip's beginning; what is recorded comes by StageEvents::recorded.
  void record();
  void stop_recording();
  void repeat(const RecordedTake& take);
  // A page was closed. Returns whether it held something, which is let go.
  bool forget_page(PageNumber page);

  const LoadedCharacter& loaded() const { return loaded_; }
  bool has_character() const { return session_.has_value(); }
  PlayState state() const;
  Session& session() { return *session_; }
  const std::vector<Hand>& hands() const { return hands_.held; }
  bool recording() const { return recording_; }

 private:
  struct Posted {
    PageNumber page = 0;
    std::int64_t id = 0;
    Work work;
  };

  void run();
  bool wait_for_work(std::deque<Posted>& work);
  void do_all(std::deque<Posted>& work);
  void play_round();
  void step();
  void publish();
  void recover(const std::string& why);
  void require_character() const;

  void follow_comparison();
  void end_comparison();
  void give_lead_back(double played);

  void start(double from);
  void restart_pace();
  void end_clip();
  void look_for_stillness();
  void report_take(bool ended);
  double now_played() const { return studio::now_played(posing_, *session_); }
  bool moves() const { return player_.has_value(); }
  void hurry();
  void wake();

  PlayerEvents events_;
  WallClock clock_;

  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<Posted> queue_;
  std::atomic<bool> ends_ = false;  // set under the mutex; looked at between any two messages and steps

  LoadedCharacter loaded_;
  std::optional<Session> session_;
  std::optional<RealTimePlayer> player_;  // while it moves
  double pace_began_ = 0;                 // on the clock

  bool watched_ = false;
  ClipPlay play_;
  Posing posing_;
  Hands hands_;
  FrameMaker frames_;
  std::optional<Comparison> comparison_;
  StepMeter meter_;

  std::vector<Vec3> last_shown_;  // of the last frame that moved
  double still_since_ = 0;

  bool recording_ = false, repeating_ = false;
  double take_ends_ = 0, take_told_ = 0;

  bool dirty_ = false;         // what is shown differs from the last frame
  bool hurry_ = false;         // a hand moved, which no step has seen yet
  Applied applied_, waiting_;  // those of the latter are in the next frame
  int failures_ = 0;

  std::thread thread_;
};

}  // namespace sinew::studio
