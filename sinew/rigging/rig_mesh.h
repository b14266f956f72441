// Rigs a mesh without a skeleton, from joints that a user placed in it (docs/rigging.md).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/volume/volume_meshing.h"
#include "sinew/rigging/mirror_joints.h"
#include "sinew/rigging/painted_weights.h"
#include "sinew/rigging/placed_joints.h"

namespace sinew {

struct RigMeshOptions {
  MirrorAxis mirror = MirrorAxis::none;  // across mirror_plane()
  int tetrahedra = 20000;                // approximate number of tetrahedra of the body in which weights are computed
  PaintedWeights painted{};              // weights corrected by hand
};

struct RiggedMesh {
  std::vector<PlacedJoint> joints;  // including the mirrored ones; joint k is node first_joint + k of the skeleton
  int first_joint = 0;              // index into Skeleton::joints
  std::vector<std::string> notes;   // sentences: joints outside the mesh, joints that move nothing, motion that is lost
  std::size_t vertices = 0;         // number of vertices that got weights
};

// The body of a mesh in which weights are found. It is the same for any joints, so that a mesh that is rigged again and
// again is filled once.
struct RiggingBody {
  TriangleMesh rest;  // the surface that it fills
  VolumeMesh volume;
};

// Adds the joints to the skeleton at their positions, without rotation, and binds every visible part to them as it
// stands in the default pose: skins with at most four influences per vertex, computed inside the body
// (cook/mixed/bind_automatically.h). Same bits for any number of threads. Throws input_error where the character
// already has skin weights, shows no triangles or has a node with the name of a joint, and as check_joints() does;
// `file` names the joints' file in messages. `body`, unless null, is used if it fits the surface, and kept there
// otherwise; pass the same options with it. Throws Stopped where `progress` asks for it.
RiggedMesh rig_mesh(Character& character, const std::vector<PlacedJoint>& joints, const RigMeshOptions& options,
                    const std::string& file, const Progress& progress = {}, RiggingBody* body = nullptr);

// The plane across which joints are mirrored: the middle of the bounding box of what the character shows in its default
// pose, or the origin if that is near the middle. Metres.
MirrorPlane mirror_plane(const Character& character, MirrorAxis axis);

}  // namespace sinew
