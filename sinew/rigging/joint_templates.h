// Skeletons to begin with: some twenty joints of a kind of animal, laid into a mesh, to be adjusted by hand.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/mesh/triangle_mesh.h"
#include "sinew/rigging/mirror_joints.h"
#include "sinew/rigging/placed_joints.h"

namespace sinew {

// Names of the templates: biped, quadruped, fish, bird.
std::span<const char* const> joint_templates();

// The joints of a template in the box of a mesh (metres) that stands along +y and looks along +z, or along +x where the
// plane is across z. Joints of both sides are mirrored and named. They go to the middle of the flesh near their place,
// where there is some. Throws usage_error for an unknown name or a mesh without triangles.
std::vector<PlacedJoint> template_joints(const std::string& name, const TriangleMesh& mesh, const MirrorPlane& plane);

}  // namespace sinew
