// Examples for fitting a surface model: a clip's bones at the model's steps, and how far flesh was from the rig there.
#pragma once

#include <string>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/output/compare.h"
#include "sinew/bake/recording.h"
#include "sinew/base/progress.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

// The bones over the range of a clip that `options` name, at every `step`, from the range's begin on.
SurfaceMotion sample_motion(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                            double step, const Progress& progress = {});

// How far each vertex of the surface is from where the rig puts it, at some times.
struct SurfaceOffsets {
  std::vector<double> times;  // seconds since the range's begin, rising
  std::vector<float> offset;  // times x n x 3, metres, world axes
};

// From a recording of the surface's own parts: seams' copies are averaged.
SurfaceOffsets offsets_of(const SimulationSurface& surface, const Recording& recording);

// From positions of the simulated parts one after the other, as in point caches and characters. The first frame of a
// track with frames is at the range's begin, a character's own time line is the clip's. Throws usage_error where the
// track has another number of points, or does not reach from the range's begin to its end (within half a frame).
SurfaceOffsets offsets_of(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                          const Track& track, double step, const Progress& progress = {});

// What a bake of the range made, at the model's steps.
SurfaceExample example_of_recording(const Character& character, const SimulationSurface& surface,
                                    const BakeOptions& options, const Recording& recording, double step);

// Why little can be learned from an example, as a sentence; empty where it shows flesh that moves. It does not where no
// vertex is ever farther from where the rig puts it than a thousandth of the height (metres), which nobody sees.
std::string note_on_stillness(const SurfaceExample& example, double height);

// Catmull-Rom in time; the steps' own values where frames and steps fall together.
std::vector<float> at_steps(const SurfaceOffsets& offsets, std::size_t vertices, double step, std::size_t frames);

}  // namespace sinew
