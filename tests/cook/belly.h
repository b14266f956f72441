// A belly with a button on it and a sword beside it, for tests of rigid parts.
#pragma once

#include <array>
#include <vector>

#include "tests/anatomy/figures.h"

namespace sinew::test {

// A belly of one bone, a button on its front, and beside it a sword that another bone carries. The button overlaps the
// belly; `apart`: it is a rod that only touches it.
struct Belly {
  Figure figure;
  int skin, button, sword, end;
  std::vector<RigidPart> parts;
};
inline Belly belly(bool apart = false) {
  Belly b;
  Figure& f = b.figure;
  const int spine = f.bone(-1, {0, 0, 0}), arm = f.bone(spine, {0.6, 1.4, 0}), hand = f.bone(arm, {1, 1, 0});
  b.skin = f.piece(sphere({0, 1, 0}, 0.5, 120), spine);
  b.button = f.piece(apart ? capsule({-0.04, 1, 0.522}, {0.04, 1, 0.522}, 0.02) : sphere({0, 1, 0.5}, 0.05, 12), spine);
  b.sword = f.piece(capsule({0.51, 0.6, 0}, {0.51, 1.4, 0}, 0.01), hand);
  b.end = static_cast<int>(f.surface.rest.positions.size());
  for (const auto& [bone, first, last] : {std::array{spine, b.button, b.sword}, std::array{hand, b.sword, b.end}}) {
    RigidPart& part = b.parts.emplace_back();
    part.bone = bone;
    for (int v = first; v < last; ++v) part.vertices.push_back(v);
  }
  return b;
}

}  // namespace sinew::test
