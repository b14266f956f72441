// Finds the wings of a character: pairs of joints that mirror each other, whose skin is flat, and their strips.
#pragma once

#include <array>
#include <vector>

#include "sinew/dynamics/character_links.h"
#include "sinew/dynamics/flight/air_forces.h"

namespace sinew {

// A wing on the left (x > 0) or the right, in rest space: up is y, and the body looks along z.
struct Wing {
  int joint = -1;      // index into Skeleton::joints
  int link = -1;       // that the joint is
  double side = 1;     // 1 on the left, -1 on the right
  Quat spread;         // turn of the wing in rest space about its joint: it then points to its side, flat on the ground
  double length = 0;   // from the joint to the tip, metres
  double area = 0;     // square metres
  double balance = 0;  // of the spread wing: z of its quarter chord, the mean over its area, rest space, metres
};

struct FoundWings {
  std::vector<std::array<Wing, 2>> pairs;  // left and right
  std::vector<WingStrip> strips;           // of all wings
  double span = 0;                         // from tip to tip, metres
  double area = 0;                         // square metres
  double aspect() const { return span * span / area; }
};

// Empty if the character has no wings that are links of their own.
FoundWings find_wings(const Skeleton& skeleton, const SimulationSurface& surface, const CharacterLinks& links);

}  // namespace sinew
