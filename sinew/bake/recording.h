// What a bake leaves behind: how far physics moved each vertex from where the rig alone puts it.
#pragma once

#include <string>
#include <vector>

namespace sinew {

// Displacements of one part (index into Character::parts) over all frames of a recording.
struct PartRecording {
  int part = -1;
  int vertices = 0;
  // frames x vertices x 3, metres, world axes: physics' position minus the rig's own position.
  std::vector<float> displacement;
};

struct Recording {
  int clip = -1;  // index into Character::clips; -1: the rest pose
  double frames_per_second = 30;
  std::vector<double> times;         // one per frame: seconds on the clip's own time line
  std::vector<PartRecording> parts;  // the simulated (skinned, triangulated) parts, in part order
};

}  // namespace sinew
