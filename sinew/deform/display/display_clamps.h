// Clamps on what is displayed of a method's flesh. They work on each frame, and the simulation does not see them.
#pragma once

#include <memory>
#include <optional>

#include "sinew/deform/display/display_limit.h"
#include "sinew/deform/display/kept_shape.h"
#include "sinew/deform/display/strain_limit.h"

namespace sinew {

struct DisplayClamps {
  std::optional<DisplayLimit> limit{};       // with a value, flesh moves less with what bones shrink too (bone_scale.h)
  std::shared_ptr<const KeptShape> shape{};  // rigid things; null: there are none
  std::optional<StrainLimit> strain{};       // of edges and triangles of the surface

  // Bounds of the watch over a run (bake/run_watch.h).
  bool bounded = false;  // flesh keeps as near to its goal as strain explains; farther is an error
  double driven = 0;     // metres: how far the method by itself may drive flesh away from the rig
};

}  // namespace sinew
