#include "sinew/bake/flesh_frames.h"

namespace sinew {

FleshFrames::FleshFrames(const FleshScene& scene)
    : scene_(scene), carrier_(surface_carrier(scene)), surface_(carrier_->surface_vertices()) {}

void FleshFrames::record(std::span<const Affine> bones, std::span<Vec3> local, Recording& recording) {
  carrier_->displace(bones, local, surface_);
  for (std::size_t p = 0; p < recording.parts.size(); ++p)
    for (int v : scene_.surface.vertex_of[p]) {
      const Vec3& d = surface_[static_cast<std::size_t>(v)];
      std::vector<float>& values = recording.parts[p].displacement;
      values.insert(values.end(), {static_cast<float>(d.x), static_cast<float>(d.y), static_cast<float>(d.z)});
    }
}

std::vector<Vec3> between_steps(std::span<const Vec3> before, std::span<const Vec3> now, double share) {
  std::vector<Vec3> local(now.begin(), now.end());
  if (!(share > 1e-9)) return local;
  for (std::size_t v = 0; v < local.size(); ++v) local[v] += (before[v] - now[v]) * share;
  return local;
}

}  // namespace sinew
