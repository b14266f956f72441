// A node of a motion graph that is a blend of similar clips, such as walks by speed or by turn, with a parameter in
// place of weights (Heck and Gleicher 2007). Clips are kept in step by their beats.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sinew/kinematics/blend_clips.h"
#include "sinew/kinematics/graph/framed_clip.h"
#include "sinew/kinematics/graph/motion_graph.h"

namespace sinew {

class BlendSpace {
 public:
  // `clips`: two or more that loop and have equally many beats, in an order in which their speeds, or their turns, rise
  // or fall. `travel`: per clip, velocity of a body that it shows in place, metres per second; empty: none. Body and
  // clips must outlive the space. Throws input_error, a sentence without file, if neither speed nor turn rises or falls
  // all along.
  BlendSpace(const GraphBody& body, std::vector<ClipToBlend> clips, double frames_per_second,
             std::vector<Vec3> travel = {});

  // Measured at evenly spaced weights, in their order.
  std::span<const BlendSample> table() const { return table_; }
  // Whether the parameter is the turn, and otherwise the speed: that which changes more for its range.
  bool by_turn() const { return by_turn_; }
  double least() const;  // of the parameter
  double most() const;
  // The weight at which the blend has this parameter: on a line between the samples next to it, at an end beyond them.
  double weight_at(double parameter) const;

  // One cycle of the blend.
  Clip clip(double weight, const std::string& name) const;
  // Travel of a body in it, whose cycle goes as far as those of the clips in the weighted mean.
  Vec3 travel(double weight) const;

 private:
  // Two clips next to each other, and the share of the second.
  struct Between {
    std::size_t first = 0;
    std::array<ClipToBlend, 2> pair;
    double share = 0;
  };
  Between between(double weight) const;
  double parameter(const BlendSample& sample) const { return by_turn_ ? sample.turn : sample.speed; }

  const GraphBody& body_;
  std::vector<ClipToBlend> clips_;
  double frames_per_second_;
  std::vector<Vec3> travel_;
  std::vector<BlendSample> table_;
  bool by_turn_ = false;
};

// One cycle of two clips at a constant weight of the second.
Clip blend_cycle(const GraphBody& body, const std::array<ClipToBlend, 2>& clips, double weight,
                 double frames_per_second, const std::string& name);

// Measures a clip that loops.
BlendSample measure_cycle(const GraphBody& body, const Clip& clip, const Vec3& travel);

}  // namespace sinew
