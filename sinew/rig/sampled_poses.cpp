#include "sinew/rig/sampled_poses.h"

#include <numeric>
#include <utility>

#include "sinew/rig/sampled_surface.h"

namespace sinew {

std::vector<std::vector<Affine>> sampled_poses(const Character& character, const SimulationSurface& surface,
                                               std::vector<int> clips, std::size_t most) {
  std::vector<std::vector<Affine>> poses;
  SamplingSpace space;
  Pose pose;
  std::erase(clips, -1);
  const std::vector<int> chosen = spread_evenly(clips.size(), most);
  for (const int k : chosen) {
    const Clip& clip = character.clips[static_cast<std::size_t>(clips[static_cast<std::size_t>(k)])];
    const std::size_t of_clip = most / chosen.size();
    for (std::size_t p = 0; p < of_clip; ++p) {
      const double share = (static_cast<double>(p) + 0.5) / static_cast<double>(of_clip);
      sample(character.skeleton, &clip, clip.start + share * (clip.end - clip.start), space, pose);
      bone_transforms(character, surface.bones, pose, poses.emplace_back(surface.bones.size()));
    }
  }
  return poses;
}

std::vector<std::vector<Affine>> sampled_poses(const Character& character, const SimulationSurface& surface,
                                               std::size_t most) {
  std::vector<int> all(character.clips.size());
  std::iota(all.begin(), all.end(), 0);
  return sampled_poses(character, surface, std::move(all), most);
}

}  // namespace sinew
