// Selection of the modes of a body that an example shows, with their excitation by the bones and their decay.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

struct ModeFit {
  std::vector<SurfaceMode> modes;  // ascending in frequency; drives include their gains
  std::vector<double> gain;        // gain of each mode
  double removed = 0;              // fraction of the goal's squared error that the modes remove
};

// Selects at most `count` candidates greedily, each time the one that removes most of the goal's remaining error; then
// refines damping ratios and frequencies by small steps and all gains by least squares. Stops when none removes a
// thousandth. All frames and vertices count alike, regardless of the examples' weights.
ModeFit fit_modes(const SurfaceModel& model, std::vector<SurfaceMode> candidates,
                  std::span<const SurfaceExample> examples, std::size_t count);

// Subtracts the displacements of the model's modes from the example; the surface's parameters are fitted to the rest.
void take_modes(const SurfaceModel& model, SurfaceExample& example);

}  // namespace sinew
