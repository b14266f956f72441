// Which modes of a body an example shows, how strongly bones drive them in it, and how they decay.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface/surface_motion.h"

namespace sinew {

struct ModeFit {
  std::vector<SurfaceMode> modes;  // rising in frequency; drives have their gains in them
  std::vector<double> gain;        // of each
  double removed = 0;              // share of the goal's squared error that they take away
};

// At most `count` of the candidates, one after the other the one that takes most of what is left of the goal's error;
// then their damping ratios and frequencies by small steps, and the gains of all by least squares. Stops where none
// takes a thousandth. All frames and vertices count alike, whatever weights the examples have.
ModeFit fit_modes(const SurfaceModel& model, std::vector<SurfaceMode> candidates,
                  std::span<const SurfaceExample> examples, std::size_t count);

// Takes what the model's modes do from the example, so that what is left of it is the surface's own to learn.
void take_modes(const SurfaceModel& model, SurfaceExample& example);

}  // namespace sinew
