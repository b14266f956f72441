// Observed motion of a character's flesh, from a point cache, a character or markers, as numbers to compare a run with.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "sinew/bake/bake_options.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/jobs/fit_file.h"

namespace sinew {

// One example.
struct ObservedFlesh {
  std::string clip, source;     // name of the clip; the file
  BakeOptions bake;             // the run that shows the same moments
  std::size_t points = 0;       // number of vertices or markers
  double largest = 0;           // metres: largest displacement from the rig
  std::vector<float> observed;  // coordinates of displacements from the rig, metres
  // Returns the coordinates in a run that correspond to `observed`.
  std::function<std::vector<float>(const Recording&)> of_run;
};

// Reads an example of `job`. A file of markers (.csv, files/markers_csv.h) belongs to the vertices of the skin that are
// nearest to its first positions, as the rig poses them. How far a marker is off its vertex, in the vertex's own frame,
// is unknown: both the observed and the simulated displacement are taken relative to their mean. `surface` is the
// character's; `height` in metres. The result refers to both. Throws input_error and usage_error.
ObservedFlesh observe_flesh(const FitJob& job, const FitExample& example, const Character& character,
                            const SimulationSurface& surface, double height);

}  // namespace sinew
