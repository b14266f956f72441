// Where a loop goes from its end into its beginning.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Each round goes on from where the one before it came to, and before its end the rig is led smoothly to where it will
// begin: what keeps flesh from seeing a jump that nobody means. Empty: every round is the clip as it is.
struct Seam {
  struct Way {
    Vec3 head;  // of the bone, rest space, metres
    Quat turn;  // of the bone about it, and
    Vec3 way;   // of the head, metres: what is missing at the end
  };
  Affine round;        // what carries the first pose to where the last one is: metres, world
  double seconds = 0;  // before the end, over which bones are led
  std::vector<Way> bones;

  // `share`: of what is missing at the end that is made good. `rounds`: played before. `transforms` of the bones: rest
  // space to world, metres.
  void carry(int rounds, double share, std::span<Affine> transforms) const;
};

// `first`, `last`: transforms of the bones at the clip's beginning and end.
Seam seam(std::span<const Bone> bones, std::span<const Affine> first, std::span<const Affine> last, const Affine& round,
          double seconds);

}  // namespace sinew
