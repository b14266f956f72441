// What a bake leaves behind: how far physics moved each vertex from where the rig alone puts it.
#pragma once

#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Displacements of one part (index into Character::parts) over all frames of a recording.
struct PartRecording {
  int part = -1;
  int vertices = 0;
  // frames x vertices x 3, metres, world axes: physics' position minus the rig's own position.
  std::vector<float> displacement;
};

// How an accessory (anatomy/accessories.h) goes along with the flesh that it sits on.
struct AccessoryRecording {
  std::vector<int> nodes;      // that show its meshes, rising: indices into Skeleton::joints
  int joint = -1;              // of the bone that carries the flesh
  std::vector<Affine> motion;  // one per frame, rigid: metres, world; from where the rig puts it to where it is shown
  double largest = 0;          // metres: how far any of it is moved in any frame, at most
};

struct Recording {
  int clip = -1;  // index into Character::clips; -1: the rest pose
  double frames_per_second = 30;
  std::vector<double> times;                      // one per frame: seconds on the clip's own time line
  std::vector<PartRecording> parts;               // the simulated (skinned, triangulated) parts, in part order
  std::vector<AccessoryRecording> accessories{};  // those that were asked for and move
};

}  // namespace sinew
