// A clip as an animation of a character's rig: converts its channels to parameters.
#pragma once

#include <vector>

#include "sinew/character/channel.h"
#include "sinew/character/rig.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {

class ClipAnimation : public RigAnimation {
 public:
  // Keeps copies of what it needs. A channel on scale keys the uniform scale too (at 0), since both are written to the
  // same channel. Rotation vectors are continuous over the clip: of the equivalent ones, the one nearest to the
  // previous moment is taken. A scale of zero becomes 1e-12 of the rest scale. Throws input_error, naming clip and
  // node, where a scale has another sign than the rest scale or the rest scale is zero, which logarithms cannot
  // represent.
  ClipAnimation(const CharacterRig& rig, const Clip& clip);

  void sample(double seconds, std::span<double> p) const override;
  // Marks every parameter that has a channel, even if the channel does not move it.
  const std::vector<char>& keyed() const override { return keyed_; }

  std::vector<char> still(double tolerance = 1e-6) const override;

 private:
  struct Track {
    Channel channel;
    Transform rest;  // of the node, local, file units
    double metres_per_local_unit = 1;
    int first = -1;                  // index of the first parameter
    int count = 0;                   // number of parameters
    std::vector<double> turn_times;  // rotations: times between which the rotation vector changes little
    std::vector<Vec3> turns;         // rotation vectors at those times
  };

  Vec3 rotation_vector(const Track& track, double seconds, const Vec3& near) const;
  void follow_rotation(Track& track) const;
  static void check_scale(const CharacterRig& rig, const Clip& clip, const Track& track);

  std::vector<Track> tracks_;
  std::vector<char> keyed_;
  std::vector<double> rest_;  // per parameter
};

}  // namespace sinew
