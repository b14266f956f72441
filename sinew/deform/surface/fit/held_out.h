// What a model is worth where it has not learned: a part of the examples is left out, tried, and learned at last.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface/fit/fit_surface.h"

namespace sinew {

// Which frames are left out.
struct HeldOut {
  std::size_t example = 0;  // its index
  std::size_t begin = 0;    // frames [begin, its end) are left out
  bool any = false;
  bool whole = false;  // all of that example
  SurfaceError error;  // there, of the model that was learned from the rest
};

// Of several performances the last one, of a single one its last quarter; nothing where that is less than eight frames.
// `performances`: how many of the examples count as such; the others, behind them, are always learned from.
HeldOut choose_held_out(std::span<const SurfaceExample> examples, std::size_t performances);

// fit_surface() without what is held out, whose error is found then; from there on with everything, in a few
// iterations. Weights of the examples are changed meanwhile and are at last what they were.
SurfaceFitResult fit_with_held_out(SurfaceModel& model, std::span<SurfaceExample> examples,
                                   const SurfaceFitOptions& options, HeldOut& held_out, const Progress& progress = {});

}  // namespace sinew
