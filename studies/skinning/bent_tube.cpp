#include "studies/skinning/bent_tube.h"

#include <algorithm>
#include <cmath>

#include "studies/surface/dancing_tube.h"

namespace sinew {
namespace {

constexpr double joint_height = 0.5, blended = 0.2;  // metres

// Shares of the skin's joints 0, below, and 1, above.
Influences influences_at_height(double y) {
  const double t = std::clamp((y - joint_height) / (2 * blended) + 0.5, 0.0, 1.0), upper = t * t * (3 - 2 * t);
  Influences on;
  on.count = upper > 0 && upper < 1 ? 2 : 1;
  const int main = upper > 0.5 ? 1 : 0;
  on.joint = {main, on.count == 2 ? 1 - main : 0};
  on.weight = {std::max(upper, 1 - upper), on.count == 2 ? std::min(upper, 1 - upper) : 0};
  return on;
}

}  // namespace

Character bent_tube() {
  Character character = upright_tube({.rings = 51, .columns = 24, .bones = 2, .length = 1, .radius = 0.1});
  Part& tube = character.parts.front();
  for (std::size_t v = 0; v < tube.influences.size(); ++v)
    tube.influences[v] = influences_at_height(tube.surface.positions[v].y);
  return character;
}

}  // namespace sinew
