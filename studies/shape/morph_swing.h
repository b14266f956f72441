// Morph targets as forces, swinging in: each target's weight goes from 0 to 1 within a tenth of a second.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// Seconds from when the weight begins to rise.
inline constexpr double swung_times[] = {0, 0.05, 0.1, 0.15, 0.2, 0.3, 1};

struct SwungMorph {
  std::string name;
  std::vector<std::vector<Vec3>> skins;  // at swung_times, world, metres
  std::vector<Vec3> target;              // the skin with the target at 1, by the rig alone
  double late = 0;                       // how much of the shape is missing when the weight arrives, share
  double beyond = 0;                     // largest share beyond the shape
  double left = 0;                       // root mean square distance from the target at the end, metres
};

struct MorphSwings {
  std::string character;
  double height = 0;  // metres
  std::vector<Triangle> triangles;
  std::vector<SwungMorph> morphs;
};

// `most`: so many targets at most, the first ones.
MorphSwings morph_swings(const Character& character, const std::string& name, std::size_t most,
                         const Progress& progress = {});

}  // namespace sinew
