#include "sinew/bake/skinned_recording.h"

#include <cstdint>
#include <vector>

#include "sinew/bake/posed_motion.h"
#include "sinew/bake/record_frames.h"
#include "sinew/rig/linear_blend.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {

void add_goal_of_skinning(const Character& character, const SimulationSurface& surface, Recording& recording) {
  if (surface.skinning.kind == SkinningKind::linear) return;
  const Clip* own = recording.clip < 0 ? nullptr : &character.clips[static_cast<std::size_t>(recording.clip)];
  const Clip posed = recording.posed.empty() ? Clip{} : with_posed_joints(character.skeleton, own, recording);
  const Clip* clip = recording.posed.empty() ? own : &posed;
  const std::size_t vertices = surface.rest.positions.size();
  std::vector<Vec3> goal(vertices), linear(vertices), displacement(vertices);
  std::vector<Affine> bones(surface.bones.size());
  SamplingSpace space;
  Pose pose;
  for (std::size_t frame = 0; frame < recording.times.size(); ++frame) {
    sample(character.skeleton, clip, recording.times[frame], space, pose);
    bone_transforms(character, surface.bones, pose, bones);
    pose_points(skin_of(surface), bones, goal);
    linear_blend(surface.rest.positions, surface.influences, bones, linear);
    read_frame(surface, recording, static_cast<std::int64_t>(frame), displacement);
    for (std::size_t v = 0; v < vertices; ++v) displacement[v] += goal[v] - linear[v];
    replace_frame(surface, displacement, static_cast<std::int64_t>(frame), recording);
  }
}

}  // namespace sinew
