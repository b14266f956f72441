// Makes a clip of poses, one after the other: linear keys for every joint that moves.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/clip.h"

namespace sinew {

// Joints that clips move, by what they move. Ascending, each once.
struct MovedJoints {
  std::vector<int> joints, weights;  // transforms; morph weights
};
MovedJoints moved_joints(std::span<const Clip* const> clips);

// A joint's transform to its parent in a pose that was sampled into `space`, also where its node has a matrix.
Transform sampled_local(const Skeleton& skeleton, const SamplingSpace& space, std::size_t joint);

// Between two transforms, by translation and scale linearly and by rotation along the shorter arc.
Transform mixed(const Transform& a, const Transform& b, double weight);

class KeyRecorder {
 public:
  KeyRecorder(const Skeleton& skeleton, MovedJoints moved);

  const MovedJoints& moved() const { return moved_; }
  // Adds a key at `time`, seconds, later than the one before. Both spans have one entry per joint of the skeleton; only
  // those of moved joints are read.
  void add_frame(double time, std::span<const Transform> local, std::span<const std::vector<double>> weights);
  // The clip from 0 to the last key.
  Clip take(const std::string& name);

 private:
  MovedJoints moved_;
  Clip clip_;
};

}  // namespace sinew
