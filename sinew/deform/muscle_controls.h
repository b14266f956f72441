// The muscles of a scene, as sessions activate them (cook/muscles/muscle_activation.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/skeleton.h"
#include "sinew/linalg/small.h"

namespace sinew {

class MuscleControls {
 public:
  virtual ~MuscleControls() = default;
  virtual std::span<const std::string> names() const = 0;
  // Name of the clip that the activation was made for; empty: any.
  virtual const std::string& clip() const = 0;

  // Computes RigState::activation in a pose at a time on the clip's time line, seconds. `bones`: rest space to world.
  virtual void find(const Pose& pose, double clip_time, std::span<const Affine> bones,
                    std::vector<double>& activation) const = 0;
};

}  // namespace sinew
