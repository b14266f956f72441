// Motion graphs: clips, and the transitions from frames of one to frames of another, or of itself (Kovar 2002).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/kinematics/standing.h"

namespace sinew {

struct GraphClip {
  std::string name;
  bool loops = false;  // the last frame leads to the first
  int frames = 0;
  Vec3 travel;  // metres per second that the body goes beyond its keys
  // Names of the clips that it is a blend of, and its place among them (BlendSample::weight); empty: it is the
  // character's own.
  std::vector<std::string> blend{};
  double weight = 0;
};

// A blend of clips, measured.
struct BlendSample {
  double weight = 0;  // 0 is the first clip, 1 the second, 1.5 the mean of the second and the third
  double speed = 0;   // metres per second, the way that the body faces
  double turn = 0;    // radians per second about y
};

// Clips that are blended by a parameter (kinematics/graph/blend_space.h).
struct GraphNode {
  std::vector<std::string> clips;  // names
  bool by_turn = false;            // the parameter is the turn, else the speed
  std::vector<BlendSample> table;  // by weight
};

// Leaves one clip at a frame and is in the other one a window later: over that time it blends from one to the other.
struct GraphTransition {
  int from = 0, to = 0;              // clips of the graph
  int from_frame = 0, to_frame = 0;  // in which the blend begins, in each
  Standing motion;                   // brings the clip `to` to where `from` is, metres
  double distance = 0;               // of the two windows, metres
};

struct MotionGraph {
  double frames_per_second = 30;
  int window = 10;       // frames of a transition
  double threshold = 0;  // largest distance of a transition between any two clips, metres
  std::vector<GraphNode> nodes;
  std::vector<GraphClip> clips;
  std::vector<GraphTransition> transitions;  // by clip `from`, then by frame

  // The frame of the clip `to` in which a transition ends, within its cycle.
  int arrival(const GraphTransition& transition) const;
  // The way is from `frame` to the next frame of the clip, around a cycle.
  int next_frame(int clip, int frame) const;
  double seconds() const { return window / frames_per_second; }
};

// Sorts transitions and leaves those that lead on for ever: both ends lie in the largest part of the graph within which
// every frame is reached from every other one (strongly connected component, Tarjan 1972; the largest by frames of
// those with a transition, and of all if none has one). Clips that have no frame in it are taken out; returns their
// names.
std::vector<std::string> keep_strongest_part(MotionGraph& graph);

// Indices of the transitions that leave a clip, in the order of frames.
std::span<const GraphTransition> transitions_from(const MotionGraph& graph, int clip);

}  // namespace sinew
