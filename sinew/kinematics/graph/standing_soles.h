// Soles that stand, and the alignment of two stretches of motion that leaves them where they are.
#pragma once

#include <span>
#include <vector>

#include "sinew/kinematics/graph/window_distance.h"

namespace sinew {

// Whether each of the sole's points stands in each frame: no higher than 3 % of `height`, the body's, above the lowest
// point of the clip, and slower than 15 % of it per second. `positions`: frames x points, metres.
std::vector<char> standing_soles(std::span<const Vec3> positions, std::size_t points, double height,
                                 double frames_per_second);

// Points of one window of frames.
struct WindowPoints {
  std::span<const Vec3> cloud;     // frames x points of the cloud
  std::span<const Vec3> soles;     // frames x points of the soles; empty: none are known
  std::span<const char> standing;  // standing_soles() of these frames
};

// Aligns two windows by their clouds; where the same soles stand in both, by these above all, so that feet do not slide
// when motion goes over from one to the other. `weights`: of the cloud. The distance is that of the cloud.
GroundAlignment align_windows(const WindowPoints& first, const WindowPoints& second, std::span<const double> weights);

}  // namespace sinew
