// From a mesh without a skeleton and joints that somebody placed in it to a rigged character (docs/rigging.md).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/rigging/mirror_joints.h"
#include "sinew/rigging/placed_joints.h"

namespace sinew {

struct RigMeshOptions {
  MirrorAxis mirror = MirrorAxis::none;  // across mirror_plane()
  int tetrahedra = 20000;                // of the body in which weights are found, aimed at
};

struct RiggedMesh {
  std::vector<PlacedJoint> joints;  // with the mirrored ones; joint k is node first_joint + k of the skeleton
  int first_joint = 0;              // index into Skeleton::joints
  std::vector<std::string> notes;   // sentences: joints outside the mesh, joints that move nothing, motion that is lost
  std::size_t vertices = 0;         // that got weights
};

// Throws input_error where the character has skin weights already, shows no triangles or has a node that is called as
// one of the joints, and what check_joints() throws; `file`: of the joints, for messages. Adds the joints to the
// skeleton, unturned and where they stand, and binds every part that shows something to them, as it stands in the
// default pose: skins, and at most four influences for each vertex, found inside the body
// (cook/mixed/bind_automatically.h). The same to the bit for any number of threads. Throws Stopped where `progress`
// asks for it.
RiggedMesh rig_mesh(Character& character, const std::vector<PlacedJoint>& joints, const RigMeshOptions& options,
                    const std::string& file, const Progress& progress = {});

// Where joints are mirrored, metres: the middle of the box of what the character shows in its default pose, or the
// origin where that is near the middle.
MirrorPlane mirror_plane(const Character& character, MirrorAxis axis);

}  // namespace sinew
