#include "sinew/rig/sampled_poses.h"

#include "sinew/rig/sampled_surface.h"

namespace sinew {

std::vector<std::vector<Affine>> sampled_poses(const Character& character, const SimulationSurface& surface,
                                               std::size_t most) {
  std::vector<std::vector<Affine>> poses;
  SamplingSpace space;
  Pose pose;
  const std::vector<int> clips = spread_evenly(character.clips.size(), most);
  for (const int c : clips) {
    const Clip& clip = character.clips[static_cast<std::size_t>(c)];
    const std::size_t of_clip = most / clips.size();
    for (std::size_t k = 0; k < of_clip; ++k) {
      const double share = (static_cast<double>(k) + 0.5) / static_cast<double>(of_clip);
      sample(character.skeleton, &clip, clip.start + share * (clip.end - clip.start), space, pose);
      bone_transforms(character, surface.bones, pose, poses.emplace_back(surface.bones.size()));
    }
  }
  return poses;
}

}  // namespace sinew
