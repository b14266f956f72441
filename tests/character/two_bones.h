// A small character made by hand: a tube that stands on two joints.
#pragma once

#include <functional>

#include "sinew/character/character.h"
#include "tests/character/influences.h"
#include "tests/mesh/shapes.h"

namespace sinew::test {

// Joint 0 shows the mesh, joint 1 ("lower") stands at the origin, joint 2 ("upper") at half the height. Lengths in
// file units. `upper_weight`: from the height of a vertex over the whole height to its weight on "upper".
inline Character two_bone_tube(int along, int around, double height, double radius,
                               const std::function<double(double)>& upper_weight) {
  Character character;
  character.skeleton.joints.resize(3);
  character.skeleton.joints[0].name = "mesh";
  character.skeleton.joints[1].name = "lower";
  character.skeleton.joints[2].name = "upper";
  character.skeleton.joints[2].parent = 1;
  character.skeleton.joints[2].rest.translation = {0, height / 2, 0};
  character.skeleton.parents_first = {0, 1, 2};
  character.skins.push_back({"skin", {1, 2}, {Affine{}, Affine{Mat3::identity(), {0, -height / 2, 0}}}});
  Part part;
  part.name = "tube";
  part.joint = part.mesh = part.primitive = part.skin = 0;
  part.surface = upright_tube(along, around, height, radius);
  for (const Vec3& x : part.surface.positions) part.influences.push_back(between(0, 1, upper_weight(x.y / height)));
  character.parts.push_back(part);
  return character;
}

}  // namespace sinew::test
