// Conversion of displacements of single vertices between world and bind space.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

// Linear parts of everything that can carry a vertex of one node, over a number of frames.
struct SkinFrames {
  int frames = 0;
  // carriers x frames: a row per joint of the skin (bind space to world metres), then one for the
  // node itself (its own space to world metres), which carries vertices without weights.
  std::vector<Mat3> linear;
};

SkinFrames skin_frames(const Character& character, const Part& part, std::span<const Pose> poses);

// The blended matrix of one vertex in every frame. It maps displacements in the part's own space (file units) to world
// displacements (metres). `blended` has skin_frames.frames entries.
void blended_linear(const SkinFrames& skin_frames, const Part& part, int vertex, std::span<Mat3> blended);

// Solves linear * y = world for y. Where `linear` is nearly singular (a collapsed joint) the damped pseudo-inverse is
// used, which reduces the displacement rather than exaggerate it:
//   y = (A^T A + m^2 I)^-1 A^T u,   m^2 = (0.1 s)^2 (1 - q / 0.2)^2,
// with s = |A|_F / sqrt 3 and q = |det A| / s^3 < 0.2; continuous in A (after Nakamura and Hanafusa 1986,
// equation 28, with the determinant as measure of manipulability). Zero where A is zero.
Vec3 to_bind_space(const Mat3& linear, const Vec3& world);

}  // namespace sinew
