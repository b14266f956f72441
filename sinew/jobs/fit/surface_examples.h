// Examples for fitting a surface model: bone transforms of a clip at the model's steps, and the flesh's offsets from
// the rig.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/bake/output/compare.h"
#include "sinew/bake/recording.h"
#include "sinew/base/progress.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

// Bone transforms over the range of the clip in `options`, every `step` seconds from the beginning of the range.
SurfaceMotion sample_motion(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                            double step, const Progress& progress = {});

// Offsets of each surface vertex from the rig, at some times.
struct SurfaceOffsets {
  std::vector<double> times;  // seconds since the beginning of the range, ascending
  std::vector<float> offset;  // times x n x 3, metres, world axes
};

// Offsets in a recording of the surface's own parts; copies of a vertex at seams are averaged.
SurfaceOffsets offsets_of(const SimulationSurface& surface, const Recording& recording);

// Offsets in a track of the simulated parts in sequence, as in point caches and characters. The first frame of a track
// with frames is at the beginning of the range; a character's track uses clip time. Throws usage_error if the track has
// another number of points, or does not cover the range (within half a frame).
SurfaceOffsets offsets_of(const Character& character, const SimulationSurface& surface, const BakeOptions& options,
                          const Track& track, double step, const Progress& progress = {});

// A recording of the range as an example at the model's steps.
SurfaceExample example_of_recording(const Character& character, const SimulationSurface& surface,
                                    const BakeOptions& options, const Recording& recording, double step);

// A sentence why little can be learned from an example; empty if it shows moving flesh. Flesh that never leaves the rig
// by more than a thousandth of the `height` (metres) does not move visibly.
std::string note_on_stillness(const SurfaceExample& example, double height);

// Four frames and their weights whose sum is the value at a time, by Catmull-Rom. `exact`: the second alone counts.
struct ExampleWeights {
  std::array<std::size_t, 4> frame;
  std::array<double, 4> weight;
  bool exact = false;
};
// `times` ascend; a frame within a small share of `step` of the time `at` is taken as it is.
ExampleWeights sample_weights(std::span<const double> times, double at, double step);

// Resamples with Catmull-Rom in time; exact where frames and steps coincide.
std::vector<float> at_steps(const SurfaceOffsets& offsets, std::size_t vertices, double step, std::size_t frames);

}  // namespace sinew
