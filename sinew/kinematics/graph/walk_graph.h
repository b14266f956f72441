// Walks through a motion graph: clips that are played and transitions that are taken, frame by frame.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/kinematics/graph/framed_clip.h"
#include "sinew/kinematics/graph/motion_graph.h"

namespace sinew {

// The picture of a walk at one frame: a frame of a clip, or a blend of frames of two.
struct WalkFrame {
  int clip = 0, frame = 0;        // of the graph; frames of a clip that loops go on over its cycles
  Standing ground;                // brings the clip's space to the world, metres
  int next = -1, next_frame = 0;  // the clip to which a transition leads; -1: none runs
  Standing next_ground;
  double weight = 0;  // of that clip, 0 to 1
};

struct TakenTransition {
  int transition = 0;  // of the graph
  int begin = 0;       // frame of the walk from which on it blends, for a window
};

struct Walk {
  std::vector<WalkFrame> frames;
  std::vector<TakenTransition> transitions;
};

// A body on its way: in `frame` of `clip`, no transition running.
struct WalkState {
  int clip = 0, frame = 0;
  Standing ground;
  Standing body;        // of the body in the world
  double facing = 0;    // heading of the body on the whole, without the sway of steps, radians; full turns add up
  double turn = 0;      // radians that it was turned by in the last frame, beyond its clips
  double own_turn = 0;  // radians that its clips turned it by in the last frame, without the sway of steps
  double way = 0;       // along a path that it follows, metres
  double error = 0;     // squares of the distance from it, and of transitions, summed over frames
  int frames = 0;       // that it has gone
};

// A transition that a body is in.
struct RunningTransition {
  int transition = -1;   // of the graph; -1: none runs
  int begin = 0;         // frame in which the clip is left
  int frame = 0;         // frames that the transition has run
  Standing next_ground;  // of the clip that it leads to
};

// Told of every frame: after the state's body was placed. May turn the body.
class WalkGuide {
 public:
  virtual ~WalkGuide() = default;
  // Returns radians by which the body is turned about where it stands.
  virtual double follow(WalkState& state, const Vec3& before) const = 0;
  // Whether the body is where it was to go.
  virtual bool arrived(const WalkState& state) const = 0;
};

// Moves states through a graph.
class GraphWalker {
 public:
  static constexpr int go_on = -1;  // a choice, beside transitions of the graph

  // `clips`: frames of the graph's clips, in their order. All must outlive the walker. `guide`: may be null.
  GraphWalker(const MotionGraph& graph, std::span<const FramedClip> clips, const WalkGuide* guide = nullptr);

  const MotionGraph& graph() const { return graph_; }
  const FramedClip& clip(int clip) const { return clips_[static_cast<std::size_t>(clip)]; }
  // The body in a frame at which the clip can be left, the first one, where it stands at `body`. Returns whether there
  // is such a frame; a clip of a graph without transitions begins at its first.
  bool begin(int clip, const Standing& body, WalkState& state) const;
  // The body in a frame of a clip, where it stands at `body`.
  WalkState begin_in(int clip, int frame, const Standing& body) const;
  // Choices at the state's frame.
  std::vector<int> choices(const WalkState& state) const;
  // Takes a choice and goes on to the next frame that has choices, or until the state has gone `most` frames or
  // the guide has it arrived, if that is earlier and no transition runs. `walk`: gets the frames, unless null.
  void take(int choice, int most, WalkState& state, Walk* walk) const;

  // Takes a choice frame by frame: begins it, and goes on by a frame. While a transition runs, the state's clip is the
  // one that it leads to, and its frame the one in which the clip before was left.
  RunningTransition begin(int choice, const WalkState& state, Walk* walk) const;
  void step(WalkState& state, RunningTransition& running, Walk* walk) const;

 private:
  double calm_heading(int clip, int frame) const;
  int frames_to_choice(int clip, int frame) const;
  void play(WalkState& state, Walk* walk) const;
  void blend(RunningTransition& running, WalkState& state, Walk* walk) const;
  void guide(const Vec3& before, std::span<Standing* const> grounds, WalkState& state) const;
  void wrap(WalkState& state) const;

  const MotionGraph& graph_;
  std::span<const FramedClip> clips_;
  const WalkGuide* guide_;
  std::vector<std::vector<int>> choice_frames_;     // per clip, ascending, each once
  std::vector<std::vector<double>> calm_headings_;  // per clip and frame
};

// Share of the second clip in frame t of a transition of `window` frames: 0 at t = 0, 1 at t = window.
double transition_weight(int t, int window);

// Wanders: at each frame with transitions takes any of them or none, by chance. Equal seeds give equal walks.
Walk wander(const GraphWalker& walker, std::uint64_t seed, int frames);

// A clip to play, and how long.
struct ClipTurn {
  int clip = 0;
  int frames = 0;  // at least; 0: once
};

// Plays clips one after the other, by the quickest transitions between them. The first one begins at its first frame. A
// last one that does not loop and is played once ends at its last frame, the others at their last way out.
Walk play_in_turn(const GraphWalker& walker, std::span<const ClipTurn> turns);

}  // namespace sinew
