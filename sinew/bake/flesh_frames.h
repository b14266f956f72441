// From flesh to a recording: what every run over a clip does with its frames.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/bake/prepare.h"
#include "sinew/bake/recording.h"
#include "sinew/deform/deformer.h"

namespace sinew {

class FleshFrames {
 public:
  // `scene` must outlive this.
  explicit FleshFrames(const FleshScene& scene);

  std::size_t points() const { return carrier_->points(); }  // that a deformer answers for

  // Appends the surface to each part of the recording. `local`: per point, as a deformer has them or between two steps;
  // limited in place. `bones`: rest space to world, metres, at the frame's time.
  void record(std::span<const Affine> bones, std::span<Vec3> local, Recording& recording);

 private:
  const FleshScene& scene_;
  std::unique_ptr<SurfaceCarrier> carrier_;
  std::vector<Vec3> surface_;
};

}  // namespace sinew
