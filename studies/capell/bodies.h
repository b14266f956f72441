// Which body carries a character's flesh better: a control lattice or tetrahedra. Both move through the liveliest of
// the character's clips, and so does a body of many tetrahedra, by which they are measured.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/cook/flesh/flesh_settings.h"

namespace sinew {

struct BodiesOptions {
  std::string clip;    // empty: the liveliest of those whose bones accelerate by less than 150 m/s^2 on the whole
  double seconds = 1;  // of it, at most
  Reference reference = Reference::rig;
  int fine = 50000;  // tetrahedra of the body that others are measured by; 0: none, times only
  std::vector<int> tetrahedra{1000, 2500, 8000, 20000};
  double adapt = 0.005;  // strain from which detail is used in the adaptive run
};

// Motion is where the surface is shown less where it is in static equilibrium in the pose of that time; under the rig
// reference that is where the rig alone has it.
struct BodiesRow {
  std::string body;
  int elements = 0, unknowns = 0;
  double young = 0;          // pascals, that the look came to in this body
  double error = 0;          // root of the mean squared distance from the fine body's motion, over that motion's own
  double largest_error = 0;  // largest distance, over the fine body's largest motion
  double shape_error = 0;    // root of the mean squared distance between the two equilibria, over the height
  double amplitude = 0;      // root of the mean squared motion, over the fine body's
  double volume_low = 1, volume_high = 1;  // of the body over rest, extremes over the clip
  double least_det = 1;                    // of the deformation gradient, over elements and the clip
  double milliseconds = 0;                 // a step with its surface, median
  double iterations = 0;                   // a step, mean
  double cook_seconds = 0;                 // from the character to a body that can run
};

struct BodiesExperiment {
  std::string character, clip;
  Reference reference = Reference::rig;
  double motion = 0, largest_motion = 0;  // of the fine body: root of the mean square and largest, over the height
  std::vector<BodiesRow> rows;            // the fine body last, where there is one
};

// Throws input_error for a character without clips, or without this one.
BodiesExperiment bodies_experiment(const Character& character, const std::string& name,
                                   const BodiesOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
