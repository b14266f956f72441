// The result of a bake: the displacement of each vertex from where the rig alone puts it.
#pragma once

#include <string>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Displacements of one part (index into Character::parts) over all frames.
struct PartRecording {
  int part = -1;
  int vertices = 0;
  // frames x vertices x 3, metres, world axes: simulated position minus the rig's position.
  std::vector<float> displacement;
};

// Motion of an accessory (anatomy/accessories.h) with the flesh that it sits on.
struct AccessoryRecording {
  std::vector<int> nodes;      // nodes that show its meshes, ascending: indices into Skeleton::joints
  int joint = -1;              // joint of the bone that carries the flesh
  std::vector<Affine> motion;  // one per frame, rigid: metres, world; from the rig's placement to the displayed one
  double largest = 0;          // metres: upper bound of the motion of any of its points
};

// Motion of a joint that was posed in place of its clip.
struct PosedJoint {
  int joint = -1;                // index into Skeleton::joints
  std::vector<Transform> local;  // one per frame: relative to the parent, file units
};

struct Recording {
  int clip = -1;  // index into Character::clips; -1: the rest pose
  double frames_per_second = 30;
  std::vector<double> times;                      // one per frame: seconds, clip time
  std::vector<PartRecording> parts;               // the simulated (skinned, triangulated) parts, in part order
  std::vector<AccessoryRecording> accessories{};  // accessories that move, if requested
  std::vector<PosedJoint> posed{};                // joints that the take or a free body poses (posed_motion.h)
};

}  // namespace sinew
