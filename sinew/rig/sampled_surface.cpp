#include "sinew/rig/sampled_surface.h"

#include <algorithm>

#include "sinew/rig/linear_blend.h"

namespace sinew {

std::vector<int> spread_evenly(std::size_t count, std::size_t most) {
  const std::size_t picked = std::min(count, most);
  std::vector<int> result;
  for (std::size_t k = 0; k < picked; ++k) result.push_back(static_cast<int>(k * count / picked));
  return result;
}

SampledSurface::SampledSurface(const Character& character, const SimulationSurface& surface, std::size_t most, Of of)
    : character_(character), surface_(surface), bones_(surface.bones.size()) {
  std::vector<int> candidates;
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v)
    if (of == Of::surface || surface.figure.empty() || surface.figure[v] == 0)
      candidates.push_back(static_cast<int>(v));
  for (const int k : spread_evenly(candidates.size(), most))
    vertices_.push_back(candidates[static_cast<std::size_t>(k)]);
  for (const int v : vertices_) {
    rest_.push_back(surface.rest.positions[static_cast<std::size_t>(v)]);
    if (surface.weighted) influences_.push_back(surface.influences[static_cast<std::size_t>(v)]);
  }
}

void SampledSurface::at(const Clip& clip, double seconds, std::span<Vec3> positions) {
  sample(character_.skeleton, &clip, seconds, space_, pose_);
  bone_transforms(character_, surface_.bones, pose_, bones_);
  if (surface_.weighted)
    linear_blend(rest_, influences_, bones_, positions);
  else
    std::copy(rest_.begin(), rest_.end(), positions.begin());
}

}  // namespace sinew
