#include "sinew/bake/flesh_frames.h"

#include "sinew/bake/record_frames.h"

namespace sinew {

FleshFrames::FleshFrames(const FleshScene& scene)
    : scene_(scene), carrier_(surface_carrier(scene)), surface_(carrier_->surface_vertices()) {}

void FleshFrames::record(std::span<const Affine> bones, std::span<Vec3> local, Recording& recording) {
  carrier_->displace(bones, local, surface_);
  append_frame(scene_.surface, surface_, recording);
}

}  // namespace sinew
