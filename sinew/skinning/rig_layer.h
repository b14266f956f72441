// A layer of a character's rig: something that moves the skinned surface on, led by control points. Each control point
// stands twice: where its parents carry it (reference) and where its own translation has put it (displaced). With both
// alike, a layer leaves the surface as it is, to the bit.
#pragma once

#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// World, metres; per control point.
struct LayerControls {
  std::vector<Vec3> reference, displaced;
  std::vector<double> log_scale;  // logarithm of the size that the control point asks for around it, usually 0
};

class RigLayer {
 public:
  virtual ~RigLayer() = default;

  // The nodes that are control points, indices into Skeleton::joints.
  virtual const std::vector<int>& nodes() const = 0;

  // Called once, with the control points and the surface that reaches the layer, in the character's default pose. What
  // depends on where points lie in relation to each other is decided here. May throw input_error.
  virtual void bind(std::span<const Vec3> controls, std::span<const Vec3> surface) = 0;

  // Vertices that the layer can move, ascending; after bind().
  virtual const std::vector<int>& reach() const = 0;

  // Moves `surface` on.
  virtual void apply(const LayerControls& controls, std::span<Vec3> surface) const = 0;

  // Derivative in one direction, exact: `rate` is how the controls change, `surface_rate` how the surface does that
  // reaches the layer (`surface`), and becomes how the surface does that leaves it.
  virtual void differentiate(const LayerControls& controls, const LayerControls& rate, std::span<const Vec3> surface,
                             std::span<Vec3> surface_rate) const = 0;
};

}  // namespace sinew
