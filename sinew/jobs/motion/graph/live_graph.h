// A motion graph that is kept in memory, and a character that is steered through it.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sinew/jobs/motion/graph/find_motion_graph.h"
#include "sinew/kinematics/graph/steer_graph.h"
#include "sinew/kinematics/graph/walk_poser.h"

namespace sinew {

// Immutable, at one place in memory; it keeps the character alive.
struct LiveGraph {
  std::shared_ptr<const OpenedCharacter> opened;
  GraphCharacter character;
  MotionGraph graph;
  std::deque<Clip> blends;
  std::vector<FramedClip> clips;  // refer to `character`
  SteerOptions options;           // that suit the body
  SteerSpeeds speeds;
  SteerStart start;
  std::vector<std::string> notes;  // sentences
};

// Finds the graph of all the character's clips. Throws input_error if it has none that can be steered: clips that do
// not lead into each other, or of which none travels or none stands.
std::shared_ptr<const LiveGraph> make_live_graph(std::shared_ptr<const OpenedCharacter> opened,
                                                 const Progress& progress = {});

// Turn and pace that keys ask for. `turn`: -1 (right) to 1 (left); `pace`: 0 stands, 1 walks, 2 runs, or anything
// between.
SteerWish steer_wish(const LiveGraph& graph, double turn, double pace);

// Poses of a character that is steered, between the frames of the graph on a line.
class SteeredCharacter {
 public:
  explicit SteeredCharacter(std::shared_ptr<const LiveGraph> graph);

  const LiveGraph& graph() const { return *graph_; }
  // The clip that it begins with, and the time of the first pose in it, seconds.
  const Clip& first_clip() const;
  double first_time() const;
  // The pose after so many seconds, which never become less. `wish` acts from the next frame of the graph on.
  const Pose& pose(double seconds, const SteerWish& wish);
  const GraphSteering& steering() const { return steering_; }

 private:
  std::shared_ptr<const LiveGraph> graph_;
  GraphSteering steering_;
  WalkPoser poser_;
  int frames_ = 0;           // that `second_` comes after the first pose
  WalkPose first_, second_;  // of two frames in a row
  Pose pose_;
};

}  // namespace sinew
