// A clip as an animation of a character's rig: its channels as parameters.
#pragma once

#include <vector>

#include "sinew/character/channel.h"
#include "sinew/character/rig.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {

class ClipAnimation : public RigAnimation {
 public:
  // Keeps copies of what it needs. A channel on scale keys the uniform scale too (at 0), since both are written to the
  // same channel. Rotation vectors are continuous over the clip: between turns of 360 degrees that mean the same, the
  // one that is nearest to the moment before is taken. A scale of zero comes out as 1e-12 of the rest scale.
  // Throws input_error, naming clip and node, where a scale changes its sign against the rest scale or leaves a rest
  // scale of zero, which logarithms cannot hold.
  ClipAnimation(const CharacterRig& rig, const Clip& clip);

  void sample(double seconds, std::span<double> p) const override;
  // Every parameter that a channel exists for, whether it moves it or not.
  const std::vector<char>& keyed() const override { return keyed_; }

  std::vector<char> still(double tolerance = 1e-6) const override;

 private:
  struct Track {
    Channel channel;
    Transform rest;  // of the node, local, file units
    double metres_per_local_unit = 1;
    int first = -1;                  // index of the first parameter
    int count = 0;                   // parameters
    std::vector<double> turn_times;  // rotations: moments between which the vector turns little
    std::vector<Vec3> turns;         // rotation vectors then
  };

  Vec3 rotation_vector(const Track& track, double seconds, const Vec3& near) const;
  void follow_rotation(Track& track) const;
  static void check_scale(const CharacterRig& rig, const Clip& clip, const Track& track);

  std::vector<Track> tracks_;
  std::vector<char> keyed_;
  std::vector<double> rest_;  // per parameter
};

}  // namespace sinew
