// Test of a fit on held-out frames: a part of the examples is left out of a first fit, tested, and then included.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface/fit/fit_surface.h"

namespace sinew {

// The frames that are left out.
struct HeldOut {
  std::size_t example = 0;  // index of the example
  std::size_t begin = 0;    // first frame left out; all later frames of the example are too
  bool any = false;
  bool whole = false;  // true if the whole example is left out
  SurfaceError error;  // error on these frames of the model learned from the others
};

// Chooses the last of several performances, or the last quarter of a single one; nothing if that is less than eight
// frames. `performances`: number of leading examples that count as performances; the others are always learned from.
HeldOut choose_held_out(std::span<const SurfaceExample> examples, std::size_t performances);

// Runs fit_surface() without the held-out frames, stores their error in `held_out`, and continues for a few iterations
// with all frames. The examples' weights are changed meanwhile and restored at the end.
SurfaceFitResult fit_with_held_out(SurfaceModel& model, std::span<SurfaceExample> examples,
                                   const SurfaceFitOptions& options, HeldOut& held_out, const Progress& progress = {});

}  // namespace sinew
