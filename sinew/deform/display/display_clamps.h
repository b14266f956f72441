// Clamps on the displayed flesh. They act on each frame by itself and do not affect the simulation.
#pragma once

#include <memory>
#include <optional>

#include "sinew/deform/display/display_limit.h"
#include "sinew/deform/display/kept_shape.h"
#include "sinew/deform/display/strain_limit.h"

namespace sinew {

struct DisplayClamps {
  std::optional<DisplayLimit> limit{};       // if set, flesh also moves less where bones shrink (bone_scale.h)
  std::shared_ptr<const KeptShape> shape{};  // rigid things; null: none
  std::optional<StrainLimit> strain{};       // edges and triangles of the surface
  bool separates = false;                    // skin is led out of other skin (skin_separation.h)

  // Bounds of the watch over a run (bake/run_watch.h).
  bool bounded = false;  // flesh farther from its goal than strain explains is an error
  double driven = 0;     // distance by which the method itself may drive flesh from the rig, metres
};

}  // namespace sinew
