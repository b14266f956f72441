// The live player: one character on a thread of its own. It plays at the clock's pace, executes what pages ask and
// publishes the newest frame. Nobody waits for it: work is queued and answered by a callback, and frames are made
// whether or not a client takes them.
#pragma once

#include <algorithm>
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

#include "sinew/jobs/motion/graph/live_graph.h"
#include "sinew/session/real_time.h"
#include "sinew/session/session.h"
#include "studio/server/command.h"
#include "studio/server/live/body_cells.h"
#include "studio/server/live/clip_play.h"
#include "studio/server/live/comparison.h"
#include "studio/server/live/hand_pose.h"
#include "studio/server/live/hands.h"
#include "studio/server/live/loaded_character.h"
#include "studio/server/live/step_meter.h"
#include "studio/server/web/frame_maker.h"
#include "studio/server/web/web_server.h"

namespace sinew::studio {

// Per page: the newest of its messages whose effect is in a frame.
using Applied = std::map<PageNumber, std::uint32_t>;

struct PlayerFrame {
  std::uint32_t number = 0;
  std::vector<std::byte> bytes;  // frame.h
  Applied applied;
};

struct PlayState {
  std::string clip;  // empty: the rest pose
  PlayMode mode = PlayMode::standing;
  bool loop = true;
  double speed = 1, time = 0;  // times real time; seconds on the clip's time line
};

// A take recorded live over a clip.
struct RecordedTake {
  std::string clip;
  double seconds = 0;
  Take actions;
  double begin = 0;  // clip time at which the take begins, seconds
};

struct PlayerEvents {
  std::function<void(std::shared_ptr<const PlayerFrame>)> frame;
  std::function<void(const PlayState&)> played;  // playback changed without a request
  // Called twice a second while a take is recorded, and at its end.
  std::function<void(const RecordedTake&, bool ended)> recorded;
  std::function<void(const std::string& sentence)> failed;
  std::function<void()> comparison_ended{};  // without a request
};

class LivePlayer {
 public:
  explicit LivePlayer(PlayerEvents events, WallClock clock = steady_wall_clock());
  ~LivePlayer();
  LivePlayer(const LivePlayer&) = delete;
  LivePlayer& operator=(const LivePlayer&) = delete;

  // Ends the player's thread. Work that waits is never run; destroying the player ends it too.
  void end();

  // Executed in order on the player's thread before the next step. Returns false if the queue is full.
  using Work = std::function<void(LivePlayer&)>;
  bool post(Work work);
  // Work for a page's message; a later frame reports that it was applied. `can_wait`: for work of which pages send a
  // stream, so that a step that takes long is not given up for it.
  bool post(PageNumber page, std::int64_t id, Work work, bool can_wait = false);

  // The functions below must be called on the player's thread, in Work. All throw Error for impossible requests.

  // Switches to another character, in the first frame of its clip.
  void enter(LoadedCharacter loaded, const std::string& clip, bool playing);
  // Switches to another scene of the same character, and continues where it was if possible. Returns whether it was. A
  // clip that is gone gives way to the first.
  bool change(LoadedCharacter loaded);
  void leave();
  // Time stands still while no page watches.
  void watch(bool somebody);

  void play(const command::Play& play);
  void pause();
  void scrub(double time);
  void speed(double value);
  // While the character is steered, the pose is only kept: it has it once that ends.
  void pose(const HandPose& pose);
  void grab(const command::Grab& grab, PageNumber page);
  void drag(const command::Drag& drag);
  void release(const std::string& name);
  void act(const command::Act& act);
  void gravity(const std::optional<Vec3>& gravity);
  void tissue(const command::Tissue& tissue);
  void shape(const command::Shape& shape);
  void activate(const Action& activation);  // of a muscle, until the clip begins anew
  void show(const command::Show& show);
  // Plays a second scene of the same character in step, until the character changes; null ends the comparison.
  void play_comparison(std::shared_ptr<const Scene> scene);
  // The cells that frames refer to.
  const MovingCells& cells();
  // Starts recording at the clip's beginning; PlayerEvents::recorded receives the take.
  void record();
  // Ends what is recorded; pauses in other modes.
  void stop();
  void repeat(const RecordedTake& take);
  // Leads the character through the graph, from where it begins, until another mode takes over; at first it stands.
  void steer(const std::shared_ptr<const LiveGraph>& graph);
  // Follows the keys of a page from now on; the body stands once that page was closed.
  void lead(const command::Steer& steer, PageNumber page);
  void end_steering();
  // A page was closed. Returns true if it held something, which is released.
  bool forget_page(PageNumber page);

  const LoadedCharacter& loaded() const { return loaded_; }
  bool has_character() const { return session_ != nullptr; }
  PlayState state() const;
  Session& session() { return *session_; }
  const Hands& hands() const { return hands_; }

 private:
  struct Posted {
    PageNumber page = 0;
    std::int64_t id = 0;
    Work work;
  };

  void run();
  bool wait_for_work(std::deque<Posted>& work);
  void do_all(std::deque<Posted>& work);
  void play_cycle();
  bool step();
  bool step_unless_urgent();
  void publish();
  void recover(const std::string& why);
  void require_character() const;

  void lead_to(double elapsed);
  void follow_comparison();
  void end_comparison();
  void stand(double played);
  void go_on();

  std::optional<double> turn_to(PlayEvent event);
  void start(double from);
  void restart_pace();
  void end_clip();
  void look_for_stillness();
  void report_take(bool ended);
  double now_played() const { return session_->played(); }
  bool moves() const { return player_.has_value(); }
  void hurry();
  void wake();
  void want_frame() { due_ = std::max(due_, Due::frame); }

  PlayerEvents events_;
  WallClock clock_;

  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<Posted> queue_;
  std::atomic<bool> urgent_ = false;  // work that cannot wait is in the queue
  std::atomic<bool> ends_ = false;    // written with the mutex held; polled between messages and steps

  LoadedCharacter loaded_;
  std::unique_ptr<Session> session_;
  std::optional<RealTimePlayer> player_;  // while the character moves
  double pace_began_ = 0;                 // on the clock

  bool watched_ = false;
  ClipPlay play_;
  HandPose pose_;
  Hands hands_;
  FrameMaker frames_;
  std::optional<Comparison> comparison_;
  StepMeter meter_;
  double last_step_ = 0;  // wall seconds that the last step took; infinite after work, which may change that

  // A character that is steered.
  struct Steered {
    explicit Steered(const std::shared_ptr<const LiveGraph>& graph) : character(graph) {}
    SteeredCharacter character;
    SteerWish wish{};
    PageNumber leader = 0;  // page that gave the wish
    double begin = 0;       // of the steering, Session::elapsed()
  };
  std::unique_ptr<Steered> steered_;

  std::vector<Vec3> last_shown_;  // of the last frame that moved
  double still_since_ = 0;

  double take_ends_ = 0, take_told_ = 0;  // seconds since the take began

  // Pages wait for a frame, because the display differs from the last one, or for a step, which ends with a frame.
  enum class Due { nothing, frame, step };
  Due due_ = Due::nothing;
  Applied applied_, waiting_;  // `waiting_` will be in the next frame
  int failures_ = 0;

  std::thread thread_;
};

}  // namespace sinew::studio
