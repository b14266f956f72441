#include "sinew/session/attachment_placing.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/contact/surface_patch.h"
#include "sinew/session/attachment.h"
#include "sinew/session/bones_of_skin.h"

namespace sinew {

GrabSettings attachment_at(const Character& character, const SimulationSurface& surface, const Vec3& point,
                           const std::string& joint) {
  const SurfacePoint skin = nearest_surface_point(surface.rest, point);
  GrabSettings attachment;
  attachment.point = place_of(skin, surface.rest.positions);
  attachment.joint = joint;
  if (joint.empty()) attachment.joint = surface.bones[static_cast<std::size_t>(most_followed_bone(surface, skin))].name;
  if (attachment.joint.empty())
    throw usage_error("The joint that this skin follows has no name, by which settings find joints; choose another.");
  JointMotion(character, attachment.joint, "An attachment");  // throws for a joint that is not there
  const std::vector<Joint>& joints = character.skeleton.joints;
  const auto is_named = [&](const Joint& each) { return each.name == attachment.joint; };
  if (std::count_if(joints.begin(), joints.end(), is_named) > 1)
    throw usage_error("Several joints are named '" + attachment.joint +
                      "', and settings find joints by their names; rename the others in the file.");
  const Pose pose = sample(character.skeleton, nullptr, 0);
  attachment.to = carried(surface, skin, bone_transforms(character, surface, pose));
  return attachment;
}

}  // namespace sinew
