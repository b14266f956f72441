// The character of rig_character.h with nodes below its spine that can be control points.
#pragma once

#include <string>
#include <vector>

#include "tests/rig/rig_character.h"

namespace sinew::test {

// Adds nodes below `parent`, at places of the world in the default pose (file units); returns the first one's index.
inline int add_control_nodes(Character& character, int parent, const std::string& name,
                             const std::vector<Vec3>& places) {
  Skeleton& skeleton = character.skeleton;
  const Affine to_parent = inverse(sample(skeleton, nullptr, 0).world[static_cast<std::size_t>(parent)]);
  const int first = static_cast<int>(skeleton.joints.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    Joint joint;
    joint.name = name + std::to_string(i);
    joint.parent = parent;
    joint.rest.translation = to_parent * places[i];
    joint.rest.rotation = turned(1, 1, 0, 0.3);  // of no consequence
    skeleton.parents_first.push_back(static_cast<int>(skeleton.joints.size()));
    skeleton.joints.push_back(joint);
  }
  return first;
}

// Where `share` of the way up the tube is in the default pose, file units.
inline Vec3 on_tube(const Character& character, double share, double side) {
  const Part& part = character.parts[0];
  const std::vector<Vec3> posed = posed_positions(character, part, sample(character.skeleton, nullptr, 0));
  std::size_t best = 0;
  double least = 1e30;
  for (std::size_t v = 0; v < posed.size(); ++v) {
    const double d = distance(part.surface.positions[v], {side * 15, share * 160, 0});
    if (d < least) {
      least = d;
      best = v;
    }
  }
  return posed[best];
}

inline std::vector<int> count_from(int first, int count) {
  std::vector<int> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(first + i);
  return nodes;
}

}  // namespace sinew::test
