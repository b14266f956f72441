// Skin weights made by hand.
#pragma once

#include <utility>

#include "sinew/character/character.h"

namespace sinew::test {

// All weight on one joint.
inline Influences on(int joint) {
  Influences influences;
  influences.count = 1;
  influences.joint[0] = joint;
  influences.weight[0] = 1;
  return influences;
}

// `share` of the weight, from 0 to 1, on the second joint and the rest on the first.
inline Influences between(int first, int second, double share) {
  if (share <= 0) return on(first);
  if (share >= 1) return on(second);
  Influences influences;
  influences.count = 2;
  influences.joint = {first, second};
  influences.weight = {1 - share, share};
  if (share > 0.5) {
    std::swap(influences.joint[0], influences.joint[1]);
    std::swap(influences.weight[0], influences.weight[1]);
  }
  return influences;
}

}  // namespace sinew::test
